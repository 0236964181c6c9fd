import type { Clock } from '../core/clock.ts';
import type { Stage } from '../core/crawl-words.ts';
import { AppError } from '../core/errors.ts';
import { createHolderWatch } from '../core/holder-watch.ts';
import type { Crawler } from '../core/records.ts';
import type { Wake } from '../core/wake.ts';
import type { Log } from '../observability/logger.ts';
import type { Run } from '../storage/engine/runs.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import type { HostHold } from '../storage/system/host-holds.ts';
import { resolveDuplicates } from './duplicates.ts';
import { hasPagesToReExtract } from './find-pending-pages.ts';
import { makeRowsDue } from './host-control.ts';
import type { HostHolds } from './host-holds.ts';
import { applyRemovals } from './removals.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';
import { lanesFor } from './rules/politeness.ts';
import { isOpen, lastDueAt, limitReached, parseSchedule, type ScheduleRule, windowOf } from './rules/schedule.ts';
import { type CrawlSettings, parseCrawlSettings } from './rules/settings.ts';
import { settleTitles } from './settle-titles.ts';
import { advanceRuns, beginRun, startRun } from './start-run.ts';
import { summarizeRun } from './summarize-run.ts';

export type SweepDeps = {
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly hostHolds: HostHolds;
  readonly clock: Clock;
  readonly log: Log;
  /** Time zone of schedules that name none. */
  readonly timezone: string;
};

/** A slice that should be there: lane 0 is that of queued URLs, and of early pages that are read again. */
export type WantedSlice = {
  readonly engineId: number;
  readonly crawlerId: number;
  readonly stage: Stage;
  readonly lane: number;
  /** Times that the lane has been taken: a second slice is not made while one with this number waits. */
  readonly fence: number;
};

const CONFIRMATIONS = 100;
/** Documents of decided removals that one sweep settles. */
const APPLIED_REMOVALS = 2_000;
/** Lane that is kept for queued pages. */
const QUEUE_LANE = 0;
/**
 * What is worked on, and the lanes that it may have. A browser has one page of a slice
 * open, and two pages at a time fill two cores.
 */
type Work = {
  readonly stage: Stage;
  readonly maxPriority: number;
  readonly lanes: (slots: readonly number[]) => number[];
};
const WORK: readonly Work[] = [
  { stage: 'page', maxPriority: 0, lanes: () => [QUEUE_LANE] },
  {
    stage: 'page',
    maxPriority: 3,
    lanes: (slots) => Array.from({ length: lanesFor(slots) }, (_, position) => position + 1),
  },
  { stage: 'render', maxPriority: 3, lanes: () => [1, 2] },
  { stage: 'file', maxPriority: 3, lanes: () => [1] },
];
/** Outside of the window: queued URLs, through all stages. */
const WORK_ON_QUEUED = WORK.filter((work) => work.stage !== 'page' || work.maxPriority === 0).map((work) => ({
  ...work,
  maxPriority: 0,
}));
const DUE_HOSTS = 1_000;
/** Runs that are looked at for the last one of a kind. */
const RUNS = 50;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/**
 * Finds in the stores what is due for a crawler and does what is not a slice's work: begins planned runs, goes on
 * with plans, ends and finishes runs, discards void rows, queues rechecks, starts a missed run. Resolves with the
 * slices that are missing. Needs nothing of Redis, so that everything there can be made again.
 */
