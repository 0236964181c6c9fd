import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Followed, SearchClient, TrackingClient } from '../../packages/client/src/index.ts';
import type { CompleteClient } from '../client/complete-client.ts';
import type { WritingClient } from '../client/writing-client.ts';
import type { Language } from '../messages/language.ts';
import { InPageLink } from '../parts/in-page-link.tsx';
import { useLanguage } from '../parts/language.ts';
import { spokenSummary } from './answer-note.tsx';
import { ConversationCard } from './conversation-card.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Brand, usePageLook } from './page-look.tsx';
import { Results } from './results.tsx';
import { SearchBox } from './search-box.tsx';
import { askAnew, parseState, printState, type SearchState } from './search-state.ts';
import { summarize } from './summarize.ts';
import { TypedResults } from './typed-results.tsx';
import { type Asked, type Found, useSearch } from './use-search.ts';
import { useTyping } from './use-typing.ts';

type Props = {
  readonly engineName: string;
  readonly search: SearchClient['search'];
  readonly complete: CompleteClient;
  readonly tracking: TrackingClient;
  readonly answers: WritingClient;
};

export function SearchPage({ engineName, search, complete, tracking, answers }: Props) {
  const language = useLanguage();
  const { asked, ask, retry, keep } = useAsked();
  const { found, isBusy } = useSearch(search, asked);
  const { typing, type, end } = useTyping(complete, (text) => ask({ ...asked.state, query: text, page: 1 }, 'rested'));
  const top = useRef<HTMLElement>(null);
  const isTyping = typing !== undefined && !isFoundAtRest(found, typing.text);
  const isStart = asked.state.query === '' && !isTyping;
  const start = askAnew(asked.state, '');
  useTitle(asked.state.query, engineName);
  useQueryLog(tracking, found);
  const commit = (query: string) => {
    end();
    ask({ ...asked.state, query, page: 1 }, 'committed');
  };
  const pick = (state: SearchState) => {
    end();
    ask(state, 'committed');
    if (state.page === asked.state.page && state.query === asked.state.query) return;
    window.scrollTo({ top: 0 });
    top.current?.focus();
  };
  const follow = ({ asked: { state }, response }: Found, followed: Followed) => {
    if (response === undefined) return;
    keep(state);
    tracking.logClick(state.query, response, followed);
  };
  return (
    <div class={isStart ? 'site start' : 'site'}>
      <header>
        <h1>
          <InPageLink href={printState(start)} onPick={() => pick(start)}>
            <Brand engineName={engineName} />
          </InPageLink>
        </h1>
        <SearchBox
          query={asked.state.query}
          typing={typing}
          onType={(text) => (text.trim() === '' ? pick(start) : type(text))}
          onCommit={commit}
        />
      </header>
      <p class="unseen" role="status">
        {!isTyping && found && announcement(language, found)}
      </p>
      <main ref={top} tabIndex={-1} aria-busy={isBusy && !isTyping}>
        {isStart && <Start onBrowse={() => pick(askAnew(asked.state, '*'))} />}
        {isTyping && (
          <TypedResults
            text={typing.text}
            completions={typing.completions}
            onSearch={() => commit(typing.text.trim())}
            onFollow={(completions, position) => {
              keep({ ...asked.state, query: completions.query, page: 1 });
              tracking.logCompletedClick(completions, position);
            }}
          />
        )}
        {!isStart && !isTyping && (
          <FoundResults
            found={found}
            answers={answers}
            onRetry={retry}
            onPick={pick}
            onFollow={(followed) => found && follow(found, followed)}
          />
        )}
      </main>
    </div>
  );
}

type FoundResultsProps = {
  readonly found: Found | undefined;
  readonly answers: WritingClient;
  readonly onRetry: () => void;
  readonly onPick: (state: SearchState) => void;
  readonly onFollow: (followed: Followed) => void;
};

function FoundResults({ found, answers, onRetry, onPick, onFollow }: FoundResultsProps) {
  const { text } = useLanguage();
  if (found?.error) return <ErrorNotice error={found.error} onRetry={onRetry} />;
  if (found?.response === undefined) return <p class="hint">{text('page.searching')}</p>;
  const { asked, response } = found;
  const { state } = asked;
  const conversation = mayBeAnswered(found) && (
    <ConversationCard key={state.query} client={answers} query={state.query} response={response} />
  );
  return <Results state={state} response={response} conversation={conversation} onPick={onPick} onFollow={onFollow} />;
}

/** What was left standing was searched, and says more than the best documents do: its hits, or why there is no answer. */
function isFoundAtRest(found: Found | undefined, text: string): boolean {
  if (found?.asked.how !== 'rested' || found.asked.state.query !== text.trim()) return false;
  return found.error !== undefined || (found.response?.TotalDocument ?? 0) > 0;
}

/** What a screen reader says of a search; nothing of one that nobody has asked for. */
function announcement(language: Language, { asked, response }: Found): string {
  if (response === undefined || asked.how === 'rested') return '';
  return spokenSummary(language, summarize(language, asked.state, response), response);
}

function Start({ onBrowse }: { readonly onBrowse: () => void }) {
  const { text, nodes } = useLanguage();
  const { hint } = usePageLook();
  const browse = (
    <button type="button" class="link" onClick={onBrowse}>
      {text('page.browse')}
    </button>
  );
  return <p class="hint">{hint ?? nodes('page.hint', { browse })}</p>;
}

/** Answers stand above the first results of a search that is not being typed any more. Contract: 2.6. */
function mayBeAnswered({ asked, response }: Found): boolean {
  return asked.how !== 'rested' && asked.state.page === 1 && response?.GenerativeAnswerAvailable === true;
}

/** What is asked at the moment; committed questions enter the browser's history, others when they are kept. */
function useAsked() {
  const [asked, setAsked] = useState<Asked>(() => ({
    state: parseState(location.search),
    how: isNewVisit() ? 'committed' : 'restored',
    attempt: 0,
  }));
  useEffect(() => {
    const restore = () => setAsked({ state: parseState(location.search), how: 'restored', attempt: 0 });
    window.addEventListener('popstate', restore);
    return () => window.removeEventListener('popstate', restore);
  }, []);
  const keep = useCallback((state: SearchState) => {
    const address = printState(state);
    if (address !== (location.search || '?')) history.pushState(null, '', address);
  }, []);
  const ask = useCallback(
    (state: SearchState, how: Asked['how']) => {
      if (how === 'committed') keep(state);
      setAsked({ state, how, attempt: 0 });
    },
    [keep],
  );
  const retry = useCallback(() => setAsked((last) => ({ ...last, attempt: last.attempt + 1 })), []);
  return { asked, ask, retry, keep };
}

/** False when the browser brought the page back: reloaded, or from its history. */
function isNewVisit(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return !(entry instanceof PerformanceNavigationTiming) || entry.type === 'navigate';
}

/** Committed queries are logged when their first page arrives. */
function useQueryLog(tracking: TrackingClient, found: Found | undefined) {
  useEffect(() => {
    if (found?.response === undefined || found.asked.how !== 'committed') return;
    tracking.logQuery(found.asked.state.query, found.response);
  }, [tracking, found]);
}

function useTitle(query: string, engineName: string) {
  const { text } = useLanguage();
  const { title } = usePageLook();
  useEffect(() => {
    const isAsked = query !== '' && query !== '*';
    if (title !== null) document.title = isAsked ? `${query} – ${title}` : title;
    else document.title = text(isAsked ? 'page.titleOfQuery' : 'page.title', { name: engineName, query }).trim();
  }, [text, title, query, engineName]);
}
