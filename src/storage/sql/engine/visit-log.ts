import { sql } from 'kysely';
import { OUTCOMES, type Outcome, REASONS, type Reason } from '../../../core/crawl-words.ts';
import type { VisitLog } from '../../frontier-store.ts';
import type { LoggedVisit } from '../../run-store.ts';
import { execute, fetchAll, type Operation } from '../operation.ts';
import { engineSql, statement } from '../statement.ts';

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
  yield* execute(visitLogStatements.log, {
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
  yield* execute(visitLogStatements.trim, { urlId });
}

/** Write operation. */
export function* dropVisits(crawlerId: number, before: number, limit: number): Operation<number> {
  return (yield* execute(visitLogStatements.dropOld, { crawlerId, before, limit })).changes;
}

/** Write operation: URLs that were never records. */
export function* logDiscarded(crawlerId: number, urls: readonly string[], reason: Reason, at: number): Operation<void> {
  for (const url of urls) {
    yield* execute(visitLogStatements.log, {
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

export function* listVisits({
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

export function loggedVisitOf(row: VisitRow): LoggedVisit {
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
