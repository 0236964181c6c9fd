import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { CompleteClient } from '../client/complete-client.ts';
import type { SearchClient } from '../client/search-client.ts';
import type { TrackingClient } from '../client/tracking-client.ts';
import { ErrorNotice } from './error-notice.tsx';
import { Results } from './results.tsx';
import { SearchBox } from './search-box.tsx';
import { EMPTY_STATE, parseState, printState, type SearchState } from './search-state.ts';
import { type Asked, type Found, useSearch } from './use-search.ts';

type Props = {
  readonly engineName: string;
  readonly search: SearchClient;
  readonly complete: CompleteClient;
  readonly tracking: TrackingClient;
};

export function SearchPage({ engineName, search, complete, tracking }: Props) {
  const { asked, ask, retry } = useAsked();
  const { found, isBusy } = useSearch(search, asked);
  const top = useRef<HTMLElement>(null);
  const isStart = asked.state.query === '';
  useTitle(asked.state.query, engineName);
  useQueryLog(tracking, found);
  const pick = (state: SearchState) => {
    ask(state, 'committed');
    if (state.page === asked.state.page) return;
    window.scrollTo({ top: 0 });
    top.current?.focus();
  };
  return (
    <div class={isStart ? 'site start' : 'site'}>
      <header>
        <h1>
          <a
            href={printState(EMPTY_STATE)}
            onClick={(event) => {
              event.preventDefault();
              ask(EMPTY_STATE, 'committed');
            }}
          >
            <Logo />
            <span>{engineName || 'Search'}</span>
          </a>
        </h1>
        <SearchBox
          query={asked.state.query}
          complete={complete}
          onAsk={(query, how) => ask({ ...asked.state, query, page: 1 }, how)}
        />
      </header>
      <main ref={top} tabIndex={-1} aria-busy={isBusy}>
        {isStart && <Start onBrowse={() => ask({ ...EMPTY_STATE, query: '*' }, 'committed')} />}
        {!isStart && found?.error && <ErrorNotice error={found.error} onRetry={retry} />}
        {!isStart && found?.response && (
          <Results
            state={found.asked.state}
            response={found.response}
            onPick={pick}
            onFollow={(hit) => found.response && tracking.logClick(found.asked.state.query, found.response, hit)}
          />
        )}
        {!isStart && !found && <p class="hint">Searching …</p>}
      </main>
    </div>
  );
}

function Start({ onBrowse }: { readonly onBrowse: () => void }) {
  return (
    <p class="hint">
      Results appear as you type. Put a phrase in “quotes”, leave out a word with a minus, or{' '}
      <button type="button" class="link" onClick={onBrowse}>
        browse everything
      </button>
      .
    </p>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect class="tile" width="32" height="32" rx="8" />
      <circle class="line" cx="14" cy="14" r="7" />
      <path class="line" d="m19.5 19.5 6 6" />
    </svg>
  );
}

/** What is asked at the moment; committed questions enter the browser's history, typed ones do not. */
function useAsked() {
  const [asked, setAsked] = useState<Asked>(() => ({
    state: parseState(location.search),
    how: 'committed',
    attempt: 0,
  }));
  useEffect(() => {
    const restore = () => setAsked({ state: parseState(location.search), how: 'committed', attempt: 0 });
    window.addEventListener('popstate', restore);
    return () => window.removeEventListener('popstate', restore);
  }, []);
  const ask = useCallback((state: SearchState, how: Asked['how']) => {
    const address = printState(state);
    if (how === 'committed' && address !== (location.search || '?')) history.pushState(null, '', address);
    setAsked({ state, how, attempt: 0 });
  }, []);
  const retry = useCallback(() => setAsked((last) => ({ ...last, attempt: last.attempt + 1 })), []);
  return { asked, ask, retry };
}

/** Committed queries are logged once, when their first page arrives. */
function useQueryLog(tracking: TrackingClient, found: Found | undefined) {
  const logged = useRef('');
  useEffect(() => {
    if (found?.response === undefined || found.asked.how === 'typed') return;
    const { query } = found.asked.state;
    if (query === logged.current || query === '*') return;
    logged.current = query;
    tracking.logQuery(query, found.response);
  }, [tracking, found]);
}

function useTitle(query: string, engineName: string) {
  useEffect(() => {
    const page = `Search ${engineName}`.trim();
    document.title = query === '' || query === '*' ? page : `${query} – ${page}`;
  }, [query, engineName]);
}
