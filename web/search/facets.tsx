import { useState } from 'preact/hooks';
import type { Facet, SearchResponse } from '../client/search-types.ts';
import { FacetGroup } from '../parts/facet-group.tsx';
import { askAnew, countSelected, type SearchState, toggleValue } from './search-state.ts';

type Props = {
  readonly state: SearchState;
  readonly facets: SearchResponse['Facets'];
  readonly onPick: (state: SearchState) => void;
};

/** The filters: a column on wide screens, folded away behind a button on narrow ones. */
export function Facets({ state, facets, onPick }: Props) {
  const [isOpen, setOpen] = useState(false);
  const shown = Object.entries(facets).filter(([, facet]) => facet.Items.length > 1 || state.selected[facet.Field]);
  const count = countSelected(state);
  if (shown.length === 0) return <div class="facets" />;
  return (
    <section class="facets" aria-label="Filters">
      <button type="button" class="unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filters{count > 0 && ` (${count})`}
      </button>
      <div class={isOpen ? 'groups open' : 'groups'}>
        {shown.map(([name, facet]) => (
          <FacetGroup
            key={name}
            facet={facet}
            label={labelOf(name, facet)}
            selected={state.selected[facet.Field] ?? []}
            onToggle={(value) => onPick(toggleValue(state, facet.Field, value))}
          />
        ))}
        {count > 0 && (
          <button type="button" class="link" onClick={() => onPick(askAnew(state, state.query))}>
            Clear all filters
          </button>
        )}
      </div>
    </section>
  );
}

function labelOf(name: string, { Field }: Facet): string {
  return Field === '_type' ? 'Kind' : name.replaceAll('_', ' ');
}
