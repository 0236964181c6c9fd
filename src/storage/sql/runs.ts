import { sql } from 'kysely';
import { RUN_KINDS, RUN_STATES, type RunKind, type RunState } from '../../core/crawl-words.ts';
import type { CreateRun, Run } from '../run-store.ts';
import { CrawlCounts, RUN_COUNTERS } from './crawl-counts.ts';
import { engineSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { rawQuery, statement } from './statement.ts';

/** How long a run of queued URLs waits for more of them (crawling: runs). */
const URLS_RUN_MS = 10_000;
const LIVING = ['planned', 'running', 'paused', 'finishing'] as const satisfies readonly RunState[];

type RunRow = {
  id: number;
  crawler_id: number;
  activation: number;
  kind: string;
  state: string;
  started_by: string;
  config_version: number;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  plan_done: number;
  open: number;
  found: number;
  visited: number;
  added: number;
  changed: number;
  unchanged: number;
  not_modified: number;
  skipped: number;
  failed: number;
  rendered: number;
  files: number;
  bytes: number;
  removed: number;
  removals_held: number;
  summary: string | null;
};

const RUN_COLUMNS = [
  'id',
  'crawler_id',
  'activation',
  'kind',
  'state',
  'started_by',
  'config_version',
  'created_at',
  'started_at',
  'ended_at',
  'plan_done',
  ...RUN_COUNTERS,
  'summary',
] as const;

export const runStatements = {
  size: statement<{ id: number }, { open: number; visited: number; state: string }>((p) =>
    engineSql.selectFrom('runs').select(['open', 'visited', 'state']).where('id', '=', p.id),
  ),
  removedSince: statement<{ crawlerId: number; since: number }, { removed: number | null }>((p) =>
    engineSql
      .selectFrom('runs')
      .select((row) => row.fn.sum<number | null>('removed').as('removed'))
      .where('crawler_id', '=', p.crawlerId)
      .where('created_at', '>=', p.since),
  ),
  cut: statement<{ id: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'finishing', plan_done: 1 })
      .where('id', '=', p.id)
      .where('state', '=', 'running'),
  ),
  reopenPlan: statement<{ id: number }>((p) =>
    engineSql.updateTable('runs').set({ plan_done: 0 }).where('id', '=', p.id).where('state', '=', 'running'),
  ),
  read: statement<{ id: number }, RunRow>((p) =>
    engineSql.selectFrom('runs').select(RUN_COLUMNS).where('id', '=', p.id),
  ),
  newest: statement<{ crawlerId: number; limit: number }, RunRow>((p) =>
    engineSql
      .selectFrom('runs')
      .select(RUN_COLUMNS)
      .where('crawler_id', '=', p.crawlerId)
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
  living: statement<Record<never, never>, RunRow>(() =>
    engineSql.selectFrom('runs').select(RUN_COLUMNS).where('state', 'in', LIVING).orderBy('id'),
  ),
  livingOf: statement<{ crawlerId: number }, { id: number; kind: string; activation: number; state: string }>((p) =>
    engineSql
      .selectFrom('runs')
      .select(['id', 'kind', 'activation', 'state'])
      .where('crawler_id', '=', p.crawlerId)
      .where('state', 'in', LIVING)
      .orderBy('id', 'desc'),
  ),
  create: statement<{
    crawlerId: number;
    activation: number;
    kind: string;
    state: string;
    startedBy: string;
    configVersion: number;
    at: number;
    startedAt: number | null;
    planDone: number;
  }>((p) =>
    engineSql.insertInto('runs').values({
      crawler_id: p.crawlerId,
      activation: p.activation,
      kind: p.kind,
      state: p.state,
      started_by: p.startedBy,
      config_version: p.configVersion,
      created_at: p.at,
      started_at: p.startedAt,
      plan_done: p.planDone,
    }),
  ),
  start: statement<{ id: number; at: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'running', started_at: p.at })
      .where('id', '=', p.id)
      .where('state', '=', 'planned'),
  ),
  end: statement<{ id: number; urlsCreatedBefore: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'finishing' })
      .where('id', '=', p.id)
      .where('state', '=', 'running')
      .where('open', '=', 0)
      .where('plan_done', '=', 1)
      .where((row) => row.or([row('kind', '!=', 'urls'), row('created_at', '<', p.urlsCreatedBefore)])),
  ),
  finish: statement<{ id: number; summary: string; at: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'finished', summary: p.summary, ended_at: p.at })
      .where('id', '=', p.id)
      .where('state', '=', 'finishing'),
  ),
  fail: statement<{ id: number; summary: string; at: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'failed', summary: p.summary, ended_at: p.at })
      .where('id', '=', p.id)
      .where('state', 'in', LIVING),
  ),
  stop: statement<{ crawlerId: number; activation: number; at: number }, { id: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'stopped', ended_at: p.at })
      .where('crawler_id', '=', p.crawlerId)
      .where('activation', '<', p.activation)
      .where('state', 'in', LIVING)
      .returning('id'),
  ),
  discard: statement<{ runId: number; crawlerId: number; activation: number; limit: number }, { host_id: number }>(
    (p) =>
      engineSql
        .deleteFrom('frontier')
        .where('url_id', 'in', (row) =>
          row
            .selectFrom('frontier')
            .select('url_id')
            .where('crawler_id', '=', p.crawlerId)
            .where('activation', '=', p.activation)
            .where('run_id', '=', p.runId)
            .where('lane_id', 'is', null)
            .limit(p.limit),
        )
        .returning('host_id'),
  ),
  countRows: statement<{ runId: number; crawlerId: number; activation: number }, { count: number }>((p) =>
    rawQuery(sql<{ count: number }>`SELECT
      (SELECT count(*) FROM frontier WHERE crawler_id = ${p.crawlerId} AND activation = ${p.activation}
        AND run_id = ${p.runId} AND lane_id IS NULL) +
      (SELECT count(*) FROM lanes JOIN frontier ON frontier.lane_id = lanes.id
        WHERE lanes.crawler_id = ${p.crawlerId} AND frontier.run_id = ${p.runId}) AS count`),
  ),
  setOpen: statement<{ id: number; open: number }>((p) =>
    engineSql.updateTable('runs').set({ open: p.open }).where('id', '=', p.id),
  ),
};

