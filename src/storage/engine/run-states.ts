import { sql } from 'kysely';
import { execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { RUN_COUNTERS } from './crawl-counts.ts';
import type { CreateRun } from './runs.ts';

/** How long a run of queued URLs waits for more of them (crawling: runs). */
const URLS_RUN_MS = 10_000;
/** The text of the index `runs_living`, which is used for no other. */
export const isLiving = sql<boolean>`state IN ('planned', 'running', 'paused', 'finishing')`;

export type RunRow = {
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
  suspected: number;
  summary: string | null;
  paused_ms: number;
  idle_since: number | null;
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
  'paused_ms',
  'idle_since',
] as const;

export const runStatements = {
  size: statement<{ id: number }, { open: number; visited: number; state: string }>((p) =>
    engineSql.selectFrom('runs').select(['open', 'visited', 'state']).where('id', '=', p.id),
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
  dropQueueRuns: statement<{ crawlerId: number; before: number; limit: number }>((p) =>
    engineSql
      .deleteFrom('runs')
      .where('id', 'in', (row) =>
        row
          .selectFrom('runs')
          .select('id')
          .where('crawler_id', '=', p.crawlerId)
          .where('kind', '=', 'urls')
          .where('state', 'in', ['finished', 'stopped', 'failed'])
          .where('open', '=', 0)
          .where('created_at', '<', p.before)
          .orderBy('id')
          .limit(p.limit),
      ),
  ),
  counted: statement<{ crawlerId: number }, { kind: string; state: string; count: number }>((p) =>
    engineSql
      .selectFrom('runs')
      .select(['kind', 'state'])
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('crawler_id', '=', p.crawlerId)
      .groupBy(['kind', 'state']),
  ),
  scheduled: statement<{ crawlerId: number; limit: number }, RunRow>((p) =>
    engineSql
      .selectFrom('runs')
      .select(RUN_COLUMNS)
      .where('crawler_id', '=', p.crawlerId)
      .where(sql<boolean>`kind <> 'urls'`)
      .orderBy('id', 'desc')
      .limit(p.limit),
  ),
  lastFinished: statement<{ crawlerId: number }, RunRow>((p) =>
    engineSql
      .selectFrom('runs')
      .select(RUN_COLUMNS)
      .where('crawler_id', '=', p.crawlerId)
      .where(sql<boolean>`kind <> 'urls'`)
      .where('state', '=', 'finished')
      .orderBy('id', 'desc')
      .limit(sql.lit(1)),
  ),
  living: statement<Record<never, never>, RunRow>(() =>
    engineSql.selectFrom('runs').select(RUN_COLUMNS).where(isLiving).orderBy('id'),
  ),
  livingOf: statement<{ crawlerId: number }, RunRow>((p) =>
    engineSql
      .selectFrom('runs')
      .select(RUN_COLUMNS)
      .where('crawler_id', '=', p.crawlerId)
      .where(isLiving)
      .orderBy('id'),
  ),
  toFull: statement<{ id: number }>((p) => engineSql.updateTable('runs').set({ kind: 'full' }).where('id', '=', p.id)),
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
  idle: statement<{ id: number; now: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ idle_since: p.now })
      .where('id', '=', p.id)
      .where('open', '=', 0)
      .where('idle_since', 'is', null),
  ),
  end: statement<{ id: number; idleBefore: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'finishing' })
      .where('id', '=', p.id)
      .where('state', '=', 'running')
      .where('open', '=', 0)
      .where('plan_done', '=', 1)
      .where((row) => row.or([row('kind', '!=', 'urls'), row('idle_since', '<=', p.idleBefore)])),
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
      .where(isLiving),
  ),
  stop: statement<{ crawlerId: number; activation: number; at: number }, { id: number }>((p) =>
    engineSql
      .updateTable('runs')
      .set({ state: 'stopped', ended_at: p.at })
      .where('crawler_id', '=', p.crawlerId)
      .where('activation', '<', p.activation)
      .where(isLiving)
      .returning('id'),
  ),
};

/**
 * Write operation: while another run than one of queued URLs lives, the new one waits for its end, or is not made. A
 * second request joins the run that waits; a full run takes the place of a waiting incremental one.
 */
export function* createRun(input: CreateRun): Operation<number | undefined> {
  const { crawlerId, activation, kind, startedBy, configVersion, at, whenBusy } = input;
  const living = (yield* fetchAll(runStatements.livingOf, { crawlerId })).filter((run) => run.kind !== 'urls');
  const isCovered = living.some((run) => run.kind === 'full' || run.kind === kind);
  if (whenBusy === 'skip' ? living.length > 0 : whenBusy === 'skip-covered' && isCovered) return undefined;
  const waiting = living.find((run) => run.state === 'planned' && run.activation === activation);
  if (waiting !== undefined) {
    if (kind === 'full') yield* execute(runStatements.toFull, { id: waiting.id });
    return waiting.id;
  }
  const row = { crawlerId, activation, kind, startedBy, configVersion, at, state: 'planned', startedAt: null };
  return (yield* execute(runStatements.create, { ...row, planDone: 0 })).lastId;
}

/** Inside a write: the run that collects queued URLs; paused while the crawler is. */
export function* openUrlsRun(input: {
  readonly crawlerId: number;
  readonly activation: number;
  readonly configVersion: number;
  readonly now: number;
}): Operation<number> {
  const { crawlerId, activation, configVersion, now: at } = input;
  const living = yield* fetchAll(runStatements.livingOf, { crawlerId });
  const ofQueue = living.filter((run) => run.kind === 'urls' && run.activation === input.activation);
  const open = ofQueue.find(({ state }) => state === 'running' || state === 'paused');
  if (open !== undefined) return open.id;
  const state = living.some((run) => run.state === 'paused') ? 'paused' : 'running';
  const row = { crawlerId, activation, configVersion, at, kind: 'urls', startedBy: 'queue' };
  return (yield* execute(runStatements.create, { ...row, state, startedAt: at, planDone: 1 })).lastId;
}

/** Write operation: false while another run than one of queued URLs has not ended. */
export function* startRun(id: number, at: number): Operation<boolean> {
  const crawlerId = (yield* fetchFirst(runStatements.read, { id }))?.crawler_id ?? 0;
  const living = yield* fetchAll(runStatements.livingOf, { crawlerId });
  if (living.some(({ kind, state }) => kind !== 'urls' && state !== 'planned')) return false;
  return (yield* execute(runStatements.start, { id, at })).changes > 0;
}

/** Write operation: true when the run turned to `finishing`. */
export function* endRun(id: number, now: number): Operation<boolean> {
  yield* execute(runStatements.idle, { id, now });
  return (yield* execute(runStatements.end, { id, idleBefore: now - URLS_RUN_MS })).changes > 0;
}

/** Write operation. */
export function* finishRun(id: number, summary: string, at: number): Operation<boolean> {
  return (yield* execute(runStatements.finish, { id, summary, at })).changes > 0;
}

/** Write operation. */
export function* failRun(id: number, summary: string, at: number): Operation<boolean> {
  return (yield* execute(runStatements.fail, { id, summary, at })).changes > 0;
}

/** Write operation. */
export function* stopRuns(crawlerId: number, activation: number, at: number): Operation<readonly number[]> {
  return (yield* fetchAll(runStatements.stop, { crawlerId, activation, at })).map(({ id }) => id);
}

/** Write operation. */
export function* dropQueueRuns(crawlerId: number, before: number, limit: number): Operation<number> {
  return (yield* execute(runStatements.dropQueueRuns, { crawlerId, before, limit })).changes;
}