export async function sweepCrawler(
  deps: SweepDeps,
  crawler: Crawler,
  signal: AbortSignal,
): Promise<readonly WantedSlice[]> {
  const store = await deps.engineStores.of(crawler.engineId);
  const { id: crawlerId, activation, configVersion } = crawler;
  const living = await store.livingRunsOf(crawlerId);
  await endOldRuns(deps, { store, crawler, living });
  await discardWaiting(store, { crawlerId, activation, now: deps.clock.now() }, signal);
  await applyRemovals({ store, clock: deps.clock }, crawlerId, APPLIED_REMOVALS);
  if (!crawler.active) {
    await applyLinkTexts(deps, { store, crawlerId }, signal);
    return [];
  }
  await endHoldsOfOldSettings(deps, crawler);
  const ofActivation = living.filter((run) => run.activation === activation);
  const { waitsForReading } = await driveRuns(deps, { store, crawler, living: ofActivation }, signal);
  await applyLinkTexts(deps, { store, crawlerId }, signal);
  await startMissedRun(deps, store, crawler);
  if (living.some(({ state }) => state === 'paused')) return [];
  await store.queueConfirmations({ crawlerId, activation, configVersion, now: deps.clock.now() }, CONFIRMATIONS);
  const wanted = await wantedSlices(deps, store, crawler);
  const readsAnyway = wanted.some(({ stage }) => stage === 'page');
  return waitsForReading && !readsAnyway ? [...wanted, ...(await readingSlice(store, crawler))] : wanted;
}

/** Pages link to what a run has not read yet: while one is under way, documents learn their link texts now and then. */
const LINK_TEXTS_EVERY_MS = 10 * MINUTE;
/** URLs of one write, and writes of one sweep. */
const LINK_TEXT_STEP = 100;
const LINK_TEXT_STEPS = 20;

/** Lets documents know how links call them. */
async function applyLinkTexts(
  { clock }: SweepDeps,
  { store, crawlerId }: { readonly store: EngineStore; readonly crawlerId: number },
  signal: AbortSignal,
): Promise<void> {
  const isBusy = (await store.livingRunsOf(crawlerId)).length > 0;
  const changedBefore = clock.now() - (isBusy ? LINK_TEXTS_EVERY_MS : 0);
  for (let step = 0; step < LINK_TEXT_STEPS && !signal.aborted; step++) {
    const found = await store.applyLinkTexts({ crawlerId, changedBefore, limit: LINK_TEXT_STEP });
    if (found < LINK_TEXT_STEP) return;
  }
}

/** What other settings met says nothing of the present ones. */
async function endHoldsOfOldSettings(deps: SweepDeps, crawler: Crawler): Promise<void> {
  const isOld = (hold: HostHold) => hold.crawlerId === crawler.id && hold.configVersion < crawler.configVersion;
  for (const origin of new Set(deps.hostHolds.all().flatMap((hold) => (isOld(hold) ? [hold.origin] : [])))) {
    await deps.hostHolds.end(origin);
    await makeRowsDue(deps, crawler, origin);
  }
}

type Swept = { readonly store: EngineStore; readonly crawler: Crawler; readonly living: readonly Run[] };

/** A process died between the change of the crawler and the stop of its runs. */
async function endOldRuns({ clock }: SweepDeps, { store, crawler, living }: Swept): Promise<void> {
  const isOld = living.some((run) => run.activation < crawler.activation);
  if (isOld) await store.stopRuns(crawler.id, crawler.activation, clock.now());
}

/** `waitsForReading`: a run cannot be finished before a slice has read early pages again. */
async function driveRuns(
  deps: SweepDeps,
  { store, crawler, living }: Swept,
  signal: AbortSignal,
): Promise<{ readonly waitsForReading: boolean }> {
  const { id: crawlerId, activation } = crawler;
  for (const run of living) {
    // A run that was begun and has no row and no plan lost its process at the seeds.
    const lostSeeds = run.state === 'running' && !run.planDone && run.open === 0;
    if (run.state === 'planned' || lostSeeds) await beginRun(deps, { store, crawler, runId: run.id });
    await endAtLimit(deps, { store, crawler, run });
  }
  await advanceRuns(deps, { store, crawlerId, activation });
  await discardWaiting(store, { crawlerId, activation, now: deps.clock.now() }, signal);
  const left = await store.livingRunsOf(crawlerId);
  const waitsForReading =
    mayWaitForReading(left, deps.clock.now()) && (await hasPagesToReExtract({ ...deps, store }, crawlerId, signal));
  for (const run of left) {
    if (run.state === 'finishing' && !waitsForReading) await finishRun({ ...deps, store }, crawler, run.id);
    // The one that waited comes behind it in the list.
    if (run.state === 'planned') await beginRun(deps, { store, crawler, runId: run.id });
  }
  return { waitsForReading };
}