/** Write operation: undefined while another run than one of queued URLs lives. */
export function createRun(db: SqliteDatabase, input: CreateRun): number | undefined {
  const living = db.allOf(runStatements.livingOf, { crawlerId: input.crawlerId });
  if (living.some(({ kind }) => kind !== 'urls')) return undefined;
  const { crawlerId, activation, kind, startedBy, configVersion, at } = input;
  const row = { crawlerId, activation, kind, startedBy, configVersion, at, state: 'planned', startedAt: null };
  return db.runOf(runStatements.create, { ...row, planDone: 0 }).lastId;
}

/** Inside a write: the run that collects queued URLs. */
export function openUrlsRun(
  db: SqliteDatabase,
  input: {
    readonly crawlerId: number;
    readonly activation: number;
    readonly configVersion: number;
    readonly now: number;
  },
): number {
  const { crawlerId, activation, configVersion, now: at } = input;
  const living = db.allOf(runStatements.livingOf, { crawlerId });
  const open = living.find(
    (run) => run.kind === 'urls' && run.state === 'running' && run.activation === input.activation,
  );
  if (open !== undefined) return open.id;
  const row = { crawlerId, activation, configVersion, at, kind: 'urls', startedBy: 'queue' };
  return db.runOf(runStatements.create, { ...row, state: 'running', startedAt: at, planDone: 1 }).lastId;
}

/** Write operation. */
export function startRun(db: SqliteDatabase, input: { readonly id: number; readonly at: number }): boolean {
  return db.runOf(runStatements.start, input).changes > 0;
}

