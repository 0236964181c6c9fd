import { useState } from 'preact/hooks';
import type { Facet, SearchResponse } from '../../packages/client/src/index.ts';
import type { Language } from '../messages/language.ts';
import { FacetGroup } from '../parts/facet-group.tsx';
import { useLanguage } from '../parts/language.ts';
import { askAnew, countSelected, type SearchState, toggleValue } from './search-state.ts';

type Props = {
  readonly state: SearchState;
  readonly facets: SearchResponse['Facets'];
  readonly onPick: (state: SearchState) => void;
};

/** The filters: a column on wide screens, folded away behind a button on narrow ones. */
export function Facets({ state, facets, onPick }: Props) {
  const language = useLanguage();
  const { text } = language;
  const [isOpen, setOpen] = useState(false);
  const shown = Object.entries(facets).filter(([, facet]) => facet.Items.length > 1 || state.selected[facet.Field]);
  const count = countSelected(state);
  if (shown.length === 0) return <div class="facets" />;
  return (
    <section class="facets" aria-label={text('facets.label')}>
      <button type="button" class="unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {count > 0 ? text('facets.button', { count }) : text('facets.label')}
      </button>
      <div class={isOpen ? 'groups open' : 'groups'}>
        {shown.map(([name, facet]) => (
          <FacetGroup
            key={name}
            facet={facet}
            label={labelOf(language, name, facet)}
            selected={state.selected[facet.Field] ?? []}
            onToggle={(value) => onPick(toggleValue(state, facet.Field, value))}
          />
        ))}
        {count > 0 && (
          <button type="button" class="link" onClick={() => onPick(askAnew(state, state.query))}>
            {text('facets.clear')}
          </button>
        )}
      </div>
    </section>
  );
}

function labelOf({ text }: Language, name: string, { Field }: Facet): string {
  if (Field === '_type') return text('facets.kind');
  return Field === 'Language' ? text('facets.language') : name.replaceAll('_', ' ');
}
