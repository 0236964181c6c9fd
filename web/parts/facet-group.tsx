import type { Facet } from '../../packages/client/src/index.ts';
import type { Language } from '../messages/language.ts';
import { useLanguage } from './language.ts';

type Props = {
  readonly facet: Facet;
  readonly label: string;
  readonly selected: readonly string[];
  readonly onToggle: (value: string) => void;
};

/** One facet as a group of checkboxes. A selected value stays visible when nothing matches it any more. */
export function FacetGroup({ facet, label, selected, onToggle }: Props) {
  const language = useLanguage();
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
              <span class="key">{valueLabel(language, facet.Field, Key)}</span>
              <span class="count">{language.number(Count)}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function valueLabel({ text, languageName }: Language, field: string, value: string): string {
  if (field === '_type') return text(value === 'FileContent' ? 'facets.files' : 'facets.pages');
  return field === 'Language' ? languageName(value) : value;
}
