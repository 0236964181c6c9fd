type Props = {
  readonly label: string;
  readonly value: number;
  /** Undefined: nobody knows how much it will be. */
  readonly max?: number | undefined;
  /** Below the bar. */
  readonly text?: string;
};

export function ProgressBar({ label, value, max, text }: Props) {
  return (
    <div class="progress">
      <progress aria-label={label} {...(max === undefined ? {} : { value, max })} />
      {text !== undefined && <span class="small quiet">{text}</span>}
    </div>
  );
}
