import type { Clock } from '../core/clock.ts';
import { loggedInstead } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import { MAX_POPULAR_QUERIES, type PopularQuery, type PopularQueryStore } from '../storage/popular-query-store.ts';

export type PopularQueriesDeps = {
  readonly store: Pick<PopularQueryStore, 'listPopularQueries'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Queries logged less often may hold what only one visitor knows. cfg `RELATED_MIN_COUNT`. */
  readonly minCount: number;
  /** How old a list may get before the next one is read; stock value `POPULAR_QUERIES_AGE_MS`. */
  readonly maxAgeMs: number;
};

/** What visitors of an engine search for, most frequent first. The same list until it is read anew. */
export type PopularQueries = (engineId: number) => Promise<readonly PopularQuery[]>;

/** Search-engine design 14.4. */
export const POPULAR_QUERIES_AGE_MS = 60_000;
/** Lists kept; of another engine the one that was read first goes. */
const CACHED_ENGINES = 200;

const OLD_LIST = 'popular queries could not be read: the list before stays';

/** A short list costs next to nothing to read: the first queries of a new engine count at once. */
const SHORT_LIST = 200;
const SHORT_LIST_AGE_MS = 200;

type CachedQueries = { readonly queries: Promise<readonly PopularQuery[]>; readAt: number; isShort: boolean };

/**
 * Committed queries of every engine in memory, at most 50,000 each. The first caller waits; later ones get the present
 * list while an aged one is read anew, or wait for it when it is short.
 */
export function createPopularQueries({ store, clock, log, minCount, maxAgeMs }: PopularQueriesDeps): PopularQueries {
  const kept = new Map<number, CachedQueries>();
  const read = async (engineId: number) => {
    const queries = store.listPopularQueries({ engineId, minCount, limit: MAX_POPULAR_QUERIES });
    const entry = { queries, readAt: clock.now(), isShort: false };
    if (!kept.has(engineId)) keep(kept, engineId, entry);
    // An error is the caller's; the list before stays, and the next caller tries again.
    const list = await queries.catch((error: unknown) => {
      if (kept.get(engineId) === entry) kept.delete(engineId);
      throw error;
    });
    entry.isShort = list.length <= SHORT_LIST;
    keep(kept, engineId, entry);
    return queries;
  };
  return async (engineId) => {
    const known = kept.get(engineId);
    if (known === undefined || maxAgeMs === 0) return read(engineId);
    const ageMs = clock.now() - known.readAt;
    if (known.isShort && ageMs >= SHORT_LIST_AGE_MS)
      return read(engineId).catch(loggedInstead(log, OLD_LIST, known.queries));
    if (ageMs >= maxAgeMs) {
      known.readAt = clock.now();
      read(engineId).catch(loggedInstead(log, OLD_LIST, undefined));
    }
    return known.queries;
  };
}

function keep(kept: Map<number, CachedQueries>, engineId: number, entry: CachedQueries): void {
  kept.delete(engineId);
  kept.set(engineId, entry);
  const [oldest] = kept.keys();
  if (kept.size > CACHED_ENGINES && oldest !== undefined) kept.delete(oldest);
}
