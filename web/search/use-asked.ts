import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { changeEntry, type EntryMemory, readEntry } from './history-entry.ts';
import { parseState, printState, type SearchState } from './search-state.ts';
import type { Asked, Found } from './use-search.ts';

/** Longer texts do not fit every address: the entry of the history has them whole. */
const MOST_ADDRESS_CHARS = 1_000;
/** Pause after which a scroll has ended. */
const SCROLL_END_MS = 100;

/** What is asked at the moment; committed questions enter the browser's history, others when they are kept. */
export function useAsked() {
  const [asked, setAsked] = useState<Asked>(() => ({
    state: readState(),
    how: isNewVisit() ? 'committed' : 'restored',
    attempt: 0,
  }));
  useEffect(() => {
    const restore = () => setAsked({ state: readState(), how: 'restored', attempt: 0 });
    window.addEventListener('popstate', restore);
    return () => window.removeEventListener('popstate', restore);
  }, []);
  const keep = useCallback((state: SearchState) => {
    const address = addressOf(state);
    const present = readState();
    // The same address may be written in several ways.
    if (address === addressOf(present)) return;
    // What was said about a query stays said when its results are narrowed.
    const isSame = present.query === state.query;
    const kept: EntryMemory = {
      ...(isSame && { exchanges: readEntry().exchanges ?? [] }),
      ...(state.query.length > MOST_ADDRESS_CHARS && { query: state.query }),
    };
    history.pushState(kept, '', address);
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

/** Keeps the scroll place per entry of the history, and goes back to it when its results are shown again. */
export function useScrollPlace(found: Found | undefined, ready: Promise<unknown>): void {
  const wanted = useRef<number | undefined>(isNewVisit() ? undefined : readEntry().scroll);
  useEffect(() => {
    // By itself the browser scrolls before the results are there.
    history.scrollRestoration = 'manual';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = () => wanted.current === undefined && changeEntry({ scroll: window.scrollY });
    const scrolled = () => {
      clearTimeout(timer);
      timer = setTimeout(save, SCROLL_END_MS);
    };
    const left = () => {
      clearTimeout(timer);
      wanted.current = readEntry().scroll ?? 0;
    };
    window.addEventListener('scroll', scrolled, { passive: true });
    window.addEventListener('pagehide', save);
    window.addEventListener('popstate', left);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', scrolled);
      window.removeEventListener('pagehide', save);
      window.removeEventListener('popstate', left);
    };
  }, []);
  useEffect(() => {
    if (found === undefined) return;
    const { how } = found.asked;
    void ready.then(() =>
      requestAnimationFrame(() => {
        if (how === 'restored' && wanted.current !== undefined) window.scrollTo(0, wanted.current);
        wanted.current = undefined;
      }),
    );
  }, [found, ready]);
}

function readState(): SearchState {
  const state = parseState(location.search);
  const { query } = readEntry();
  return query?.startsWith(state.query) === true ? { ...state, query } : state;
}

function addressOf(state: SearchState): string {
  return printState({ ...state, query: state.query.slice(0, MOST_ADDRESS_CHARS) });
}

/** False when the browser brought the page back: reloaded, or from its history. */
function isNewVisit(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return !(entry instanceof PerformanceNavigationTiming) || entry.type === 'navigate';
}
