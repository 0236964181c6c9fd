import { sql } from 'kysely';
import type { QueryDay, SearchCounterColumns, StatisticsStore } from '../statistics-store.ts';
import type { Device } from '../tracking-store.ts';
import type { SystemConnection } from './connection.ts';
import { systemSql } from './dialects.ts';
import { statement } from './statement.ts';

const SUM_COLUMNS = [
  ...(['searches', 'with_result_count', 'without_results', 'clicked'] as const),
  ...(['clicks', 'ranked_clicks', 'rank_sum'] as const),
];

type Days = { readonly engineId: number; readonly fromDay: number; readonly toDay: number };
type DayKey = Pick<QueryDay, 'day' | 'query'> & { readonly device: string };
type SumRow = { readonly [Column in (typeof SUM_COLUMNS)[number]]: number } & { day: number; device: string };

const statements = {
  searchDays: statement<Days, SumRow & { banner_clicks: number }>((p) =>
    systemSql
      .selectFrom('search_days')
      .select(['day', 'device', 'banner_clicks', ...SUM_COLUMNS])
      .where('engine_id', '=', p.engineId)
      .where('day', '>=', p.fromDay)
      .where('day', '<=', p.toDay)
      .orderBy('day', 'asc')
      .orderBy('device', 'asc'),
  ),
  queryDays: statement<Omit<Days, 'fromDay'> & DayKey & { limit: number }, SumRow & { query: string }>((p) =>
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

export function statisticsStore({ read, write }: SystemConnection): StatisticsStore {
  return {
    listSearchDays: async (days) =>
      read
        .allOf(statements.searchDays, days)
        .map((row) => ({ ...sumsOf(row), ...placeOf(row), bannerClicks: row.banner_clicks })),
    listQueryDays: async ({ engineId, fromDay, toDay, after, limit }) => {
      // No query is empty, so this stands before the first one of the day.
      const { day, query, device } = after ?? { day: fromDay, query: '', device: '' };
      const rows = read.allOf(statements.queryDays, { engineId, toDay, day, query, device, limit });
      return rows.map((row) => ({ ...sumsOf(row), ...placeOf(row), query: row.query }));
    },
    spellingsOf: async (engineId, queries) =>
      queries.map((query) => read.firstOf(statements.spelling, { engineId, query })?.text ?? query),
    dropTracking: (input) => write('dropTracking', input),
  };
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
