/** A query that visitors committed, in all its spellings. */
export type PopularQuery = {
  /** Normal form (`core/normal-query.ts`), unique in its engine. */
  readonly query: string;
  /** The most frequent spelling. */
  readonly text: string;
  /** Events of the log that count. */
  readonly count: number;
  readonly lastAt: number;
  /** Results of this very text as the newest event stated that stated any; undefined = unknown. */
  readonly resultCount: number | undefined;
};

/** Two different queries of one query session (`qsid`). */
export type QueryPair = {
  readonly other: string;
  /** Query sessions that held both. */
  readonly count: number;
};

/** Nobody gets more of them at once. */
export const MAX_POPULAR_QUERIES = 50_000;

/**
 * Part of the port `SystemStore`: the committed queries of an engine's log. Promises:
 * - queries of SAYT, internal searches and autocomplete are not among them, nor is the one that means everything;
 * - `listPopularQueries` gives those of at least `minCount`, most frequent first, at most `limit` and never more than
 *   50,000; it reads a table that every logged query keeps up, in steps that leave the event loop free in between;
 * - `listQueryPairs` gives what was logged under one query session with this query, most frequent first; one indexed
 *   read;
 * - both know a query as soon as its event is stored, and forget it when the last of its events is dropped.
 */
export interface PopularQueryStore {
  listPopularQueries(input: {
    readonly engineId: number;
    readonly minCount: number;
    readonly limit: number;
  }): Promise<readonly PopularQuery[]>;
  /** `query` in normal form. */
  listQueryPairs(input: {
    readonly engineId: number;
    readonly query: string;
    readonly limit: number;
  }): Promise<readonly QueryPair[]>;
}
