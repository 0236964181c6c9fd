type Props = {
  readonly id: string;
  readonly texts: readonly string[];
  /** The one that Enter takes. */
  readonly active: number | undefined;
  readonly onPick: (text: string) => void;
};

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** The list under the search box. The focus stays in the box, which names the active option. */
export function CompletionList({ id, texts, active, onPick }: Props) {
  return (
    <div id={id} role="listbox" aria-label="Suggestions" class="completions">
      {texts.map((text, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the combobox, which names the active option.
        <div
          key={text}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(text)}
        >
          {text}
        </div>
      ))}
    </div>
  );
}
