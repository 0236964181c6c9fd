import { useErrorBoundary } from 'preact/hooks';
import {
  type EngineConnection,
  type Followed,
  FossickError,
  type SearchClient,
  type SearchResponse,
  type TrackingClient,
} from '../../packages/client/src/index.ts';
import { useLanguage } from '../parts/language.ts';
import { contextOf } from '../parts/result-context.ts';
import { ResultItem } from '../parts/result-item.tsx';
import { Banners, Quicklinks } from '../search/editor-cards.tsx';
import { ErrorNotice, Notice } from '../search/error-notice.tsx';
import { NothingFound } from '../search/nothing-found.tsx';
import { announcement, SearchNotes, summarize } from '../search/search-notes.tsx';
import { PER_PAGE } from '../search/search-request.ts';
import { TypedResults } from '../search/typed-results.tsx';
import { AnswerSlot } from './answer-slot.tsx';
import type { ChunkLoader } from './chunks.ts';
import { Glass } from './search-form.tsx';
import { isTyping, type WidgetSearch } from './use-widget-search.ts';

export type PanelProps = {
  readonly model: WidgetSearch;
  readonly tracking: TrackingClient;
  readonly engine: EngineConnection;
  readonly search: SearchClient['search'];
  readonly loader: ChunkLoader;
  readonly hasAnswers: boolean;
};

/** Whether there is anything below the box. */
export function isEmpty({ typing, asked }: WidgetSearch): boolean {
  return typing === undefined && asked.state.query === '';
}

/** What stands below the box: what is offered while somebody types, or what was found. */
export function Panel(props: PanelProps) {
  const { model } = props;
  const language = useLanguage();
  // Whatever an answer holds that nobody expects, the page around goes on.
  const [fault, forget] = useErrorBoundary();
  const retry = () => {
    forget();
    model.retry();
  };
  if (fault !== undefined) return <ErrorNotice error={UNREADABLE} onRetry={retry} />;
  const shown = isTyping(model) ? 'typing' : 'found';
  return (
    <>
      <p class="unseen" role="status">
        {shown === 'found' && model.found && announcement(language, model.found)}
      </p>
      {isEmpty(model) ? null : shown === 'typing' ? <Offered {...props} /> : <Found {...props} />}
    </>
  );
}

const UNREADABLE = new FossickError('The answer could not be read', { status: 500, errorCode: 'answer.foreign' });

function Offered({ model, tracking }: PanelProps) {
  const { typing, commit } = model;
  if (typing === undefined) return null;
  const typed = typing.text.trim().toLowerCase();
  const texts = (typing.completions?.texts ?? []).filter((text) => text.toLowerCase() !== typed);
  return (
    <>
      <Queries queries={texts} onPick={commit} />
      <TypedResults
        text={typing.text}
        completions={typing.completions}
        onSearch={() => commit()}
        onFollow={(completions, position) => tracking.logCompletedClick(completions, position)}
      />
    </>
  );
}

type QueriesProps = {
  readonly queries: readonly string[];
  readonly label?: string;
  readonly onPick: (query: string) => void;
};

/** Other queries, each a row that searches. */
function Queries({ queries, label, onPick }: QueriesProps) {
  const { text } = useLanguage();
  if (queries.length === 0) return null;
  return (
    <section class="queries" aria-label={label ?? text('box.completions')}>
      {label && <h2>{label}</h2>}
      <ul>
        {queries.map((query) => (
          <li key={query}>
            <button type="button" class="row" dir="auto" onClick={() => onPick(query)}>
              <Glass />
              {query}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Found({ model, ...props }: PanelProps) {
  const { text } = useLanguage();
  const { found } = model;
  if (found?.response !== undefined) return <FoundResults {...props} model={model} response={found.response} />;
  if (model.wait !== 'none') return <Waiting model={model} />;
  if (found?.error) return <ErrorNotice error={found.error} onRetry={model.retry} />;
  return <Notice message={text('page.cancelled')} onRetry={model.retry} />;
}

function Waiting({ model }: Pick<PanelProps, 'model'>) {
  const { text } = useLanguage();
  if (model.wait !== 'slow') return <p class="hint">{text('page.searching')}</p>;
  return (
    <p class="hint">
      {text('page.slow')}{' '}
      <button type="button" class="link" onClick={model.cancel}>
        {text('page.cancel')}
      </button>
    </p>
  );
}

function FoundResults({
  model,
  response,
  tracking,
  engine,
  search,
  loader,
  hasAnswers,
}: PanelProps & { readonly response: SearchResponse }) {
  const language = useLanguage();
  const { text } = language;
  const { state, how } = model.found?.asked ?? model.asked;
  const follow = (followed: Followed) => tracking.logClick(state.query, response, followed);
  const mayBeAnswered = hasAnswers && how !== 'rested' && state.page === 1 && response.GenerativeAnswerAvailable;
  const context = contextOf(response.TypedDocuments);
  const suggestions = response.TotalDocument < PER_PAGE ? response.Suggestions : [];
  return (
    <section class="found" aria-label={text('results.label')} aria-busy={model.wait !== 'none'}>
      <p class="summary">{summarize(language, state, response)}</p>
      <SearchNotes query={state.query} response={response} />
      <Banners banners={response.Banners} onFollow={follow} />
      <Quicklinks query={state.query} links={response.Quicklinks} onFollow={follow} />
      {mayBeAnswered && (
        <AnswerSlot engine={engine} search={search} query={state.query} response={response} loader={loader} />
      )}
      {response.TotalDocument === 0 && <NothingFound hasSelection={false} onClear={model.retry} />}
      <Queries queries={suggestions} label={text('results.didYouMean')} onPick={model.commit} />
      <ol class="results" start={(state.page - 1) * PER_PAGE + 1}>
        {response.TypedDocuments.map((hit) => (
          <ResultItem key={hit.Id} hit={hit} context={context} onFollow={() => follow({ kind: 'hit', hit })} />
        ))}
      </ol>
      <Pages page={state.page} total={response.TotalDocument} onTurn={model.turnTo} />
      <Queries queries={response.RelatedSearchDocuments} label={text('results.related')} onPick={model.commit} />
    </section>
  );
}

/** The service answers no page behind the first 10,000 results. Contract: 1.9. */
const LAST_RESULT = 10_000;

type PagesProps = { readonly page: number; readonly total: number; readonly onTurn: (page: number) => void };

/** Steps only: whoever goes further asks anew. */
function Pages({ page, total, onTurn }: PagesProps) {
  const { text } = useLanguage();
  const last = Math.ceil(Math.min(total, LAST_RESULT) / PER_PAGE);
  if (last < 2) return null;
  return (
    <nav class="steps" aria-label={text('pages.label')}>
      <button type="button" disabled={page <= 1} onClick={() => onTurn(page - 1)}>
        {text('pages.previous')}
      </button>
      <button type="button" disabled={page >= last} onClick={() => onTurn(page + 1)}>
        {text('pages.next')}
      </button>
    </nav>
  );
}
