import { sql } from 'kysely';
import { FRONTIER_FLAGS, type Reason } from '../../core/crawl-words.ts';
import { execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, rawQuery, statement } from '../sql/statement.ts';
import { CrawlCounts } from './crawl-counts.ts';
import { isLiving, openUrlsRun, runStatements } from './run-states.ts';
import type { RunLimit } from './runs.ts';
import { logVisit } from './visit-log.ts';

/** Hosts that a summary names. */
const NAMED_HOSTS = 20;
/** The text of the index `runs_open`. */
const hasRows = sql<boolean>`open > 0`;
const ENDED = ['finishing', 'finished', 'stopped', 'failed'] as const;

type RunRows = { runId: number; crawlerId: number; activation: number };
type WaitingRow = { url_id: number; host_id: number };

export const runControlStatements = {
  cut: statement<{ id: number; summary: string; at: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'finishing', plan_done: 1, summary: p.summary, idle_since: p.at })
      .where('id', '=', p.id)
      .where('state', '=', 'running'),
  ),
  pause: statement<{ crawlerId: number; at: number; summary: string | null }, { id: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'paused', paused_at: p.at, summary: p.summary })
      .where('crawler_id', '=', p.crawlerId)
      .where(isLiving)
      .where('state', '=', 'running')
      .returning('id'),
  ),
  resume: statement<{ crawlerId: number; at: number }, { id: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({
        state: 'running',
        summary: null,
        paused_at: null,
        paused_ms: sql<number>`paused_ms + ${p.at} - coalesce(paused_at, ${p.at})`,
      })
      .where('crawler_id', '=', p.crawlerId)
      .where(isLiving)
      .where('state', '=', 'paused')
      .returning('id'),
  ),
  stop: statement<{ crawlerId: number; at: number }, { id: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'stopped', ended_at: p.at })
      .where('crawler_id', '=', p.crawlerId)
      .where(isLiving)
      .where('state', '!=', 'finishing')
      .where('kind', '!=', 'urls')
      .returning('id'),
  ),
  paused: statement<{ crawlerId: number }, { id: number }>((p) =>
    engineSql
      .selectFrom('runs')
      .select('id')
      .where('crawler_id', '=', p.crawlerId)
      .where(isLiving)
      .where('state', '=', 'paused')
      .limit(sql.lit(1)),
  ),
  endedWithRows: statement<{ crawlerId: number }, { id: number; open: number }>((p) =>
    engineSql
      .selectFrom('runs')
      .select(['id', 'open'])
      .where('crawler_id', '=', p.crawlerId)
      .where(hasRows)
      .where('state', 'in', ENDED)
      .orderBy('id'),
  ),
  waitingRows: statement<RunRows & { limit: number }, WaitingRow>((p) =>
    engineSql
      .selectFrom('frontier')
      .select(['url_id', 'host_id'])
      .where('crawler_id', '=', p.crawlerId)
      .where('activation', '=', p.activation)
      .where('run_id', '=', p.runId)
      .where('lane_id', 'is', null)
      .limit(p.limit),
  ),
  hasQueued: statement<RunRows & { flag: number }, { found: number }>((p) =>
    rawQuery(sql<{ found: number }>`SELECT (EXISTS (SELECT 1 FROM frontier WHERE crawler_id = ${p.crawlerId}
        AND activation = ${p.activation} AND run_id = ${p.runId} AND lane_id IS NULL AND flags & ${p.flag} <> 0)
      OR EXISTS (SELECT 1 FROM lanes JOIN frontier ON frontier.lane_id = lanes.id
        WHERE lanes.crawler_id = ${p.crawlerId} AND frontier.run_id = ${p.runId} AND flags & ${p.flag} <> 0)) AS found`),
  ),
  moveWaiting: statement<RunRows & { to: number; flag: number }>((p) =>
    engineSql
      .updateTable('frontier')
      .set({ run_id: p.to })
      .where('crawler_id', '=', p.crawlerId)
      .where('activation', '=', p.activation)
      .where('run_id', '=', p.runId)
      .where('lane_id', 'is', null)
      .where(sql<boolean>`flags & ${p.flag} <> 0`),
  ),
  moveLeased: statement<{ runId: number; crawlerId: number; to: number; flag: number }>((p) =>
    engineSql
      .updateTable('frontier')
      .set({ run_id: p.to })
      .where('lane_id', 'in', (row) => row.selectFrom('lanes').select('id').where('crawler_id', '=', p.crawlerId))
      .where('run_id', '=', p.runId)
      .where(sql<boolean>`flags & ${p.flag} <> 0`),
  ),
  dropRow: statement<{ urlId: number }>((p) => engineSql.deleteFrom('frontier').where('url_id', '=', p.urlId)),
  holdOf: statement<{ hostId: number; now: number }, { origin: string; hold_reason: string | null }>((p) =>
    engineSql
      .selectFrom('hosts')
      .select('origin')
      .select(sql<string | null>`CASE WHEN held_until > ${p.now} THEN hold_reason END`.as('hold_reason'))
      .where('id', '=', p.hostId),
  ),
  waitingByHost: statement<RunRows & { now: number; limit: number }, DeferredHost & { all_rows: number }>((p) =>
    rawQuery(sql<DeferredHost & { all_rows: number }>`SELECT hosts.origin, waiting.count AS rows,
      CASE WHEN hosts.held_until > ${p.now} THEN hosts.hold_reason END AS reason, sum(waiting.count) OVER () AS all_rows
      FROM (SELECT host_id, count(*) AS count FROM frontier WHERE crawler_id = ${p.crawlerId}
        AND activation = ${p.activation} AND run_id = ${p.runId} AND lane_id IS NULL GROUP BY host_id) AS waiting
      JOIN hosts ON hosts.id = waiting.host_id ORDER BY waiting.count DESC, hosts.id LIMIT ${p.limit}`),
  ),
  countWaiting: statement<RunRows, { count: number }>((p) =>
    engineSql
      .selectFrom('frontier')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('crawler_id', '=', p.crawlerId)
      .where('activation', '=', p.activation)
      .where('run_id', '=', p.runId)
      .where('lane_id', 'is', null),
  ),
  countLeased: statement<{ runId: number; crawlerId: number }, { count: number }>((p) =>
    engineSql
      .selectFrom('lanes')
      .innerJoin('frontier', 'frontier.lane_id', 'lanes.id')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('lanes.crawler_id', '=', p.crawlerId)
      .where('frontier.run_id', '=', p.runId),
  ),
  setOpen: statement<{ id: number; open: number }>((p) =>
    engineSql.updateTable('runs').set({ open: p.open }).where('id', '=', p.id),
  ),
};