/** How long an ended run waits until early pages have been read again. */
const LONGEST_READING_MS = 5 * MINUTE;

/** While another run goes on, or is paused, there may be no slice that could for a long time. */
function mayWaitForReading(living: readonly Run[], now: number): boolean {
  const ended = living.filter(({ state }) => state === 'finishing');
  const isOver = living.every(({ open, state }) => open === 0 && state !== 'paused');
  return isOver && ended.some(({ idleSince = 0 }) => now - idleSince < LONGEST_READING_MS);
}

async function endAtLimit(
  { clock, timezone, hostHolds }: SweepDeps,
  { store, crawler, run }: { readonly store: EngineStore; readonly crawler: Crawler; readonly run: Run },
): Promise<void> {
  const { settings } = compileCrawlRules(crawler);
  const now = clock.now();
  const limit = limitReached(run, settings, { now, timezone: settings.timezone ?? timezone });
  if (limit === undefined) return;
  const held = hostHolds.ofHosts(now);
  await store.cutRun(run.id, limit, now, new Map(held.map(({ origin, reason }) => [origin, reason])));
}

/** Log rows of one step, and how long the log keeps them. */
const LOG_STEP = 5_000;
const LOG_RETENTION_MS = 90 * 24 * 60 * MINUTE;

/** What costs more than a look: counts the rows of running runs, shortens the log of visits, forgets old removals. */
export async function checkCrawler(deps: Omit<SweepDeps, 'hostHolds'>, crawler: Crawler): Promise<void> {
  const store = await deps.engineStores.of(crawler.engineId);
  for (const run of await store.livingRunsOf(crawler.id)) {
    if (run.state !== 'running') continue;
    const difference = await store.correctOpen(run.id);
    if (difference !== 0) deps.log.error({ runId: run.id, difference }, 'run had a wrong number of open rows');
  }
  const now = deps.clock.now();
  await store.dropVisits(crawler.id, now - LOG_RETENTION_MS, LOG_STEP);
  await store.dropQueueRuns(crawler.id, now - LOG_RETENTION_MS, LOG_STEP);
  const { undoDays } = compileCrawlRules(crawler).settings.removal;
  await store.expireRemovals(crawler.id, now - undoDays * DAY, LOG_STEP);
}

/** After downtime, or an emptied Redis: one missed run, not several. */
async function startMissedRun(deps: SweepDeps, store: EngineStore, crawler: Crawler): Promise<void> {
  const runs = await store.scheduledRuns(crawler.id, RUNS);
  const { schedule, timezone = deps.timezone } = compileCrawlRules(crawler).settings;
  if (runs.every((run) => run.activation !== crawler.activation)) {
    await startRun(deps, crawler, { kind: 'full', startedBy: 'sweep', whenBusy: 'skip' });
    return;
  }
  for (const kind of ['full', 'incremental'] as const) {
    const rule = parseSchedule(schedule[kind], crawler.id);
    const last = runs.find((run) => run.kind === 'full' || run.kind === kind)?.createdAt ?? crawler.activeSince ?? 0;
    if (rule !== undefined && isMissed(rule, { timezone, last, now: deps.clock.now() })) {
      await startRun(deps, crawler, { kind, startedBy: 'schedule', whenBusy: 'skip' });
    }
  }
}

/** The scheduler gets this long to start a run by itself. */
const SCHEDULER_MS = 2 * MINUTE;

