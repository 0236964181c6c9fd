import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { FossickError, type SearchClient, type SearchResponse } from '../../packages/client/src/index.ts';
import { searchRequest } from './search-request.ts';
import type { SearchState } from './search-state.ts';

/**
 * `rested`: asked for a text that was left standing in the box, its last word as a beginning. `restored`: asked before,
 * and back with the page or the history. `attempt` grows with every repetition of the same request.
 */
export type Asked = {
  readonly state: SearchState;
  readonly how: 'rested' | 'committed' | 'restored';
  readonly attempt: number;
};

/** Neither an answer nor an error: the visitor did not wait. */
export type Found = { readonly asked: Asked; readonly response?: SearchResponse; readonly error?: FossickError };

/** Waits after which the page says that it waits, and that it waits long. */
const WAITING_MS = 2_000;
const SLOW_MS = 10_000;
export type Wait = 'none' | 'short' | 'noticed' | 'slow';

export type Searching = {
  readonly found: Found | undefined;
  readonly wait: Wait;
  readonly cancel: () => void;
};

/** The last answer, and how long a newer one has been on its way. A new question aborts the one before. */
export function useSearch(search: SearchClient['search'], asked: Asked): Searching {
  const [found, setFound] = useState<Found>();
  const abort = useRef<AbortController>(undefined);
  /** The engine has refused fields that nobody chose. */
  const isPlain = useRef(false);
  const { state, how } = asked;
  const isBusy = state.query !== '' && found?.asked !== asked;
  useEffect(() => {
    if (state.query === '') {
      setFound(undefined);
      return;
    }
    const own = new AbortController();
    abort.current = own;
    const ask = () =>
      search(searchRequest(state, { isRested: how === 'rested', now: Date.now(), isPlain: isPlain.current }), {
        signal: own.signal,
      });
    const askAgain = (cause: unknown) => {
      if (isPlain.current || !(cause instanceof FossickError && cause.status === 400)) throw cause;
      isPlain.current = true;
      return ask();
    };
    ask()
      .catch(askAgain)
      .then(
        (response) => !own.signal.aborted && setFound({ asked, response }),
        (cause: unknown) => !own.signal.aborted && setFound({ asked, error: toFossickError(cause) }),
      );
    return () => own.abort();
  }, [search, asked, state, how]);
  const cancel = useCallback(() => {
    abort.current?.abort();
    setFound({ asked });
  }, [asked]);
  return { found, wait: useWait(isBusy ? asked : undefined), cancel };
}

/** How long `what` has been waited for; undefined = nothing is. */
function useWait(what: Asked | undefined): Wait {
  const [wait, setWait] = useState<Wait>('short');
  useEffect(() => {
    setWait('short');
    if (what === undefined) return;
    const timers = [setTimeout(setWait, WAITING_MS, 'noticed'), setTimeout(setWait, SLOW_MS, 'slow')];
    return () => timers.forEach(clearTimeout);
  }, [what]);
  return what === undefined ? 'none' : wait;
}

function toFossickError(cause: unknown): FossickError {
  return cause instanceof FossickError
    ? cause
    : new FossickError('The answer could not be read', { status: 0, errorCode: 'answer.foreign' });
}
