import type { Completed, SearchClient } from '../../packages/client/src/index.ts';

/** Completions of what was typed when they were asked for; documents come with plain values, without marks. */
export type Completions = Completed & {
  /** Texts that it may become, best first. */
  readonly texts: readonly string[];
};

/** Rejects with the signal's reason on an abort; whatever else fails gives nothing to offer. */
export type CompleteClient = (query: string, signal: AbortSignal) => Promise<Completions>;

/** Completions and documents shown at once, each. */
const RESULTS = 8;

export function createCompleteClient({ autocomplete }: Pick<SearchClient, 'autocomplete'>): CompleteClient {
  return async (query, signal) => {
    try {
      const { suggestions, results, queryId } = await autocomplete({ query, results: RESULTS }, { signal });
      return { query, texts: suggestions, documents: results, queryId };
    } catch (error) {
      if (signal.aborted) throw error;
      return { query, texts: [], documents: [], queryId: '' };
    }
  };
}
