import { sql } from 'kysely';
import type {
  AnswerClick,
  ClickEvent,
  Device,
  Feedback,
  FeedbackKind,
  QueryCount,
  QueryEvent,
  Rating,
  TrackingStore,
} from '../../system-store.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../operation.ts';
import { statement, systemSql } from '../statement.ts';
import type { SystemTables } from '../tables.ts';
import { countClick, countQuery } from './query-counters.ts';

type Extra = Readonly<Record<string, string>>;

type QueryRow = Omit<SystemTables['query_events'], 'clicked'> & { clicked: number };
type ClickRow = SystemTables['click_events'];

/** Compiled once: visitors write more often than anybody else. */
const statements = {
  addQuery: statement<QueryRow>((p) =>
    systemSql.insertInto('query_events').values({
      id: p.id,
      engine_id: p.engine_id,
      at: p.at,
      query_id: p.query_id,
      text: p.text,
      ip: p.ip,
      extra: p.extra,
      result_count: p.result_count,
      fixed_query: p.fixed_query,
      device: p.device,
      session_id: p.session_id,
      query_session_id: p.query_session_id,
      query: p.query,
      clicked: p.clicked,
    }),
  ),
  addClick: statement<ClickRow>((p) =>
    systemSql.insertInto('click_events').values({
      id: p.id,
      engine_id: p.engine_id,
      at: p.at,
      query_id: p.query_id,
      kind: p.kind,
      url: p.url,
      rank: p.rank,
      banner_id: p.banner_id,
      title: p.title,
      text: p.text,
      session_id: p.session_id,
      ip: p.ip,
      extra: p.extra,
    }),
  ),
};

/** Write operation: the event and what it adds to the statistics. */
export function* addQueryEvent(event: QueryEvent, count: QueryCount | undefined): Operation<void> {
  const clicked = count !== undefined && (yield* countQuery(event, count));
  yield* execute(statements.addQuery, {
    id: event.id,
    engine_id: event.engineId,
    at: event.at,
    query_id: event.queryId,
    text: event.text,
    result_count: event.resultCount ?? null,
    fixed_query: event.fixedQuery ?? null,
    device: event.device,
    session_id: event.sessionId ?? null,
    query_session_id: event.querySessionId ?? null,
    ip: event.ip ?? null,
    extra: JSON.stringify(event.extra),
    query: count?.query ?? null,
    clicked: Number(clicked),
  });
}

/** Write operation: the event and what it adds to the statistics. */
export function* addClickEvent(event: ClickEvent): Operation<void> {
  yield* execute(statements.addClick, {
    id: event.id,
    engine_id: event.engineId,
    at: event.at,
    query_id: event.queryId,
    kind: event.kind,
    url: event.url ?? null,
    rank: event.rank ?? null,
    banner_id: event.bannerId ?? null,
    title: event.title ?? null,
    text: event.text ?? null,
    session_id: event.sessionId ?? null,
    ip: event.ip ?? null,
    extra: JSON.stringify(event.extra),
  });
  yield* countClick(event);
}

/** Write operation. */
export function* addAnswerClick(click: AnswerClick): Operation<void> {
  const row = {
    engine_id: click.engineId,
    conversation_id: click.conversationId,
    exchange_id: click.exchangeId,
    url: click.url,
    at: click.at,
    matched: Number(click.matched),
    extra: JSON.stringify(click.extra),
  };
  yield* execute(systemSql.insertInto('answer_clicks').values(row));
}

export const trackingStore = defineStore<TrackingStore>()(
  {
    *listQueryEvents({ engineId, limit }) {
      const query = systemSql.selectFrom('query_events').selectAll().where('engine_id', '=', engineId);
      return (yield* fetchAll(query.orderBy('at', 'desc').orderBy(sql`rowid`, 'desc').limit(limit))).map(queryEventOf);
    },
    *listClickEvents({ engineId, limit }) {
      const query = systemSql.selectFrom('click_events').selectAll().where('engine_id', '=', engineId);
      return (yield* fetchAll(query.orderBy('at', 'desc').orderBy(sql`rowid`, 'desc').limit(limit))).map(clickEventOf);
    },
    *listAnswerClicks({ engineId, limit }) {
      const query = systemSql.selectFrom('answer_clicks').selectAll().where('engine_id', '=', engineId);
      return (yield* fetchAll(query.orderBy('id', 'desc').limit(limit))).map(answerClickOf);
    },
    *listFeedback(input) {
      return (yield* fetchAll(newestFeedback(input))).map(feedbackOf);
    },
  },
  {
    addQueryEvent,
    addClickEvent,
    addAnswerClick,
    mergeFeedback,
    mergeRatedFeedback,
  },
);

