import { sql } from 'kysely';
import type {
  ContentGapStore,
  Device,
  GapQuestion,
  GapSignal,
  QueryDay,
  SearchCounterColumns,
  StatisticsStore,
} from '../../system-store.ts';
import { defineStore, fetchAll, fetchFirst, mapSeries } from '../operation.ts';
import { statement, systemSql } from '../statement.ts';
import { dropTracking } from './drop-tracking.ts';

type Range = Parameters<ContentGapStore['listGapQuestions']>[0];
type AnswerRow = {
  question: string;
  rewritten: string | null;
  language: string;
  reason: string | null;
  at: number;
  conversation_id: string;
  extra: string;
  could_answer: number;
  degraded: number;
  rating: string | null;
};
type SearchRow = { text: string; at: number; session_id: string | null; query_id: string };

const contentGapStatements = {
  answers: statement<Range, AnswerRow>((p) =>
    systemSql
      .selectFrom('exchanges')
      .leftJoin('feedback', (join) =>
        join
          .onRef('feedback.engine_id', '=', 'exchanges.engine_id')
          .onRef('feedback.key', '=', 'exchanges.id')
          .on('feedback.kind', '=', 'answer'),
      )
      .select(['exchanges.question', 'exchanges.rewritten', 'exchanges.language', 'exchanges.reason', 'exchanges.at'])
      .select(['exchanges.conversation_id', 'exchanges.extra', 'exchanges.could_answer', 'exchanges.degraded'])
      .select('feedback.rating')
      .where('exchanges.engine_id', '=', p.engineId)
      .where('exchanges.kind', '=', 'answer')
      .where('exchanges.at', '>=', p.from)
      .where('exchanges.at', '<', p.to)
      .where(
        sql<boolean>`(exchanges.could_answer = 0 OR exchanges.degraded = 1 OR feedback.rating = 'negative'
          OR (feedback.rating IS NULL AND NOT EXISTS (SELECT 1 FROM answer_clicks
            WHERE answer_clicks.engine_id = exchanges.engine_id AND answer_clicks.exchange_id = exchanges.id)))`,
      )
      .orderBy('exchanges.at', 'desc')
      .limit(p.limit),
  ),
  searches: statement<Range, SearchRow>((p) =>
    systemSql
      .selectFrom('query_events')
      .select(['text', 'at', 'session_id', 'query_id'])
      .where('engine_id', '=', p.engineId)
      .where('at', '>=', p.from)
      .where('at', '<', p.to)
      .where('result_count', '=', 0)
      .orderBy('at', 'desc')
      .limit(p.limit),
  ),
};

/** Reads the rows of the range: some 10 µs each. */
export const contentGapStore = defineStore<ContentGapStore>()(
  {
    *listGapQuestions(range) {
      return [
        ...(yield* fetchAll(contentGapStatements.answers, range)).map(questionOfAnswer),
        ...(yield* fetchAll(contentGapStatements.searches, range)).map(questionOfSearch),
      ].sort((a, b) => b.at - a.at);
    },
  },
  {},
);

function questionOfAnswer(row: AnswerRow): GapQuestion {
  const { sessionId } = JSON.parse(row.extra) as { readonly sessionId?: string };
  return {
    signal: signalOf(row),
    question: row.rewritten ?? row.question,
    language: row.language,
    reason: row.reason ?? undefined,
    at: row.at,
    visitor: sessionId ?? row.conversation_id,
  };
}

function questionOfSearch({ text, at, session_id, query_id }: SearchRow): GapQuestion {
  const visitor = session_id ?? query_id;
  return { signal: 'without-results', question: text, language: '', reason: undefined, at, visitor };
}

function signalOf({ could_answer, rating, degraded }: AnswerRow): GapSignal {
  if (could_answer === 0) return 'refused';
  if (rating === 'negative') return 'rated-negative';
  return degraded === 1 ? 'degraded' : 'without-click';
}

const SUM_COLUMNS = [
  ...(['searches', 'with_result_count', 'without_results', 'clicked'] as const),
  ...(['clicks', 'ranked_clicks', 'rank_sum'] as const),
];

type Days = { readonly engineId: number; readonly fromDay: number; readonly toDay: number };
type DayKey = Pick<QueryDay, 'day' | 'query'> & { readonly device: string };
type SumRow = { readonly [Column in (typeof SUM_COLUMNS)[number]]: number } & { day: number; device: string };

const statisticsStatements = {
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
      return rows.map((row) => ({ ...sumsOf(row), ...placeOf(row), query: row.query }));
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