type DeferredHost = { origin: string; rows: number; reason: string | null };

/** Write operation: no links of pages under way enter the run any more. */
export function* cutRun(
  id: number,
  limit: RunLimit,
  now: number,
  held?: ReadonlyMap<string, Reason>,
): Operation<boolean> {
  const run = yield* fetchFirst(runStatements.read, { id });
  if (run?.state !== 'running') return false;
  const rows = { runId: id, crawlerId: run.crawler_id, activation: run.activation };
  yield* keepQueued(id, now);
  const hosts = yield* fetchAll(runControlStatements.waitingByHost, { ...rows, now, limit: NAMED_HOSTS });
  const deferred = {
    rows: hosts[0]?.all_rows ?? 0,
    hosts: hosts.map(({ origin, rows: count, reason }) => ({
      origin,
      rows: count,
      reason: held?.get(origin) ?? reason,
    })),
  };
  const cut = { id, summary: JSON.stringify({ limit, deferred }), at: now };
  return (yield* execute(runControlStatements.cut, cut)).changes > 0;
}

/** Write operation. */
export function* pauseRuns(crawlerId: number, at: number, summary?: string): Operation<readonly number[]> {
  const paused = yield* fetchAll(runControlStatements.pause, { crawlerId, at, summary: summary ?? null });
  return paused.map(({ id }) => id);
}

/** Write operation. */
export function* resumeRuns(crawlerId: number, at: number): Operation<readonly number[]> {
  return (yield* fetchAll(runControlStatements.resume, { crawlerId, at })).map(({ id }) => id);
}

/** Write operation. */
export function* stopRun(crawlerId: number, at: number): Operation<readonly number[]> {
  const stopped = (yield* fetchAll(runControlStatements.stop, { crawlerId, at })).map(({ id }) => id);
  for (const id of stopped) yield* keepQueued(id, at);
  if (stopped.length > 0) yield* resumeRuns(crawlerId, at);
  return stopped;
}

