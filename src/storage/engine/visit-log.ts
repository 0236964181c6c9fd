import { sql } from 'kysely';
import { OUTCOMES, type Outcome, REASONS, type Reason } from '../../core/crawl-words.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation, submit } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { lookUpStatements } from './url-look-up.ts';
import type { VisitLog } from './visits.ts';

/**
 * Part of the port `EngineStore`: the log of visits. Promises:
 * 1. it keeps the newest 8 visits of a URL;
 * 2. `listRunVisits` shows each kept visit of a run once, newest first.
 */
export interface VisitLogStore {
  /** Newest first; of one URL or of the whole crawler. */
  listVisits(of: { crawlerId: number; urlId?: number; limit: number }): Promise<readonly LoggedVisit[]>;
  listRunVisits(input: RunVisits): Promise<readonly LoggedVisit[]>;
  /** URLs that were sent and dropped. */
  logDiscarded(crawlerId: number, urls: readonly string[], reason: Reason, at: number): Promise<void>;
  /** A URL that was sent and dropped, among the newest 5,000 rows of the log. */
  findDiscarded(crawlerId: number, url: string): Promise<{ readonly at: number; readonly reason: Reason } | undefined>;
  /** Drops log rows of a crawler that are older, at most `limit`; resolves with how many. */
  dropVisits(crawlerId: number, before: number, limit: number): Promise<number>;
}

export type LoggedVisit = {
  readonly id: number;
  readonly url: string;
  readonly runId: number | undefined;
  readonly at: number;
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly httpStatus: number | undefined;
  readonly bytes: number | undefined;
  readonly millis: number | undefined;
  readonly detail: string | undefined;
};

type RunVisits = {
  readonly crawlerId: number;
  readonly runId: number;
  /** Times between which the run lived. */
  readonly since: number;
  readonly until: number;
  /** The last visit of the page before. */
  readonly before: { readonly at: number; readonly id: number } | undefined;
  readonly limit: number;
};

export type RunVisitValues = {
  crawlerId: number;
  runId: number;
  since: number;
  until: number;
  beforeAt: number;
  beforeId: number;
  limit: number;
};

function* listRunVisits(input: RunVisits): Operation<readonly LoggedVisit[]> {
  const { before, ...rest } = input;
  const beforeAt = before?.at ?? Number.MAX_SAFE_INTEGER;
  const beforeId = before?.id ?? Number.MAX_SAFE_INTEGER;
  return (yield* fetchAll(lookUpStatements.runVisits, { ...rest, beforeAt, beforeId })).map(loggedVisitOf);
}

/** URLs that were never records. */
function* findDiscarded(crawlerId: number, url: string): Operation<{ at: number; reason: Reason } | undefined> {
  const row = yield* fetchFirst(lookUpStatements.discarded, { crawlerId, url });
  return row && { at: row.at, reason: REASONS[row.reason] as Reason };
}

export const visitLogStore = defineStore<VisitLogStore>()(
  { listVisits, listRunVisits, findDiscarded },
  { logDiscarded, dropVisits },
);

export type VisitRow = {
  id: number;
  url: string;
  run_id: number | null;
  at: number;
  outcome: number;
  reason: number;
  http_status: number | null;
  bytes: number | null;
  millis: number | null;
  detail: string | null;
};

/** Newest visits of a URL that the log keeps (crawling 6). */
const RETAINED_VISITS = 8;

const VISIT_COLUMNS = [
  'visits.id',
  'visits.run_id',
  'visits.at',
  'visits.outcome',
  'visits.reason',
  'visits.http_status',
  'visits.bytes',
  'visits.millis',
  'visits.detail',
] as const;