function isMissed(
  rule: ScheduleRule,
  { timezone, last, now }: { readonly timezone: string; readonly last: number; readonly now: number },
): boolean {
  const dueAt = 'everyMs' in rule ? last + rule.everyMs : (lastDueAt(rule, timezone, now) ?? 0);
  return dueAt > last && dueAt + SCHEDULER_MS < now;
}

/** Lanes that nobody works on, and that have rows to take back or rows that are due. */
async function wantedSlices(
  { clock, timezone, hostHolds }: SweepDeps,
  store: EngineStore,
  crawler: Crawler,
): Promise<readonly WantedSlice[]> {
  const { engineId, id: crawlerId, activation } = crawler;
  const now = clock.now();
  const { settings } = compileCrawlRules(crawler);
  const isClosed = !isOpen(windowOf(settings, settings.timezone ?? timezone), now);
  const lanes = await store.listLanes(crawlerId);
  const heldOrigins = hostHolds.heldOrigins(now);
  const wanted: WantedSlice[] = [];
  for (const { stage, maxPriority, lanes: lanesOf } of isClosed ? WORK_ON_QUEUED : WORK) {
    const input = { crawlerId, activation, stage, maxPriority, after: 0, limit: DUE_HOSTS, now, heldOrigins };
    const due = (await store.hostsWithWork(input)).filter(({ dueAt }) => dueAt <= now);
    for (const lane of due.length === 0 ? [] : lanesOf(due.map(({ slots }) => slots))) {
      const known = lanes.find((held) => held.stage === stage && held.lane === lane);
      if (known?.isHeld) continue;
      wanted.push({ engineId, crawlerId, stage, lane, fence: known?.fence ?? 0 });
    }
  }
  return wanted;
}

/** One that reads pages again, unless somebody works on pages, in the lane that is open at any time. */
async function readingSlice(store: EngineStore, { engineId, id: crawlerId }: Crawler): Promise<readonly WantedSlice[]> {
  const lanes = (await store.listLanes(crawlerId)).filter(({ stage }) => stage === 'page');
  if (lanes.some(({ isHeld }) => isHeld)) return [];
  const fence = lanes.find(({ lane }) => lane === QUEUE_LANE)?.fence ?? 0;
  return [{ engineId, crawlerId, stage: 'page', lane: QUEUE_LANE, fence }];
}

/** Silence after which a lane is withdrawn from a holder that lives. */
const SILENCE_MS = 5_000;

export type LaneWatch = {
  /** Slices that take back what holders left that are gone. To be asked once a second or so. */
  abandonedSlices(store: EngineStore): Promise<readonly WantedSlice[]>;
};

/** Withdraws the lanes of dead processes at once, and of those that stand still after 5 s, whatever the clocks say. */
export function createLaneWatch(deps: Omit<Parameters<typeof createHolderWatch>[0], 'silenceMs'>): LaneWatch {
  const watch = createHolderWatch({ ...deps, silenceMs: SILENCE_MS });
  return {
    abandonedSlices: async (store) => {
      const { engineId } = store;
      for (const { laneId, fence, holder, beats } of await store.leasedLanes()) {
        const isGone = await watch.isGone({ name: `${engineId}/${laneId}`, holder, beats });
        if (isGone) await store.withdrawLane({ laneId, fence, beats });
      }
      const abandoned = await store.abandonedLanes();
      return abandoned.map((lane) => ({ engineId, ...lane }));
    },
  };
}

/** Rows of one step: a short transaction. */
const STEP = 5_000;

/** Drops what waits under older activations and in ended runs of a crawler, in steps; resolves with how many. */
async function discardWaiting(
  store: Pick<EngineStore, 'discardVoid'>,
  input: { readonly crawlerId: number; readonly activation: number; readonly now: number },
  signal: AbortSignal,
): Promise<number> {
  let discarded = 0;
  while (!signal.aborted) {
    const step = await store.discardVoid({ ...input, limit: STEP });
    discarded += step;
    if (step < STEP) break;
  }
  return discarded;
}