/** What was queued through the API is no part of the run that ends: it moves to the run of queued URLs. */
function* keepQueued(runId: number, now: number): Operation<void> {
  const run = yield* fetchFirst(runStatements.read, { id: runId });
  if (run === undefined || run.open === 0) return;
  const { crawler_id: crawlerId, activation, config_version: configVersion } = run;
  const queued = { runId, crawlerId, activation, flag: FRONTIER_FLAGS.force };
  if ((yield* fetchFirst(runControlStatements.hasQueued, queued))?.found === 0) return;
  const to = yield* openUrlsRun({ crawlerId, activation, configVersion, now });
  const values = { ...queued, to };
  const moved =
    (yield* execute(runControlStatements.moveWaiting, values)).changes +
    (yield* execute(runControlStatements.moveLeased, values)).changes;
  const counts = new CrawlCounts();
  counts.add(runId, 'open', -moved);
  counts.add(to, 'open', moved);
  yield* counts.store();
}

export function* isPaused(crawlerId: number): Operation<boolean> {
  return (yield* fetchFirst(runControlStatements.paused, { crawlerId })) !== undefined;
}

/** Write operation. */
export function* discardRun(runId: number, limit: number, at: number): Operation<number> {
  const run = yield* fetchFirst(runStatements.read, { id: runId });
  if (run === undefined) return 0;
  const { crawler_id: crawlerId, activation, state } = run;
  const reasons = reasonsOf(run.summary);
  const rows = yield* fetchAll(runControlStatements.waitingRows, { runId, crawlerId, activation, limit });
  const counts = new CrawlCounts();
  for (const row of rows) {
    counts.add(runId, 'open', -1);
    yield* execute(runControlStatements.dropRow, { urlId: row.url_id });
    counts.addWaiting(row.host_id, -1);
    if (state !== 'stopped')
      yield* logDeferred(reasons, { crawlerId, runId, at, urlId: row.url_id, hostId: row.host_id });
  }
  yield* counts.store();
  return rows.length;
}

/** Why hosts that the summary of a run names were left alone. */
function reasonsOf(summary: string | null): ReadonlyMap<string, Reason | null> {
  const { deferred } = JSON.parse(summary ?? '{}') as {
    readonly deferred?: { readonly hosts: readonly DeferredHost[] };
  };
  return new Map(deferred?.hosts.map(({ origin, reason }) => [origin, reason as Reason | null]));
}

function* logDeferred(
  reasons: ReadonlyMap<string, Reason | null>,
  row: { readonly crawlerId: number; readonly runId: number; readonly at: number; urlId: number; hostId: number },
): Operation<void> {
  const host = yield* fetchFirst(runControlStatements.holdOf, { hostId: row.hostId, now: row.at });
  const reason = (host?.hold_reason as Reason | null | undefined) ?? reasons.get(host?.origin ?? '') ?? 'run-limit';
  const log = { outcome: 'deferred', reason, httpStatus: undefined, bytes: 0, millis: 0, detail: undefined } as const;
  yield* logVisit({ ...row, log });
}

/** Rows of ended runs lie on the frontier. */
export function* hasEndedRows(crawlerId: number): Operation<boolean> {
  return (yield* fetchAll(runControlStatements.endedWithRows, { crawlerId })).length > 0;
}

/** Inside a write: drops up to `limit` waiting rows of a crawler's runs that have ended; returns how many. */
export function* discardEnded({
  crawlerId,
  limit,
  at,
}: {
  readonly crawlerId: number;
  readonly limit: number;
  readonly at: number;
}): Operation<number> {
  let discarded = 0;
  for (const { id: runId, open } of yield* fetchAll(runControlStatements.endedWithRows, { crawlerId })) {
    // Leased rows come back and are dropped then.
    if (open === (yield* fetchFirst(runControlStatements.countLeased, { runId, crawlerId }))?.count) continue;
    const step = yield* discardRun(runId, limit - discarded, at);
    if (step === 0) yield* correctOpen(runId);
    discarded += step;
    if (discarded >= limit) break;
  }
  return discarded;
}

/** Write operation: the difference between the stored and the true number. */
export function* correctOpen(runId: number): Operation<number> {
  const run = yield* fetchFirst(runStatements.read, { id: runId });
  if (run === undefined) return 0;
  const { crawler_id: crawlerId, activation } = run;
  const waiting = (yield* fetchFirst(runControlStatements.countWaiting, { runId, crawlerId, activation }))?.count ?? 0;
  const leased = (yield* fetchFirst(runControlStatements.countLeased, { runId, crawlerId }))?.count ?? 0;
  const open = waiting + leased;
  if (open !== run.open) yield* execute(runControlStatements.setOpen, { id: runId, open });
  return open - run.open;
}