export const visitLogStatements = {
  log: statement<{
    crawlerId: number;
    urlId: number | null;
    url: string | null;
    runId: number | null;
    at: number;
    outcome: number;
    reason: number;
    httpStatus: number | null;
    bytes: number | null;
    millis: number | null;
    detail: string | null;
  }>((p) =>
    engineSql.insertInto('visits').values({
      crawler_id: p.crawlerId,
      url_id: p.urlId,
      url: p.url,
      run_id: p.runId,
      at: p.at,
      outcome: p.outcome,
      reason: p.reason,
      http_status: p.httpStatus,
      bytes: p.bytes,
      millis: p.millis,
      detail: p.detail,
    }),
  ),
  trim: statement<{ urlId: number }>((p) =>
    engineSql
      .deleteFrom('visits')
      .where('url_id', '=', p.urlId)
      .where('id', '<=', (row) =>
        row
          .selectFrom('visits')
          .select('id')
          .where('url_id', '=', p.urlId)
          .orderBy('id', 'desc')
          .limit(sql.lit(1))
          .offset(sql.lit(RETAINED_VISITS)),
      ),
  ),
  dropOld: statement<{ crawlerId: number; before: number; limit: number }>((p) =>
    engineSql
      .deleteFrom('visits')
      .where('id', 'in', (row) =>
        row
          .selectFrom('visits')
          .select('id')
          .where('crawler_id', '=', p.crawlerId)
          .where('at', '<', p.before)
          .limit(p.limit),
      ),
  ),
  newestOfUrl: statement<{ crawlerId: number; urlId: number; limit: number }, VisitRow>((p) =>
    engineSql
      .selectFrom('visits')
      .leftJoin('urls', 'urls.id', 'visits.url_id')
      .select(VISIT_COLUMNS)
      .select((row) => row.fn.coalesce('visits.url', 'urls.url').$castTo<string>().as('url'))
      .where('visits.url_id', '=', p.urlId)
      .where('visits.crawler_id', '=', p.crawlerId)
      .orderBy('visits.at', 'desc')
      .orderBy('visits.id', 'desc')
      .limit(p.limit),
  ),
  newestOfCrawler: statement<{ crawlerId: number; limit: number }, VisitRow>((p) =>
    engineSql
      .selectFrom('visits')
      .leftJoin('urls', 'urls.id', 'visits.url_id')
      .select(VISIT_COLUMNS)
      .select((row) => row.fn.coalesce('visits.url', 'urls.url').$castTo<string>().as('url'))
      .where('visits.crawler_id', '=', p.crawlerId)
      .orderBy('visits.at', 'desc')
      .orderBy('visits.id', 'desc')
      .limit(p.limit),
  ),
};

/** Inside a write: one row of the log; the oldest of the URL leaves. */
export function* logVisit(row: {
  readonly crawlerId: number;
  readonly urlId: number;
  readonly runId: number;
  readonly at: number;
  readonly log: VisitLog;
}): Operation<void> {
  const { crawlerId, urlId, runId, at, log } = row;
  yield* submit(visitLogStatements.log, {
    crawlerId,
    urlId,
    runId,
    at,
    url: null,
    outcome: OUTCOMES.indexOf(log.outcome),
    reason: REASONS.indexOf(log.reason),
    httpStatus: log.httpStatus ?? null,
    bytes: log.bytes,
    millis: log.millis,
    detail: log.detail ?? null,
  });
  yield* submit(visitLogStatements.trim, { urlId });
}

/** Write operation. */
function* dropVisits(crawlerId: number, before: number, limit: number): Operation<number> {
  return (yield* execute(visitLogStatements.dropOld, { crawlerId, before, limit })).changes;
}

/** Write operation: URLs that were never records. */
function* logDiscarded(crawlerId: number, urls: readonly string[], reason: Reason, at: number): Operation<void> {
  for (const url of urls) {
    yield* submit(visitLogStatements.log, {
      crawlerId: crawlerId,
      urlId: null,
      url,
      runId: null,
      at: at,
      outcome: OUTCOMES.indexOf('discarded'),
      reason: REASONS.indexOf(reason),
      httpStatus: null,
      bytes: null,
      millis: null,
      detail: null,
    });
  }
}

function* listVisits({
  crawlerId,
  urlId,
  limit,
}: {
  crawlerId: number;
  urlId?: number;
  limit: number;
}): Operation<readonly LoggedVisit[]> {
  const rows =
    urlId === undefined
      ? yield* fetchAll(visitLogStatements.newestOfCrawler, { crawlerId, limit })
      : yield* fetchAll(visitLogStatements.newestOfUrl, { crawlerId, urlId, limit });
  return rows.map(loggedVisitOf);
}

function loggedVisitOf(row: VisitRow): LoggedVisit {
  return {
    id: row.id,
    url: row.url,
    runId: row.run_id ?? undefined,
    at: row.at,
    outcome: OUTCOMES[row.outcome] as Outcome,
    reason: REASONS[row.reason] as Reason,
    httpStatus: row.http_status ?? undefined,
    bytes: row.bytes ?? undefined,
    millis: row.millis ?? undefined,
    detail: row.detail ?? undefined,
  };
}
