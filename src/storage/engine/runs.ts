import { type Reason, RUN_KINDS, RUN_STATES, type RunKind, type RunState } from '../../core/crawl-words.ts';
import { defineStore, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { correctOpen, cutRun, discardRun, pauseRuns, resumeRuns, stopRun } from './run-control.ts';
import { planRun } from './run-plan.ts';
import {
  createRun,
  dropQueueRuns,
  endRun,
  failRun,
  finishRun,
  type RunRow,
  runStatements,
  startRun,
  stopRuns,
} from './run-states.ts';

/**
 * Part of the port `EngineStore`: runs of crawlers. Promises:
 * 1. at most one `full` or `incremental` run of a crawler is under way, and at most one more waits for its end: a second
 *    request joins it, and `full` takes the place of a waiting `incremental`; `whenBusy: 'skip'` makes none, and
 *    `'skip-covered'` none while a `full` one or one of its kind lives;
 * 2. a run changes its state only along planned → running ⇄ paused, running → finishing → finished, or to stopped or
 *    failed from any state before finished; a change from another state does nothing and answers false or nothing;
 * 3. `planRun` puts each URL that the run visits on the frontier once, in steps, whatever dies between them;
 * 4. a run ends (`endRun`) only when its plan is done and no row of it waits or is leased;
 * 5. while a run of a crawler is paused, no row of the crawler is taken, and what is queued waits with it;
 * 6. no row of a run that was stopped or cut is taken any more; URLs that were queued move on to the open `urls` run.
 */
export interface RunStore {
  createRun(input: CreateRun): Promise<number | undefined>;
  startRun(runId: number, at: number): Promise<boolean>;
  /** Plans up to `limit` URL records more; `done` when there are none left. */
  planRun(runId: number, limit: number, now: number): Promise<{ readonly planned: number; readonly done: boolean }>;
  /** True when the run turned to `finishing`; a run of queued URLs waits until it has been empty for 10 s. */
  endRun(runId: number, now: number): Promise<boolean>;
  finishRun(runId: number, summary: string, at: number): Promise<boolean>;
  failRun(runId: number, reason: string, at: number): Promise<boolean>;
  /**
   * The run has reached a limit: it takes nothing new and turns to `finishing`, whatever it holds. Its summary so far
   * names the limit and what was left undone, `held` why for hosts that are held for all crawlers; its rows leave
   * through `discardRun`.
   */
  cutRun(runId: number, limit: RunLimit, at: number, held?: ReadonlyMap<string, Reason>): Promise<boolean>;
  /** Pauses the running runs of a crawler; resolves with them. `summary` (JSON) says why, until they go on. */
  pauseRuns(crawlerId: number, at: number, summary?: string): Promise<readonly number[]>;
  resumeRuns(crawlerId: number, at: number): Promise<readonly number[]>;
  /**
   * Stops the `full` and `incremental` runs of a crawler, also those that wait, and resolves with them; its queued URLs
   * go on, also when they were paused.
   */
  stopRun(crawlerId: number, at: number): Promise<readonly number[]>;
  /** Stops living runs of older activations of a crawler; their waiting rows leave through `discardVoid`. */
  stopRuns(crawlerId: number, activation: number, at: number): Promise<readonly number[]>;
  /**
   * Drops waiting rows of a run that was stopped or cut, at most `limit`; resolves with how many. Those of a run that
   * was cut are logged as deferred.
   */
  discardRun(runId: number, limit: number, at: number): Promise<number>;
  /** Sets `open` to the number of the run's rows; resolves with the difference found. */
  correctOpen(runId: number): Promise<number>;

  findRun(runId: number): Promise<Run | undefined>;
  /** Newest first. */
  listRuns(crawlerId: number, limit: number): Promise<readonly Run[]>;
  /** Newest first, without those of queued URLs. */
  scheduledRuns(crawlerId: number, limit: number): Promise<readonly Run[]>;
  /** Drops runs of queued URLs that ended and were made before that time, at most `limit`; resolves with how many. */
  dropQueueRuns(crawlerId: number, before: number, limit: number): Promise<number>;
  countRuns(crawlerId: number): Promise<readonly RunCounters[]>;
  /** Runs that are planned, running, paused or finishing, oldest first, of all crawlers. */
  livingRuns(): Promise<readonly Run[]>;
  livingRunsOf(crawlerId: number): Promise<readonly Run[]>;
  /** Of each of the crawlers; some 20 µs each. */
  latestRuns(crawlerIds: readonly number[]): Promise<ReadonlyMap<number, LatestRuns>>;
}

export type LatestRuns = {
  /** Oldest first. */
  readonly living: readonly Run[];
  /** The newest five, newest first, without those of queued URLs. */
  readonly scheduled: readonly Run[];
  /** The newest that finished, of those. */
  readonly lastFinished: Run | undefined;
};

export type CreateRun = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly kind: 'full' | 'incremental';
  readonly startedBy: string;
  readonly configVersion: number;
  readonly at: number;
  readonly whenBusy: 'wait' | 'skip' | 'skip-covered';
};

