import { useEffect, useState } from 'preact/hooks';
import { FossickError, type SearchClient, type SearchResponse } from '../../packages/client/src/index.ts';
import type { SearchState } from './search-state.ts';

export const PER_PAGE = 10;

/**
 * `rested`: asked for a text that was left standing in the box, its last word as a beginning. `restored`: asked before,
 * and back with the page or the history. `attempt` grows with every repetition of the same request.
 */
export type Asked = {
  readonly state: SearchState;
  readonly how: 'rested' | 'committed' | 'restored';
  readonly attempt: number;
};

export type Found = { readonly asked: Asked; readonly response?: SearchResponse; readonly error?: FossickError };

/** Facets that are asked for beside the configured ones; those without a choice are not shown. */
const COUNTED = { Language: [], _type: [] };

/** The last answer and whether a newer one is on its way. A new question aborts the one before. */
export function useSearch(search: SearchClient['search'], asked: Asked): { found: Found | undefined; isBusy: boolean } {
  const [found, setFound] = useState<Found>();
  const { state, how } = asked;
  useEffect(() => {
    if (state.query === '') {
      setFound(undefined);
      return;
    }
    const abort = new AbortController();
    const request = {
      query: how === 'rested' ? withOpenEnd(state.query) : state.query,
      page: state.page,
      perPage: PER_PAGE,
      highlight: true,
      enableRelatedSearches: true,
      facets: { ...COUNTED, ...state.selected },
    };
    search(request, { signal: abort.signal }).then(
      (response) => !abort.signal.aborted && setFound({ asked, response }),
      (cause: unknown) => !abort.signal.aborted && setFound({ asked, error: toFossickError(cause) }),
    );
    return () => abort.abort();
  }, [search, asked, state, how]);
  return { found, isBusy: state.query !== '' && found?.asked !== asked };
}

/** The last word is a beginning, unless it is a short one, or something else than words stands there. Contract: 2.2. */
function withOpenEnd(query: string): string {
  return /^[^"*?~^:()]*[\p{L}\p{N}]{2}$/u.test(query) ? `${query}*` : query;
}

function toFossickError(cause: unknown): FossickError {
  return cause instanceof FossickError
    ? cause
    : new FossickError('The answer could not be read', { status: 0, errorCode: 'answer.foreign' });
}
