import type { Facet } from '../client/search-types.ts';

type Props = {
  readonly facet: Facet;
  readonly label: string;
  readonly selected: readonly string[];
  readonly onToggle: (value: string) => void;
};

/** One facet as a group of checkboxes. A selected value stays visible when nothing matches it any more. */
export function FacetGroup({ facet, label, selected, onToggle }: Props) {
  const listed = facet.Items.map(({ Key }) => Key);
  const gone = selected.filter((value) => !listed.includes(value)).map((Key) => ({ Key, Count: 0 }));
  return (
    <fieldset class="facet">
      <legend>{label}</legend>
      <ul>
        {[...facet.Items, ...gone].map(({ Key, Count }) => (
          <li key={Key}>
            <label>
              <input type="checkbox" checked={selected.includes(Key)} onChange={() => onToggle(Key)} />
              <span class="key">{valueLabel(facet.Field, Key)}</span>
              <span class="count">{Count.toLocaleString('en')}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

function valueLabel(field: string, value: string): string {
  if (field === '_type') return value === 'FileContent' ? 'Files' : 'Pages';
  if (field !== 'Language') return value;
  return /^[a-z]{2,3}(-[a-z0-9]+)*$/i.test(value) ? (LANGUAGES.of(value) ?? value) : value;
}
