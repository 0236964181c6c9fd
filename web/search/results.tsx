import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Followed, SearchResponse } from '../../packages/client/src/index.ts';
import { InPageLink } from '../parts/in-page-link.tsx';
import { useLanguage } from '../parts/language.ts';
import { Pagination } from '../parts/pagination.tsx';
import { contextOf } from '../parts/result-context.ts';
import { ResultItem } from '../parts/result-item.tsx';
import { Banners, Quicklinks } from './editor-cards.tsx';
import { ChosenFilters } from './facets/chosen-filters.tsx';
import { Facets, hasFacets } from './facets/facets.tsx';
import { NothingFound } from './nothing-found.tsx';
import { QueryLinks } from './query-links.tsx';
import { SearchNotes, summarize } from './search-notes.tsx';
import { PER_PAGE } from './search-request.ts';
import { countSelected, printState, type SearchState, withoutFilters } from './search-state.ts';
import { SortSelect } from './sort-select.tsx';

/** The service answers no page behind the first 10,000 results. Contract: 1.9. */
const PAGE_LIMIT = 10_000 / PER_PAGE;
const FILTERS_ID = 'filters';

type Props = {
  /** What is chosen; its results may still be on their way. */
  readonly state: SearchState;
  /** What the results are of. */
  readonly shown: SearchState;
  readonly response: SearchResponse;
  /** Stands above the results. */
  readonly conversation: ComponentChildren;
  readonly onPick: (state: SearchState) => void;
  readonly onFollow: (followed: Followed) => void;
};

export function Results({ state, shown, response, conversation, onPick, onFollow }: Props) {
  const language = useLanguage();
  const { text } = language;
  const [isOpen, setOpen] = useState(false);
  const found = useRef<HTMLElement>(null);
  const { TotalDocument: total, TypedDocuments: hits, RelatedSearchDocuments: related } = response;
  const pageCount = Math.min(Math.ceil(total / PER_PAGE), PAGE_LIMIT);
  const atPage = (page: number) => ({ ...state, page });
  const context = contextOf(hits);
  const narrowing = { state, response, onPick };
  return (
    <div class="answer">
      <section class="found" ref={found} tabIndex={-1} aria-label={text('results.label')}>
        <div class="toolbar">
          <p class="summary">{summarize(language, shown, response)}</p>
          <SortSelect {...narrowing} />
          {hasFacets(narrowing) && (
            <Unfold count={countSelected(state)} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
          )}
        </div>
        <ChosenFilters {...narrowing} onRemoved={() => found.current?.focus({ preventScroll: true })} />
        <SearchNotes query={shown.query} response={response} />
        <DidYouMean {...narrowing} />
        <Banners banners={response.Banners} onFollow={onFollow} />
        <Quicklinks query={shown.query} links={response.Quicklinks} onFollow={onFollow} />
        {total === 0 && (
          <NothingFound hasSelection={countSelected(shown) > 0} onClear={() => onPick(withoutFilters(state))} />
        )}
        {total > 0 && hits.length === 0 && <NoSuchPage state={shown} last={pageCount} onPick={onPick} />}
        {conversation}
        <ol class="results" start={(shown.page - 1) * PER_PAGE + 1}>
          {hits.map((hit) => (
            <ResultItem key={hit.Id} hit={hit} context={context} onFollow={() => onFollow({ kind: 'hit', hit })} />
          ))}
        </ol>
        <Pagination
          page={shown.page}
          pageCount={pageCount}
          hrefOf={(page) => printState(atPage(page))}
          onPick={(page) => onPick(atPage(page))}
        />
        {related.length > 0 && (
          <section class="related">
            <h2 id="related">{text('results.related')}</h2>
            <QueryLinks queries={related} labelledBy="related" state={state} onPick={onPick} />
          </section>
        )}
      </section>
      <Facets {...narrowing} id={FILTERS_ID} isOpen={isOpen} />
    </div>
  );
}

type UnfoldProps = { readonly count: number; readonly isOpen: boolean; readonly onToggle: () => void };

/** Shown on narrow screens only: there the filters are folded away. */
function Unfold({ count, isOpen, onToggle }: UnfoldProps) {
  const { text } = useLanguage();
  return (
    <button type="button" class="unfold" aria-expanded={isOpen} aria-controls={FILTERS_ID} onClick={onToggle}>
      {count > 0 ? text('facets.button', { count }) : text('facets.label')}
    </button>
  );
}

type NarrowingProps = Pick<Props, 'state' | 'response' | 'onPick'>;

/** Whoever has found a page full of results meant what was typed; what goes with it stands at the end. */
function DidYouMean({ state, response, onPick }: NarrowingProps) {
  const { text } = useLanguage();
  const { TotalDocument, Suggestions } = response;
  if (Suggestions.length === 0 || TotalDocument >= PER_PAGE) return null;
  return (
    <div class="suggestions">
      <p id="suggestions">{text('results.didYouMean')}</p>
      <QueryLinks queries={Suggestions} labelledBy="suggestions" state={state} onPick={onPick} />
    </div>
  );
}

type NoSuchPageProps = Pick<Props, 'state' | 'onPick'> & { readonly last: number };

function NoSuchPage({ state, last, onPick }: NoSuchPageProps) {
  const { text } = useLanguage();
  const lastPage = { ...state, page: last };
  return (
    <div class="notice">
      <p>{text('results.noSuchPage', { page: state.page, last })}</p>
      <p>
        <InPageLink href={printState(lastPage)} onPick={() => onPick(lastPage)}>
          {text('results.lastPage')}
        </InPageLink>
      </p>
    </div>
  );
}
