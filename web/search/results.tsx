import type { ComponentChildren } from 'preact';
import type { Followed, SearchResponse } from '../../packages/client/src/index.ts';
import { useLanguage } from '../parts/language.ts';
import { Pagination } from '../parts/pagination.tsx';
import { ResultItem } from '../parts/result-item.tsx';
import { AnswerNote } from './answer-note.tsx';
import { Banners, Quicklinks } from './editor-cards.tsx';
import { Facets } from './facets.tsx';
import { NothingFound } from './nothing-found.tsx';
import { QueryLinks } from './query-links.tsx';
import { askAnew, countSelected, printState, type SearchState } from './search-state.ts';
import { summarize } from './summarize.ts';
import { PER_PAGE } from './use-search.ts';

/** The service answers no page behind the first 10,000 results. Contract: 1.9. */
const PAGE_LIMIT = 10_000 / PER_PAGE;

type Props = {
  readonly state: SearchState;
  readonly response: SearchResponse;
  /** Stands above the results. */
  readonly conversation: ComponentChildren;
  readonly onPick: (state: SearchState) => void;
  readonly onFollow: (followed: Followed) => void;
};

export function Results({ state, response, conversation, onPick, onFollow }: Props) {
  const language = useLanguage();
  const { text } = language;
  const { TotalDocument: total, TypedDocuments, RelatedSearchDocuments: related } = response;
  const pageCount = Math.min(Math.ceil(total / PER_PAGE), PAGE_LIMIT);
  const atPage = (page: number) => ({ ...state, page });
  return (
    <div class="answer">
      <Facets state={state} facets={response.Facets} onPick={onPick} />
      <section class="found" aria-label={text('results.label')}>
        <p class="summary">{summarize(language, state, response)}</p>
        <AnswerNote query={state.query} response={response} />
        <DidYouMean state={state} response={response} onPick={onPick} />
        <Banners banners={response.Banners} onFollow={onFollow} />
        <Quicklinks query={state.query} links={response.Quicklinks} onFollow={onFollow} />
        {total === 0 && (
          <NothingFound hasSelection={countSelected(state) > 0} onClear={() => onPick(askAnew(state, state.query))} />
        )}
        {conversation}
        <ol class="results" start={(state.page - 1) * PER_PAGE + 1}>
          {TypedDocuments.map((hit) => (
            <ResultItem key={hit.Id} hit={hit} onFollow={() => onFollow({ kind: 'hit', hit })} />
          ))}
        </ol>
        <Pagination
          page={state.page}
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
    </div>
  );
}

/** Whoever has found a page full of results meant what was typed; what goes with it stands at the end. */
function DidYouMean({ state, response, onPick }: Omit<Props, 'onFollow' | 'conversation'>) {
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
