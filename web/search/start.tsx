import { useEffect, useState } from 'preact/hooks';
import type { Facet, SearchClient } from '../../packages/client/src/index.ts';
import { InPageLink } from '../parts/in-page-link.tsx';
import { useLanguage } from '../parts/language.ts';
import { fieldLabel } from './facets/filter-labels.ts';
import type { InstantSuggestions } from './instant-suggestions.ts';
import { usePageLook } from './page-look.tsx';
import { QueryLinks } from './query-links.tsx';
import type { RecentSearches } from './recent-searches.ts';
import { askAnew, printState, type SearchState, toggleValue } from './search-state.ts';

/** Values of a facet that one can begin with. */
const MOST_VALUES = 12;

type Props = {
  readonly state: SearchState;
  readonly search: SearchClient['search'];
  readonly instant: InstantSuggestions;
  readonly recent: RecentSearches;
  readonly onPick: (state: SearchState) => void;
};

/** What stands under the empty box: what others or oneself searched for, and how to search. */
export function Start({ state, search, instant, recent, onPick }: Props) {
  const { text, nodes } = useLanguage();
  const { hint } = usePageLook();
  const [, redraw] = useState(0);
  const searched = instant.showRecentSearches ? recent.list().slice(0, instant.limit) : [];
  const suggested = instant.suggestions.filter((query) => !searched.includes(query));
  const shown = suggested.slice(0, Math.max(0, instant.limit - searched.length));
  const browse = (
    <button type="button" class="link" onClick={() => onPick(askAnew(state, '*'))}>
      {text('page.browse')}
    </button>
  );
  return (
    <div class="offers">
      {searched.length > 0 && (
        <section>
          <h2 id="recent">{text('start.recent')}</h2>
          <QueryLinks queries={searched} labelledBy="recent" state={state} onPick={onPick} />
          <button
            type="button"
            class="link"
            onClick={() => {
              recent.clear();
              redraw((count) => count + 1);
            }}
          >
            {text('start.clearRecent')}
          </button>
        </section>
      )}
      {shown.length > 0 && (
        <section>
          <h2 id="suggested">{text('start.suggested')}</h2>
          <QueryLinks queries={shown} labelledBy="suggested" state={state} onPick={onPick} />
        </section>
      )}
      <Browsing state={state} search={search} onPick={onPick} />
      <p class="hint">{hint ?? nodes('page.hint', { browse })}</p>
      <p class="hint keys">
        {nodes('page.keys', {
          slash: <kbd>/</kbd>,
          ctrlK: <kbd>Ctrl K</kbd>,
          up: <kbd>↑</kbd>,
          down: <kbd>↓</kbd>,
        })}
      </p>
    </div>
  );
}

/** The parts of the site, of the first facet that leaves a choice. */
function Browsing({ state, search, onPick }: Pick<Props, 'state' | 'search' | 'onPick'>) {
  const language = useLanguage();
  const facet = useFirstFacet(search);
  if (facet === undefined) return null;
  return (
    <section>
      <h2 id="browsing">{fieldLabel(language, facet.Field, { [facet.FieldName]: facet })}</h2>
      <ul class="chips" aria-labelledby="browsing">
        {facet.Items.slice(0, MOST_VALUES).map(({ Key, Count }) => {
          const narrowed = toggleValue(askAnew(state, '*'), facet.Field, Key);
          return (
            <li key={Key}>
              <InPageLink href={printState(narrowed)} onPick={() => onPick(narrowed)}>
                <span dir="auto">{Key}</span>
                <span class="count">{language.number(Count)}</span>
              </InPageLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Undefined until it comes, and for good when nothing does: the box is enough to begin with. */
function useFirstFacet(search: SearchClient['search']): Facet | undefined {
  const [facet, setFacet] = useState<Facet>();
  useEffect(() => {
    const abort = new AbortController();
    const request = { query: '*', perPage: 1, fields: ['Title'], isInternalSearch: true };
    search(request, { signal: abort.signal }).then(
      ({ Facets }) => setFacet(Object.values(Facets).find(({ Items }) => Items.length > 1)),
      () => undefined,
    );
    return () => abort.abort();
  }, [search]);
  return facet;
}
