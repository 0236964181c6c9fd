import type { Device } from './tracking-store.ts';

/** Sums over searches that count. */
export type SearchCounterColumns = {
  readonly searches: number;
  /** Searches whose page stated how many results it showed. */
  readonly withResultCount: number;
  /** Those of them that showed none. */
  readonly withoutResults: number;
  /** Searches with at least one click on a result. */
  readonly clicked: number;
  /** Clicks on results. */
  readonly clicks: number;
  /** Those of them that stated their rank. */
  readonly rankedClicks: number;
  readonly rankSum: number;
};

/** `day` counts days since 1970 in UTC. */
export type SearchDay = SearchCounterColumns & {
  readonly day: number;
  readonly device: Device;
  readonly bannerClicks: number;
};

/** `query` in normal form (`core/normal-query.ts`). */
export type QueryDay = SearchCounterColumns & { readonly day: number; readonly query: string; readonly device: Device };

type Days = { readonly engineId: number; readonly fromDay: number; readonly toDay: number };

/**
 * Part of the port `SystemStore`: what the logs of an engine add up to. Promises:
 * - a search counts on the day and device of its event, a click on those of its search, whichever came first; a click
 *   on a search that was not logged, or does not count, is in no sum; a search logged again under its query id is one;
 * - both lists are of the days from `fromDay` to `toDay`, in order of day (then query) and device; they are indexed
 *   reads of what they return. `listQueryDays` goes on behind `after`;
 * - `spellingsOf` gives the most frequent spelling of each query, and the query itself for one that is not known;
 * - `dropTracking` drops what is older than `before`: at most `limit` rows of each log with what they added to popular
 *   queries, pairs last seen and sums of days that ended before. It resolves with true while there is more.
 */
export interface StatisticsStore {
  listSearchDays(input: Days): Promise<readonly SearchDay[]>;
  listQueryDays(
    input: Days & { readonly after?: Pick<QueryDay, 'day' | 'query' | 'device'> | undefined; readonly limit: number },
  ): Promise<readonly QueryDay[]>;
  spellingsOf(engineId: number, queries: readonly string[]): Promise<readonly string[]>;
  dropTracking(input: { readonly engineId: number; readonly before: number; readonly limit: number }): Promise<boolean>;
}
