import { useState } from 'preact/hooks';
import type { Facet } from '../../packages/client/src/index.ts';
import { useLanguage } from './language.ts';

/** Values of a long facet that are shown at first. */
const FIRST_VALUES = 8;
/** Longer lists come with a box that finds values. */
const FIND_FROM = 20;

type Props = {
  readonly facet: Facet;
  readonly label: string;
  readonly labelOf: (value: string) => string;
  readonly selected: readonly string[];
  readonly onToggle: (value: string) => void;
};

type Choice = { readonly value: string; readonly label: string; readonly count: number };

/** One facet as a group of checkboxes. A selected value stays visible when nothing matches it any more. */
export function FacetGroup({ facet, label, labelOf, selected, onToggle }: Props) {
  const { text, number } = useLanguage();
  const [isWhole, setWhole] = useState(false);
  const [wanted, setWanted] = useState('');
  const choices = choicesOf(facet, selected, labelOf);
  const fitting = choices.filter((choice) => choice.label.toLowerCase().includes(wanted.trim().toLowerCase()));
  const shown = isWhole ? fitting : fitting.filter(({ value }, i) => i < FIRST_VALUES || selected.includes(value));
  const hidden = choices.length - FIRST_VALUES;
  return (
    <fieldset class="facet">
      <legend dir="auto">{label}</legend>
      {isWhole && choices.length > FIND_FROM && (
        <input
          type="search"
          class="find"
          aria-label={text('facets.find', { name: label })}
          placeholder={text('facets.find', { name: label })}
          value={wanted}
          onInput={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      <ul class={isWhole ? 'whole' : undefined}>
        {shown.map(({ value, label: name, count }) => (
          <li key={value}>
            <label>
              <input type="checkbox" checked={selected.includes(value)} onChange={() => onToggle(value)} />
              <span class="key" dir="auto">
                {name}
              </span>
              <span class="count">{number(count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="hint">{text('facets.notFound')}</p>}
      {hidden > 0 && (
        <button
          type="button"
          class="link"
          aria-expanded={isWhole}
          onClick={() => {
            setWhole(!isWhole);
            setWanted('');
          }}
        >
          {isWhole ? text('facets.fewer') : text('facets.more', { count: hidden })}
        </button>
      )}
    </fieldset>
  );
}

function choicesOf({ Items }: Facet, selected: readonly string[], labelOf: Props['labelOf']): readonly Choice[] {
  const listed = Items.map(({ Key }) => Key);
  const gone = selected.filter((value) => !listed.includes(value)).map((Key) => ({ Key, Count: 0 }));
  return [...Items, ...gone].map(({ Key, Count }) => ({ value: Key, label: labelOf(Key), count: Count }));
}
