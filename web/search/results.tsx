import type { Hit, SearchResponse } from '../client/search-types.ts';
import { Pagination } from '../parts/pagination.tsx';
import { ResultItem } from '../parts/result-item.tsx';
import { SafeLink } from '../parts/safe-link.tsx';
import { Facets } from './facets.tsx';
import { NothingFound } from './nothing-found.tsx';
import { countSelected, printState, type SearchState } from './search-state.ts';
import { PER_PAGE } from './use-search.ts';

/** The service answers no page behind the first 10,000 results. Contract: 1.9. */
const PAGE_LIMIT = 10_000 / PER_PAGE;

type Props = {
  readonly state: SearchState;
  readonly response: SearchResponse;
  readonly onPick: (state: SearchState) => void;
  readonly onFollow: (hit: Hit) => void;
};

export function Results({ state, response, onPick, onFollow }: Props) {
  const total = response.TotalDocument;
  const ask = (query: string) => onPick({ query, page: 1, selected: {} });
  const pageCount = Math.min(Math.ceil(total / PER_PAGE), PAGE_LIMIT);
  const atPage = (page: number) => ({ ...state, page });
  return (
    <div class="answer">
      <Facets state={state} facets={response.Facets} onPick={onPick} />
      <section class="found" aria-label="Results">
        <p class="summary" role="status">
          {summary(state, response)}
        </p>
        {response.FixedQuery && (
          <p class="fixed">
            Nothing matches “{state.query}”. These are the results for <strong>{response.FixedQuery}</strong>.
          </p>
        )}
        <Quicklinks links={response.Quicklinks} />
        {total === 0 && (
          <NothingFound
            hasSelection={countSelected(state) > 0}
            suggestions={response.Suggestions}
            onAsk={ask}
            onClear={() => onPick({ ...state, page: 1, selected: {} })}
          />
        )}
        <ol class="results" start={(state.page - 1) * PER_PAGE + 1}>
          {response.TypedDocuments.map((hit) => (
            <ResultItem key={hit.Id} hit={hit} onFollow={() => onFollow(hit)} />
          ))}
        </ol>
        <Pagination
          page={state.page}
          pageCount={pageCount}
          hrefOf={(page) => printState(atPage(page))}
          onPick={(page) => onPick(atPage(page))}
        />
        <Related queries={response.RelatedSearchDocuments} onAsk={ask} />
      </section>
    </div>
  );
}

function summary(
  { page }: SearchState,
  { TotalDocument: total, ResponseTime, TypedDocuments }: SearchResponse,
): string {
  const first = (page - 1) * PER_PAGE + 1;
  const last = first + TypedDocuments.length - 1;
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'result' : 'results'}`;
  const part = total > PER_PAGE && last >= first ? `${first}–${last} of ` : '';
  return `${part}${count} in ${Math.max(1, Math.round(ResponseTime))} ms`;
}

function Quicklinks({ links }: { readonly links: SearchResponse['Quicklinks'] }) {
  if (links.length === 0) return null;
  return (
    <ul class="quicklinks" aria-label="Quick links">
      {links.map(({ Id, Url, Term }) => (
        <li key={Id}>
          <SafeLink address={Url}>{Term}</SafeLink>
        </li>
      ))}
    </ul>
  );
}

function Related({ queries, onAsk }: { readonly queries: readonly string[]; readonly onAsk: (query: string) => void }) {
  if (queries.length === 0) return null;
  return (
    <section class="related">
      <h2>Others searched for</h2>
      <ul class="chips">
        {queries.map((query) => (
          <li key={query}>
            <button type="button" onClick={() => onAsk(query)}>
              {query}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
