import { sql } from 'kysely';
import { greatest, insertionOrder, jsonMerged } from '../sql/dialect.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { statement, systemSql } from '../sql/statement.ts';
import type { SystemTables } from '../sql/tables.ts';
import { countClick, countQuery } from './popular-queries.ts';

export const DEVICES = ['mobile', 'tablet', 'desktop', 'unknown'] as const;
export type Device = (typeof DEVICES)[number];

type EventBase = {
  /** UUID. */
  readonly id: string;
  readonly engineId: number;
  readonly at: number;
  /** Lower case with dashes. */
  readonly queryId: string;
  readonly sessionId: string | undefined;
  readonly ip: string | undefined;
  /** Everything else that was sent, by name. */
  readonly extra: Readonly<Record<string, string>>;
};

/** A committed search of a visitor. */
export type QueryEvent = EventBase & {
  readonly text: string;
  readonly resultCount: number | undefined;
  readonly fixedQuery: string | undefined;
  readonly device: Device;
  readonly querySessionId: string | undefined;
};

/** What a query event adds to the statistics of its engine. */
export type QueryCount = {
  /** Normal form (`core/normal-query.ts`). */
  readonly query: string;
  /** As the visitor wrote it, with one blank between words. */
  readonly spelling: string;
  /** Results of this very text: 0 when the visitor saw those of a corrected one. Undefined = unknown. */
  readonly ownResultCount: number | undefined;
};

/** A click on a hit, a banner, or what else the page reports. */
export type ClickEvent = EventBase & {
  /** `searchresult`, `banner`, or the text that was sent. */
  readonly kind: string;
  readonly url: string | undefined;
  /** From 1. */
  readonly rank: number | undefined;
  readonly bannerId: string | undefined;
  readonly title: string | undefined;
  readonly text: string | undefined;
};

const FEEDBACK_KINDS = ['answer', 'summary', 'result'] as const;
type FeedbackKind = (typeof FEEDBACK_KINDS)[number];

export const RATINGS = ['positive', 'negative'] as const;
export type Rating = (typeof RATINGS)[number];

export type Feedback = {
  readonly engineId: number;
  readonly kind: FeedbackKind;
  /** Exchange, summary or feedback id. */
  readonly key: string;
  readonly at: number;
  readonly rating: Rating | undefined;
  readonly reason: string | undefined;
  readonly comment: string | undefined;
  readonly language: string | undefined;
  /** The key (or the query id) is one that was issued here. */
  readonly matched: boolean;
  readonly extra: Readonly<Record<string, string>>;
};

/** A click on a source of an answer. */
type AnswerClick = {
  readonly engineId: number;
  readonly conversationId: string;
  readonly exchangeId: string;
  readonly url: string;
  readonly at: number;
  readonly matched: boolean;
  readonly extra: Readonly<Record<string, string>>;
};

type Newest = { readonly engineId: number; readonly limit: number };

/**
 * Part of the port `SystemStore`: what visitors did. Promises:
 * - an event comes back exactly as it was stored; lists are of one engine, newest first;
 * - an event with a tally counts in popular queries, query pairs and sums per day from the same commit on, one without
 *   in none of them;
 * - the same query may be clicked any number of times: each click is an event;
 * - `mergeFeedback` keeps one record per (engine, kind, key): what is sent replaces, what is absent stays, `matched`
 *   once true stays true;
 * - `mergeRatedFeedback` does the same unless neither the input nor the record has a rating: then it resolves with
 *   false and changes nothing.
 */
export interface TrackingStore {
  addQueryEvent(event: QueryEvent, count: QueryCount | undefined): Promise<void>;
  addClickEvent(event: ClickEvent): Promise<void>;
  addAnswerClick(click: AnswerClick): Promise<void>;
  mergeFeedback(feedback: Feedback): Promise<void>;
  mergeRatedFeedback(feedback: Feedback): Promise<boolean>;
  listQueryEvents(input: Newest): Promise<readonly QueryEvent[]>;
  listClickEvents(input: Newest): Promise<readonly ClickEvent[]>;
  listAnswerClicks(input: Newest): Promise<readonly AnswerClick[]>;
  listFeedback(input: Newest): Promise<readonly Feedback[]>;
}

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
function* addAnswerClick(click: AnswerClick): Operation<void> {
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
      return (yield* fetchAll(query.orderBy('at', 'desc').orderBy(insertionOrder, 'desc').limit(limit))).map(
        queryEventOf,
      );
    },
    *listClickEvents({ engineId, limit }) {
      const query = systemSql.selectFrom('click_events').selectAll().where('engine_id', '=', engineId);
      return (yield* fetchAll(query.orderBy('at', 'desc').orderBy(insertionOrder, 'desc').limit(limit))).map(
        clickEventOf,
      );
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
function* mergeFeedback(feedback: Feedback): Operation<void> {
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
        matched: greatest(sql.ref('excluded.matched'), sql.ref('feedback.matched')),
        extra: jsonMerged(sql.ref('feedback.extra'), sql.ref('excluded.extra')),
      }),
    );
  yield* execute(merged);
}

/** Write operation: false, and nothing changed, when the record would have no rating. */
function* mergeRatedFeedback(feedback: Feedback): Operation<boolean> {
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

export function feedbackOf(row: Omit<SystemTables['feedback'], 'id'>): Feedback {
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
