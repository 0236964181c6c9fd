const WIDTHS = ['w90', 'w60', 'w75', 'w40'] as const;

/** Stands for what is still loaded. */
export function Skeleton({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div class="stack" aria-busy="true">
      <span class="unseen">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class={`bone ${WIDTHS[line % WIDTHS.length]}`} />
      ))}
    </div>
  );
}