/**
 * Turns a run from finishing to finished: judges duplicates once more, settles titles and writes its summary; what was said
 * when it was cut stays in it. Repeatable until it is finished. False: somebody else did, or it has not ended.
 */
async function finishRun(
  deps: { readonly store: EngineStore; readonly hostHolds: Pick<HostHolds, 'ofHosts'>; readonly clock: Clock },
  crawler: Pick<Crawler, 'config'>,
  runId: number,
): Promise<boolean> {
  const { store, hostHolds, clock } = deps;
  const run = await store.findRun(runId);
  if (run?.state !== 'finishing') return false;
  const at = clock.now();
  const settings = run.kind === 'urls' ? undefined : settingsOf(crawler);
  const duplicates = settings && (await resolveDuplicates({ store, now: at }, run, settings.duplicates));
  const pageLimit = settings?.limits.pages ?? Number.POSITIVE_INFINITY;
  await settleTitles(store, run.crawlerId, at);
  const summary = await summarizeRun({ store, hostHolds }, run, { at, duplicates, pageLimit });
  const cut: unknown = JSON.parse(run.summary ?? '{}');
  return store.finishRun(runId, JSON.stringify({ ...summary, ...(cut as object) }), at);
}

/** A run ends also when the settings of its crawler have become invalid. */
function settingsOf({ config }: Pick<Crawler, 'config'>): CrawlSettings | undefined {
  try {
    return parseCrawlSettings(config);
  } catch (error) {
    if (error instanceof AppError && error.code === 'request.invalid') return undefined;
    throw error;
  }
}

export type ControlRunDeps = {
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
  readonly wake: Wake;
};

/**
 * Pauses what a crawler does: nothing starts until it is resumed, its rows stay, and URLs queued meanwhile wait too.
 * Visits under way end and are recorded. Resolves with the runs that are paused now; repeatable.
 * @throws AppError `record.conflict` when no run is under way
 */
export async function pauseRun(deps: ControlRunDeps, { id, engineId }: Crawler): Promise<readonly number[]> {
  const store = await deps.engineStores.of(engineId);
  await store.pauseRuns(id, deps.clock.now());
  const paused = (await store.livingRunsOf(id)).filter(({ state }) => state === 'paused').map((run) => run.id);
  if (paused.length === 0) throw new AppError('record.conflict', `No run of crawler ${id} is under way`);
  return paused;
}

/**
 * Lets a paused crawler go on; resolves with its runs.
 * @throws AppError `record.conflict` when it is not paused
 */
export async function resumeRun(deps: ControlRunDeps, { id, engineId }: Crawler): Promise<readonly number[]> {
  const store = await deps.engineStores.of(engineId);
  const resumed = await store.resumeRuns(id, deps.clock.now());
  if (resumed.length === 0) throw new AppError('record.conflict', `Crawler ${id} is not paused`);
  wakeAll(deps, { id, engineId });
  return resumed;
}

/**
 * Stops the full or incremental run of a crawler and the one that waits for its end: their rows leave, their counts are
 * kept. Queued URLs go on. Resolves with the runs that were stopped.
 * @throws AppError `record.conflict` when there is none
 */
export async function stopRun(deps: ControlRunDeps, crawler: Crawler): Promise<readonly number[]> {
  const { id, engineId, activation } = crawler;
  const store = await deps.engineStores.of(engineId);
  const now = deps.clock.now();
  const stopped = await store.stopRun(id, now);
  if (stopped.length === 0) throw new AppError('record.conflict', `No full or incremental run of crawler ${id} lives`);
  await discardWaiting(store, { crawlerId: id, activation, now }, new AbortController().signal);
  wakeAll(deps, crawler);
  return stopped;
}

function wakeAll({ wake }: ControlRunDeps, { id: crawlerId, engineId }: Pick<Crawler, 'id' | 'engineId'>): void {
  wake({ kind: 'queued-urls', engineId, crawlerId });
  wake({ kind: 'crawler-changed', engineId, crawlerId });
}