/** Write operation: true when the run turned to `finishing`. */
export function endRun(db: SqliteDatabase, { id, now }: { readonly id: number; readonly now: number }): boolean {
  return db.runOf(runStatements.end, { id, urlsCreatedBefore: now - URLS_RUN_MS }).changes > 0;
}

/** Write operation: no links of pages under way enter the run any more. */
export function cutRun(db: SqliteDatabase, { id }: { readonly id: number }): boolean {
  return db.runOf(runStatements.cut, { id }).changes > 0;
}

type EndOfRun = { readonly id: number; readonly summary: string; readonly at: number };

/** Write operation. */
export function finishRun(db: SqliteDatabase, input: EndOfRun): boolean {
  return db.runOf(runStatements.finish, input).changes > 0;
}

/** Write operation. */
export function failRun(db: SqliteDatabase, input: EndOfRun): boolean {
  return db.runOf(runStatements.fail, input).changes > 0;
}

/** Write operation. */
export function stopRuns(
  db: SqliteDatabase,
  input: { crawlerId: number; activation: number; at: number },
): readonly number[] {
  return db.allOf(runStatements.stop, input).map(({ id }) => id);
}

/** Write operation. */
export function discardRun(db: SqliteDatabase, { runId, limit }: { runId: number; limit: number }): number {
  const run = db.firstOf(runStatements.read, { id: runId });
  if (run === undefined) return 0;
  const { crawler_id: crawlerId, activation } = run;
  const rows = db.allOf(runStatements.discard, { runId, crawlerId, activation, limit });
  const counts = new CrawlCounts();
  for (const { host_id } of rows) counts.addWaiting(host_id, -1);
  counts.add(runId, 'open', -rows.length);
  counts.store(db);
  return rows.length;
}

/** Write operation: the difference between the stored and the true number. */
export function correctOpen(db: SqliteDatabase, { runId }: { runId: number }): number {
  const run = db.firstOf(runStatements.read, { id: runId });
  if (run === undefined) return 0;
  const { crawler_id: crawlerId, activation } = run;
  const open = db.firstOf(runStatements.countRows, { runId, crawlerId, activation })?.count ?? 0;
  if (open !== run.open) db.runOf(runStatements.setOpen, { id: runId, open });
  return open - run.open;
}

export function countRemoved(db: SqliteDatabase, crawlerId: number, since: number): number {
  return db.firstOf(runStatements.removedSince, { crawlerId, since })?.removed ?? 0;
}

export function findRun(db: SqliteDatabase, runId: number): Run | undefined {
  const row = db.firstOf(runStatements.read, { id: runId });
  return row === undefined ? undefined : runOf(row);
}

export function listRuns(db: SqliteDatabase, crawlerId: number, limit: number): readonly Run[] {
  return db.allOf(runStatements.newest, { crawlerId, limit }).map(runOf);
}

export function livingRuns(db: SqliteDatabase): readonly Run[] {
  return db.allOf(runStatements.living, {}).map(runOf);
}

function runOf(row: RunRow): Run {
  return {
    id: row.id,
    crawlerId: row.crawler_id,
    activation: row.activation,
    kind: RUN_KINDS.find((kind) => kind === row.kind) as RunKind,
    state: RUN_STATES.find((state) => state === row.state) as RunState,
    startedBy: row.started_by,
    configVersion: row.config_version,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    planDone: row.plan_done === 1,
    open: row.open,
    found: row.found,
    visited: row.visited,
    added: row.added,
    changed: row.changed,
    unchanged: row.unchanged,
    notModified: row.not_modified,
    skipped: row.skipped,
    failed: row.failed,
    rendered: row.rendered,
    files: row.files,
    bytes: row.bytes,
    removed: row.removed,
    removalsHeld: row.removals_held,
    summary: row.summary ?? undefined,
  };
}
