import { type RawBuilder, sql } from 'kysely';
import {
  OUTCOMES,
  type Outcome,
  REASONS,
  type Reason,
  URL_KINDS,
  URL_ORIGINS,
  URL_STATES,
  type UrlKind,
  type UrlOrigin,
  type UrlState,
} from '../../core/crawl-words.ts';
import { listedNumbers, positionIn, usingIndex } from '../sql/dialect.ts';
import { defineStore, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { type Parameters, rawQuery, statement } from '../sql/statement.ts';

/**
 * Part of the port `EngineStore`: records of URLs page by page, for an operator. Promises:
 * 1. steps of `stepUrls` that follow one another show each record of a crawler that passes the filter once, ordered by
 *    state, reason and id, as long as none changes its state; a step looks at no more than 2,000 records;
 * 2. `countUrlsBy` counts the records of such steps by one of their properties.
 */
export interface UrlBrowser {
  /** Undefined `after`: from the start. */
  stepUrls(filter: UrlFilter, after: UrlCursor | undefined, limit: number): Promise<UrlStep>;
  countUrlsBy(by: UrlGrouping, filter: UrlFilter, after: UrlCursor | undefined): Promise<UrlCountStep>;
  /** Texts of groups by their values, for those that are known. */
  nameGroups(by: UrlGrouping, values: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** What a record must have; undefined members do not matter. */
export type UrlFilter = {
  readonly crawlerId: number;
  readonly state?: UrlState | undefined;
  readonly reason?: Reason | undefined;
  /** Of the newest visit in the log. */
  readonly outcome?: Outcome | undefined;
  readonly hostIds?: readonly number[] | undefined;
  /** `/blog/{date}/{s}.html` */
  readonly pattern?: string | undefined;
  /** HTTP status from, to. */
  readonly status?: readonly [number, number] | undefined;
  /** Part of the URL, in any case. */
  readonly text?: string | undefined;
  /** Epoch milliseconds; what was never visited is left out. */
  readonly visitedBefore?: number | undefined;
};

export const URL_GROUPINGS = ['reason', 'pattern', 'host', 'status'] as const;
export type UrlGrouping = (typeof URL_GROUPINGS)[number];

/** A place in the order of records: codes of state and reason, and the id. */
export type UrlCursor = { readonly state: number; readonly reason: number; readonly id: number };

type UrlStep = {
  readonly rows: readonly UrlRow[];
  /** Where the next step begins; undefined at the end. */
  readonly next: UrlCursor | undefined;
  /** Records that were looked at, at most. */
  readonly lookedAt: number;
};

type UrlCountStep = Omit<UrlStep, 'rows'> & {
  /** Value null: records without one. */
  readonly counts: readonly { readonly value: number | null; readonly count: number }[];
};

export type UrlRow = {
  readonly id: number;
  readonly url: string;
  readonly kind: UrlKind;
  readonly state: UrlState;
  readonly reason: Reason;
  readonly origin: UrlOrigin;
  readonly depth: number;
  readonly pattern: string | undefined;
  readonly httpStatus: number | undefined;
  readonly contentChars: number | undefined;
  readonly visits: number;
  readonly firstSeenAt: number;
  readonly visitedAt: number | undefined;
  readonly changedAt: number | undefined;
  readonly nextAt: number | undefined;
};

export const urlBrowser = defineStore<UrlBrowser>()(
  {
    stepUrls: (filter, after, limit) => stepUrls({ filter, after, limit }),
    countUrlsBy: (by, filter, after) => countUrlsBy({ by, filter, after }),
    nameGroups,
  },
  {},
);

/** Records that one step looks at: about 3 ms of the calling thread. */
const STEP_RECORDS = 2_000;
const LAST_REASON = REASONS.length;
const LAST_ID = Number.MAX_SAFE_INTEGER;

/** A stretch of `urls_state`: records of one state behind (reason, id), up to a reason. */
type Stretch = { crawlerId: number; state: number; reason: number; id: number; lastReason: number };

type Conditions = {
  outcome: number | null;
  hostIds: string | null;
  pattern: string | null;
  statusFrom: number | null;
  statusTo: number | null;
  text: string | null;
  visitedBefore: number | null;
};

type StepValues = Stretch & Conditions & { endReason: number; endId: number };

type Row = {
  id: number;
  url: string;
  kind: number;
  reason: number;
  origin: number;
  depth: number;
  pattern: string | null;
  http_status: number | null;
  content_chars: number | null;
  visits: number;
  first_seen_at: number;
  visited_at: number | null;
  changed_at: number | null;
  next_at: number | null;
};

function stretch(p: Parameters<Stretch>) {
  return sql`urls.crawler_id = ${p.crawlerId} AND urls.state = ${p.state}
    AND (urls.reason, urls.id) > (${p.reason}, ${p.id}) AND urls.reason <= ${p.lastReason}`;
}

/** Parameters that are null hold for every record. */
function conditions(p: Parameters<StepValues>) {
  return sql`${stretch(p)} AND (urls.reason, urls.id) <= (${p.endReason}, ${p.endId})
    AND (${p.hostIds} IS NULL OR urls.host_id IN ${listedNumbers(p.hostIds)})
    AND (${p.statusFrom} IS NULL OR urls.http_status BETWEEN ${p.statusFrom} AND ${p.statusTo})
    AND (${p.visitedBefore} IS NULL OR urls.visited_at < ${p.visitedBefore})
    AND (${p.text} IS NULL OR ${positionIn(sql`lower(urls.url)`, p.text)} > 0)
    AND (${p.pattern} IS NULL OR
      (SELECT pattern FROM url_patterns WHERE url_patterns.id = urls.pattern_id) = ${p.pattern})
    AND (${p.outcome} IS NULL OR (SELECT outcome FROM visits WHERE visits.url_id = urls.id
      ORDER BY visits.at DESC, visits.id DESC LIMIT 1) = ${p.outcome})`;
}

type Counted = { value: number | null; count: number };

function counting(column: RawBuilder<unknown>) {
  return statement<StepValues, Counted>((p) =>
    rawQuery(sql<Counted>`SELECT ${column} AS value, count(*) AS count FROM urls ${usingIndex('urls_state')}
      WHERE ${conditions(p)} GROUP BY ${column}`),
  );
}

export const urlBrowserStatements = {
  /** The last record that a step looks at; none: the stretch ends before. */
  cursor: statement<Stretch, { reason: number; id: number }>((p) =>
    rawQuery(sql<{ reason: number; id: number }>`SELECT reason, id FROM urls ${usingIndex('urls_state')}
      WHERE ${stretch(p)} ORDER BY reason, id LIMIT 1 OFFSET ${sql.lit(STEP_RECORDS - 1)}`),
  ),
  step: statement<StepValues & { limit: number }, Row>((p) =>
    rawQuery(sql<Row>`SELECT urls.id, urls.url, urls.kind, urls.reason, urls.origin, urls.depth, urls.http_status,
      urls.content_chars, urls.visits, urls.first_seen_at, urls.visited_at, urls.changed_at, urls.next_at,
      (SELECT pattern FROM url_patterns WHERE url_patterns.id = urls.pattern_id) AS pattern
      FROM urls ${usingIndex('urls_state')} WHERE ${conditions(p)} ORDER BY urls.reason, urls.id LIMIT ${p.limit}`),
  ),
  countByReason: counting(sql`urls.reason`),
  countByPattern: counting(sql`urls.pattern_id`),
  countByHost: counting(sql`urls.host_id`),
  countByStatus: counting(sql`urls.http_status`),
  patternNames: statement<{ ids: string }, { id: number; name: string }>((p) =>
    rawQuery(sql<{ id: number; name: string }>`SELECT id, pattern AS name FROM url_patterns
      WHERE id IN ${listedNumbers(p.ids)}`),
  ),
  hostNames: statement<{ ids: string }, { id: number; name: string }>((p) =>
    rawQuery(sql<{ id: number; name: string }>`SELECT id, origin AS name FROM hosts
      WHERE id IN ${listedNumbers(p.ids)}`),
  ),
};

const COUNTING = {
  reason: urlBrowserStatements.countByReason,
  pattern: urlBrowserStatements.countByPattern,
  host: urlBrowserStatements.countByHost,
  status: urlBrowserStatements.countByStatus,
} as const;

function* stepUrls({
  filter,
  after,
  limit,
}: {
  filter: UrlFilter;
  after: UrlCursor | undefined;
  limit: number;
}): Operation<UrlStep> {
  const next = stretchFrom(filter, after);
  if (next === undefined) return { rows: [], next: undefined, lookedAt: 0 };
  const end = yield* fetchFirst(urlBrowserStatements.cursor, next);
  const values = { ...next, ...conditionsOf(filter), ...endOf(next, end), limit };
  const rows = yield* fetchAll(urlBrowserStatements.step, values);
  const last = rows.at(-1);
  const isFull = rows.length === limit && last !== undefined;
  const reached = isFull ? { state: next.state, reason: last.reason, id: last.id } : placeAfter(next, end);
  const state = URL_STATES[next.state] as UrlState;
  return {
    rows: rows.map((row) => urlRowOf(row, state)),
    next: stretchFrom(filter, reached) === undefined ? undefined : reached,
    lookedAt: STEP_RECORDS,
  };
}

function* countUrlsBy({
  by,
  filter,
  after,
}: {
  by: UrlGrouping;
  filter: UrlFilter;
  after: UrlCursor | undefined;
}): Operation<UrlCountStep> {
  const next = stretchFrom(filter, after);
  if (next === undefined) return { counts: [], next: undefined, lookedAt: 0 };
  const end = yield* fetchFirst(urlBrowserStatements.cursor, next);
  const reached = placeAfter(next, end);
  return {
    counts: yield* fetchAll(COUNTING[by], { ...next, ...conditionsOf(filter), ...endOf(next, end) }),
    next: stretchFrom(filter, reached) === undefined ? undefined : reached,
    lookedAt: STEP_RECORDS,
  };
}

function* nameGroups(by: UrlGrouping, values: readonly number[]): Operation<Map<number, string>> {
  if (by === 'status') return new Map(values.map((value) => [value, String(value)]));
  if (by === 'reason') return new Map(values.map((value) => [value, REASONS[value] ?? String(value)]));
  const names = by === 'host' ? urlBrowserStatements.hostNames : urlBrowserStatements.patternNames;
  const rows = yield* fetchAll(names, { ids: JSON.stringify(values) });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The stretch that holds what follows a place; undefined behind the last one. */
function stretchFrom(filter: UrlFilter, after: UrlCursor | undefined): Stretch | undefined {
  const wanted = filter.state === undefined ? undefined : URL_STATES.indexOf(filter.state);
  const only = filter.reason === undefined ? undefined : REASONS.indexOf(filter.reason);
  const lastReason = only ?? LAST_REASON;
  const isBehind = after !== undefined && after.reason > lastReason;
  const state = wanted ?? (after?.state ?? 0) + (isBehind ? 1 : 0);
  const isStarted = after !== undefined && after.state === state;
  if (state >= URL_STATES.length || (isStarted && isBehind)) return undefined;
  const { crawlerId } = filter;
  if (isStarted) return { crawlerId, state, lastReason, reason: after.reason, id: after.id };
  return { crawlerId, state, lastReason, reason: only ?? 0, id: 0 };
}

type KeysetCursor = { readonly reason: number; readonly id: number } | undefined;

function endOf({ lastReason }: Stretch, cursor: KeysetCursor) {
  return { endReason: cursor?.reason ?? lastReason, endId: cursor?.id ?? LAST_ID };
}

/** At the end of a stretch: behind all of its reasons. */
function placeAfter({ state, lastReason }: Stretch, cursor: KeysetCursor): UrlCursor {
  return cursor === undefined ? { state, reason: lastReason + 1, id: 0 } : { state, ...cursor };
}

function conditionsOf(filter: UrlFilter): Conditions {
  const { outcome, hostIds, pattern, status, text, visitedBefore } = filter;
  return {
    outcome: outcome === undefined ? null : OUTCOMES.indexOf(outcome),
    hostIds: hostIds === undefined ? null : JSON.stringify(hostIds),
    pattern: pattern ?? null,
    statusFrom: status?.[0] ?? null,
    statusTo: status?.[1] ?? null,
    text: text?.toLowerCase() ?? null,
    visitedBefore: visitedBefore ?? null,
  };
}

function urlRowOf(row: Row, state: UrlState): UrlRow {
  return {
    id: row.id,
    url: row.url,
    kind: URL_KINDS[row.kind] as UrlKind,
    state,
    reason: REASONS[row.reason] as Reason,
    origin: URL_ORIGINS[row.origin] as UrlOrigin,
    depth: row.depth,
    pattern: row.pattern ?? undefined,
    httpStatus: row.http_status ?? undefined,
    contentChars: row.content_chars ?? undefined,
    visits: row.visits,
    firstSeenAt: row.first_seen_at,
    visitedAt: row.visited_at ?? undefined,
    changedAt: row.changed_at ?? undefined,
    nextAt: row.next_at ?? undefined,
  };
}