function queryEventOf(row: Omit<SystemTables['query_events'], 'clicked'>): QueryEvent {
  return {
    id: row.id,
    engineId: row.engine_id,
    at: row.at,
    queryId: row.query_id,
    text: row.text,
    resultCount: row.result_count ?? undefined,
    fixedQuery: row.fixed_query ?? undefined,
    device: row.device as Device,
    sessionId: row.session_id ?? undefined,
    querySessionId: row.query_session_id ?? undefined,
    ip: row.ip ?? undefined,
    extra: JSON.parse(row.extra) as Extra,
  };
}

function clickEventOf(row: SystemTables['click_events']): ClickEvent {
  return {
    id: row.id,
    engineId: row.engine_id,
    at: row.at,
    queryId: row.query_id,
    kind: row.kind,
    url: row.url ?? undefined,
    rank: row.rank ?? undefined,
    bannerId: row.banner_id ?? undefined,
    title: row.title ?? undefined,
    text: row.text ?? undefined,
    sessionId: row.session_id ?? undefined,
    ip: row.ip ?? undefined,
    extra: JSON.parse(row.extra) as Extra,
  };
}

function answerClickOf(row: Omit<SystemTables['answer_clicks'], 'id'>): AnswerClick {
  return {
    engineId: row.engine_id,
    conversationId: row.conversation_id,
    exchangeId: row.exchange_id,
    url: row.url,
    at: row.at,
    matched: row.matched === 1,
    extra: JSON.parse(row.extra) as Extra,
  };
}

/** Write operation: one record per (engine, kind, key); what is absent stays as it was. */
export function* mergeFeedback(feedback: Feedback): Operation<void> {
  const row = {
    engine_id: feedback.engineId,
    kind: feedback.kind,
    key: feedback.key,
    at: feedback.at,
    rating: feedback.rating ?? null,
    reason: feedback.reason ?? null,
    comment: feedback.comment ?? null,
    language: feedback.language ?? null,
    matched: Number(feedback.matched),
    extra: JSON.stringify(feedback.extra),
  };
  const merged = systemSql
    .insertInto('feedback')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['engine_id', 'kind', 'key']).doUpdateSet({
        at: sql`excluded.at`,
        rating: sql`coalesce(excluded.rating, feedback.rating)`,
        reason: sql`coalesce(excluded.reason, feedback.reason)`,
        comment: sql`coalesce(excluded.comment, feedback.comment)`,
        language: sql`coalesce(excluded.language, feedback.language)`,
        matched: sql`max(excluded.matched, feedback.matched)`,
        extra: sql`json_patch(feedback.extra, excluded.extra)`,
      }),
    );
  yield* execute(merged);
}

/** Write operation: false, and nothing changed, when the record would have no rating. */
export function* mergeRatedFeedback(feedback: Feedback): Operation<boolean> {
  if (feedback.rating === undefined && !(yield* hasRating(feedback))) return false;
  yield* mergeFeedback(feedback);
  return true;
}

function* hasRating({ engineId, kind, key }: Feedback): Operation<boolean> {
  const rated = systemSql
    .selectFrom('feedback')
    .select('id')
    .where('engine_id', '=', engineId)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('rating', 'is not', null);
  return (yield* fetchFirst(rated)) !== undefined;
}

function newestFeedback({ engineId, limit }: { engineId: number; limit: number }) {
  const ofEngine = systemSql.selectFrom('feedback').selectAll().where('engine_id', '=', engineId);
  return ofEngine.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit);
}

function feedbackOf(row: Omit<SystemTables['feedback'], 'id'>): Feedback {
  return {
    engineId: row.engine_id,
    kind: row.kind as FeedbackKind,
    key: row.key,
    at: row.at,
    rating: (row.rating ?? undefined) as Rating | undefined,
    reason: row.reason ?? undefined,
    comment: row.comment ?? undefined,
    language: row.language ?? undefined,
    matched: row.matched === 1,
    extra: JSON.parse(row.extra) as Readonly<Record<string, string>>,
  };
}