/** Settings that end a run before everything was visited. */
export type RunLimit = 'runMinutes' | 'runBytes';

type RunCounts = {
  readonly open: number;
  readonly found: number;
  readonly visited: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly notModified: number;
  readonly skipped: number;
  readonly failed: number;
  /** Pages read in a browser. */
  readonly rendered: number;
  readonly files: number;
  readonly bytes: number;
  readonly removed: number;
  readonly removalsHeld: number;
  /** Visits that met a page which may be gone; its document stays. */
  readonly suspected: number;
};

type RunCounters = { readonly kind: RunKind; readonly state: RunState; readonly count: number };

export type Run = RunCounts & {
  readonly id: number;
  readonly crawlerId: number;
  readonly activation: number;
  readonly kind: RunKind;
  readonly state: RunState;
  readonly startedBy: string;
  readonly configVersion: number;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly planDone: boolean;
  /** Since when it has had nothing to visit, or nothing that it may. */
  readonly idleSince: number | undefined;
  /** JSON. */
  readonly summary: string | undefined;
  /** Time that the run was paused, up to its last resumption. */
  readonly pausedMs: number;
};

export const runStore = defineStore<RunStore>()(
  { findRun, listRuns, scheduledRuns, countRuns, livingRuns, livingRunsOf, latestRuns },
  {
    createRun,
    startRun,
    planRun,
    endRun,
    finishRun,
    failRun,
    cutRun,
    pauseRuns,
    resumeRuns,
    stopRun,
    stopRuns,
    discardRun,
    correctOpen,
    dropQueueRuns,
  },
);

function* findRun(runId: number): Operation<Run | undefined> {
  const row = yield* fetchFirst(runStatements.read, { id: runId });
  return row === undefined ? undefined : runOf(row);
}

function* listRuns(crawlerId: number, limit: number): Operation<readonly Run[]> {
  return (yield* fetchAll(runStatements.newest, { crawlerId, limit })).map(runOf);
}

function* scheduledRuns(crawlerId: number, limit: number): Operation<readonly Run[]> {
  return (yield* fetchAll(runStatements.scheduled, { crawlerId, limit })).map(runOf);
}

function* countRuns(crawlerId: number): Operation<readonly RunCounters[]> {
  return (yield* fetchAll(runStatements.counted, { crawlerId })) as readonly RunCounters[];
}

function* livingRuns(): Operation<readonly Run[]> {
  return (yield* fetchAll(runStatements.living, {})).map(runOf);
}

export function* livingRunsOf(crawlerId: number): Operation<readonly Run[]> {
  return (yield* fetchAll(runStatements.livingOf, { crawlerId })).map(runOf);
}

const LATEST = 5;

function* latestRuns(crawlerIds: readonly number[]): Operation<ReadonlyMap<number, LatestRuns>> {
  const latest = new Map<number, LatestRuns>();
  for (const crawlerId of crawlerIds) {
    const finished = yield* fetchFirst(runStatements.lastFinished, { crawlerId });
    latest.set(crawlerId, {
      living: yield* livingRunsOf(crawlerId),
      scheduled: yield* scheduledRuns(crawlerId, LATEST),
      lastFinished: finished === undefined ? undefined : runOf(finished),
    });
  }
  return latest;
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
    idleSince: row.idle_since ?? undefined,
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
    suspected: row.suspected,
    summary: row.summary ?? undefined,
    pausedMs: row.paused_ms,
  };
}
