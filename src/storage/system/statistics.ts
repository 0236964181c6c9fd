import { sql } from 'kysely';
import { defineStore, fetchAll, fetchFirst, mapSeries } from '../sql/operation.ts';
import { statement, systemSql } from '../sql/statement.ts';
import { dropTracking } from './drop-tracking.ts';
import type { Device } from './tracking.ts';

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

const SUM_COLUMNS = [
  ...(['searches', 'with_result_count', 'without_results', 'clicked'] as const),
  ...(['clicks', 'ranked_clicks', 'rank_sum'] as const),
];

type DayRange = { readonly engineId: number; readonly fromDay: number; readonly toDay: number };
type DayKey = Pick<QueryDay, 'day' | 'query'> & { readonly device: string };
type SumRow = { readonly [Column in (typeof SUM_COLUMNS)[number]]: number } & { day: number; device: string };

const statisticsStatements = {
  searchDays: statement<DayRange, SumRow & { banner_clicks: number }>((p) =>
    systemSql
      .selectFrom('search_days')
      .select(['day', 'device', 'banner_clicks', ...SUM_COLUMNS])
      .where('engine_id', '=', p.engineId)
      .where('day', '>=', p.fromDay)
      .where('day', '<=', p.toDay)
      .orderBy('day', 'asc')
      .orderBy('device', 'asc'),
  ),
  queryDays: statement<Omit<DayRange, 'fromDay'> & DayKey & { limit: number }, SumRow & { query: string }>((p) =>
    systemSql
      .selectFrom('query_days')
      .select(['day', 'query', 'device', ...SUM_COLUMNS])
      .where('engine_id', '=', p.engineId)
      .where('day', '<=', p.toDay)
      .where(sql<boolean>`(day, query, device) > (${p.day}, ${p.query}, ${p.device})`)
      .orderBy('day', 'asc')
      .orderBy('query', 'asc')
      .orderBy('device', 'asc')
      .limit(p.limit),
  ),
  spelling: statement<{ engineId: number; query: string }, { text: string }>((p) =>
    systemSql
      .selectFrom('popular_queries')
      .select('text')
      .where('engine_id', '=', p.engineId)
      .where('query', '=', p.query),
  ),
};

export const statisticsStore = defineStore<StatisticsStore>()(
  {
    *listSearchDays(days) {
      return (yield* fetchAll(statisticsStatements.searchDays, days)).map((row) => ({
        ...sumsOf(row),
        ...placeOf(row),
        bannerClicks: row.banner_clicks,
      }));
    },
    *listQueryDays({ engineId, fromDay, toDay, after, limit }) {
      // No query is empty, so this stands before the first one of the day.
      const { day, query, device } = after ?? { day: fromDay, query: '', device: '' };
      const rows = yield* fetchAll(statisticsStatements.queryDays, { engineId, toDay, day, query, device, limit });
      return rows.map(queryDayOf);
    },
    spellingsOf: (engineId, queries) =>
      mapSeries(queries, function* (query) {
        return (yield* fetchFirst(statisticsStatements.spelling, { engineId, query }))?.text ?? query;
      }),
  },
  {
    dropTracking,
  },
);

export type QueryDayRow = SumRow & { query: string };

export function queryDayOf(row: QueryDayRow): QueryDay {
  return { ...sumsOf(row), ...placeOf(row), query: row.query };
}

function placeOf({ day, device }: SumRow) {
  return { day, device: device as Device };
}

function sumsOf(row: SumRow): SearchCounterColumns {
  return {
    searches: row.searches,
    withResultCount: row.with_result_count,
    withoutResults: row.without_results,
    clicked: row.clicked,
    clicks: row.clicks,
    rankedClicks: row.ranked_clicks,
    rankSum: row.rank_sum,
  };
}
