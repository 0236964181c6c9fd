import { useLanguage } from '../parts/language.ts';

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
  const { text } = useLanguage();
  return (
    <div id={id} role="listbox" aria-label={text('box.completions')} class="completions">
      {texts.map((completion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the combobox, which names the active option.
        <div
          key={completion}
          id={optionId(id, index)}
          role="option"
          dir="auto"
          tabIndex={-1}
          aria-selected={index === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(completion)}
        >
          {completion}
        </div>
      ))}
    </div>
  );
}
