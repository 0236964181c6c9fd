import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Clock } from '../core/clock.ts';
import type { Crawler } from '../core/records.ts';
import { isSameStore, type StoreIdentity } from '../core/store-identity.ts';
import { compileCrawlRules } from '../crawl/rules/crawl-rules.ts';
import { parseSchedule } from '../crawl/rules/schedule.ts';
import { startRun } from '../crawl/start-run.ts';
import { checkCrawler, createLaneWatch, type LaneWatch, type SweepDeps, sweepCrawler } from '../crawl/sweep-crawl.ts';
import { repeat } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import { type EngineStores, isStoreFault } from '../storage/engine-store.ts';
import type { ClockJump, ClockStore } from '../storage/system/installation.ts';
import { type AddSlices, sliceAdder } from './add-slices.ts';
import { KEY_PREFIX } from './connection.ts';
import { type Queues, type UpkeepPayload, upkeepPayload } from './queues.ts';
import { type Handle, startWorker } from './worker.ts';

const UPKEEP_JOBS = 2;

/** The crawl part of the scheduler role: upkeep jobs and the sweep. One active by lease; disposing it ends both. */
export function startCrawlScheduler(deps: CrawlSweepDeps & { readonly connection: Redis }): AsyncDisposable {
  const { connection, log } = deps;
  const stop = new AbortController();
  const worker = startWorker(
    { connection, queue: 'upkeep', concurrency: UPKEEP_JOBS, log },
    upkeepPayload,
    upkeepHandler(deps),
  );
  const sweep = createSweep(deps);
  const sweeping = repeat({ log, name: 'crawl sweep', pauseMs: SWEEP_PAUSE_MS, signal: stop.signal }, () =>
    sweep(stop.signal),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await sweeping;
      await worker[Symbol.asyncDispose]();
    },
  };
}

/** Rounds: lanes of dead processes are looked for in each, everything else in every fifth (crawling 22). */
const SWEEP_PAUSE_MS = 1_000;
const ROUNDS_PER_SWEEP = 5;
/** Rounds between two counts of rows. */
const ROUNDS_PER_CHECK = 60;
/** Holds that ended are kept that long: the next answer of the host may still confirm them. */
const HOLDS_RETENTION_MS = 2 * 86_400_000;
const HOLDS_STEP = 1_000;
const EPOCH_KEY = `${KEY_PREFIX}:epoch`;

type CrawlSweepDeps = UpkeepDeps & {
  readonly redis: Redis;
  readonly clockStore: ClockStore;
  /** Of the store of the installation. */
  readonly readIdentity: () => Promise<StoreIdentity>;
  readonly listCrawlers: () => Promise<readonly Crawler[]>;
  /** Pages in browsers at once over all processes (`RENDER_CONCURRENCY`). */
  readonly renderConcurrency: number;
  /** Whether the process of a holder's name lives. */
  readonly isProcessAlive: (holder: string) => Promise<boolean>;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  /** Names this installation's filled Redis. */
  readonly newId: () => string;
};

/**
 * One round per call: finds due work in the stores and makes its jobs. An emptied Redis is noticed by its marker, which
 * is another one, and everything is made again at once; so is one that was filled from other stores. One faulty crawler does not keep the others from their turn.
 */
export function createSweep(deps: CrawlSweepDeps): (signal: AbortSignal) => Promise<void> {
  const lanes = createLaneWatch(deps);
  const followClock = createClockWatch(deps);
  let round = 0;
  let filledEpoch: string | undefined;
  return async (signal) => {
    round++;
    const isFull = round % ROUNDS_PER_SWEEP === 1;
    const crawlers = await deps.listCrawlers();
    const engineIds = new Set(crawlers.map(({ engineId }) => engineId));
    if (isFull) await followClock(engineIds);
    if (isFull) await followStores(deps, engineIds);
    const epoch = await keepEpoch(deps);
    const isUnfilled = epoch !== filledEpoch;
    if (isUnfilled) {
      deps.schedules.forget();
      await deps.queues.limitRendering(deps.renderConcurrency);
      filledEpoch = epoch;
    }
    const failures = await takeBack(deps, lanes, crawlers);
    if (isFull || isUnfilled) await tendAll(deps, crawlers, signal);
    if (round % ROUNDS_PER_CHECK === 0) await checkAll(deps, crawlers);
    if (failures.length > 0) throw failures[0];
  };
}

/**
 * The marker, made when there is none. It is compared, not the answer of making it: Redis may make it and its answer
 * come too late.
 */
async function keepEpoch({ redis, newId }: CrawlSweepDeps): Promise<string> {
  await redis.setnx(EPOCH_KEY, newId());
  return (await redis.get(EPOCH_KEY)) ?? '';
}

/** Jobs for rows of a store that was restored or replaced name lanes and URLs that are gone, or others now. */
async function followStores(deps: CrawlSweepDeps, engineIds: Iterable<number>): Promise<void> {
  const stores = new Map([['installation', await deps.readIdentity()]]);
  for (const engineId of engineIds) {
    await unlessUnusable(async () => {
      stores.set(`engine ${engineId}`, await (await deps.engineStores.of(engineId)).identity());
    });
  }
  if (await emptyForOtherStores(deps.redis, stores)) {
    deps.log.warn(
      'redis held the queues of another store and was emptied, they are made again; when this repeats, another installation uses this Redis: give each its own REDIS_URL',
    );
  }
}

async function tendAll(deps: CrawlSweepDeps, crawlers: readonly Crawler[], signal: AbortSignal): Promise<void> {
  const addSlices = sliceAdder(deps);
  for (const crawler of crawlers) {
    if (signal.aborted) return;
    await unlessUnusable(() => tendCrawler(deps, { crawler, addSlices }, signal)).catch((err: unknown) =>
      deps.log.error({ err, crawlerId: crawler.id }, 'crawler could not be swept'),
    );
  }
}

async function checkAll(deps: CrawlSweepDeps, crawlers: readonly Crawler[]): Promise<void> {
  await deps.hostHolds.forget(deps.clock.now() - HOLDS_RETENTION_MS, HOLDS_STEP);
  for (const crawler of crawlers) await unlessUnusable(() => checkCrawler(deps, crawler));
}

/** An engine whose store cannot be used has been told of, and keeps no other from its turn. */
async function unlessUnusable(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isStoreFault(error)) throw error;
  }
}

/** What fails for one engine is no reason to leave the others alone; it is told when the round is over. */
async function takeBack(deps: CrawlSweepDeps, lanes: LaneWatch, crawlers: readonly Crawler[]): Promise<unknown[]> {
  const addSlices = sliceAdder(deps);
  const failures: unknown[] = [];
  for (const engineId of new Set(crawlers.map((crawler) => crawler.engineId))) {
    try {
      await unlessUnusable(async () => addSlices(await lanes.abandonedSlices(await deps.engineStores.of(engineId))));
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}

/** A jump below this is put right without a word. */
const REPEAT_AFTER_MS = 5 * 60_000;

export type ClockWatchDeps = {
  readonly clockStore: ClockStore;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  readonly redis: Redis;
  readonly log: Log;
};

/**
 * Notes the time at each call, also against that of the process before. When the clock was set back, Redis is emptied,
 * because its locks, slots and delayed jobs end at times that are far away now, and the sweep makes them again; and the
 * stores of the engines compute their due times anew. A jump is in the store before anything follows it: what a dying
 * process leaves undone the next one does.
 */
function createClockWatch(deps: ClockWatchDeps): (engineIds: Iterable<number>) => Promise<void> {
  const { clockStore, engineStores, clock, monotonicMs, redis, log } = deps;
  const followed = new Map<number, number>();
  let notedAtMs: number | undefined;
  const follow = async (engineId: number, jumps: readonly ClockJump[], at: number) => {
    await (await engineStores.of(engineId)).followClockJumps(jumps, at);
  };
  return async (engineIds) => {
    const nowMs = monotonicMs();
    const at = clock.now();
    const elapsedMs = notedAtMs === undefined ? undefined : nowMs - notedAtMs;
    const jump = await clockStore.noteTime({ at, elapsedMs });
    notedAtMs = nowMs;
    if (jump !== undefined) tell(log, jump);
    const jumps = (await clockStore.clockJumps()).filter(({ byMs }) => byMs < 0);
    const [newest] = jumps;
    if (newest === undefined) return;
    await emptyForClockJump(redis, newest.id);
    for (const engineId of engineIds) {
      if (followed.get(engineId) === newest.id) continue;
      followed.set(engineId, newest.id);
      await follow(engineId, jumps, at).catch((err: unknown) =>
        log.error({ err, engineId }, 'due times of an engine could not be computed anew'),
      );
    }
  };
}

function tell(log: Log, { byMs }: ClockJump): void {
  const seconds = Math.round(byMs / 1_000);
  if (Math.abs(byMs) <= REPEAT_AFTER_MS) return;
  if (byMs < 0) log.warn({ seconds }, 'the clock was set back: due times are computed anew');
  else log.warn({ seconds }, 'the clock was set forward, or the machine slept: what was due meanwhile starts now');
}

type UpkeepDeps = SweepDeps & {
  readonly findCrawler: (crawlerId: number) => Promise<Crawler | undefined>;
  readonly queues: Queues;
  readonly schedules: Schedules;
};

/** What the scheduler does for one crawler. */
function upkeepHandler(deps: UpkeepDeps): Handle<UpkeepPayload> {
  return async (payload, signal) => {
    const crawler = await deps.findCrawler(payload.crawlerId);
    if (crawler === undefined) return;
    if (payload.kind === 'start-run') {
      await startRun(deps, crawler, { kind: payload.run, startedBy: payload.startedBy, whenBusy: 'skip' });
    }
    await tendCrawler(deps, { crawler, addSlices: sliceAdder(deps) }, signal);
  };
}

/** Brings a crawler's runs, slices and schedules to what its record and its rows say. */
async function tendCrawler(
  deps: UpkeepDeps,
  { crawler, addSlices }: { readonly crawler: Crawler; readonly addSlices: AddSlices },
  signal: AbortSignal,
): Promise<void> {
  await addSlices(await sweepCrawler(deps, crawler, signal));
  await deps.schedules.sync(crawler);
}

const KINDS = ['full', 'incremental'] as const;

type Schedules = {
  /** Makes Redis hold the schedules that the crawler's record says; asks Redis only when the record has changed. */
  sync(crawler: Crawler): Promise<void>;
  /** Redis was emptied: everything is made again. */
  forget(): void;
};

/** Runs that start by themselves, as job schedulers of BullMQ. An inactive crawler has none. */
export function createSchedules(deps: { readonly upkeep: Queue; readonly timezone: string }): Schedules {
  const synced = new Map<number, string>();
  return {
    sync: async (crawler) => {
      const state = `${crawler.active}/${crawler.activation}/${crawler.configVersion}`;
      if (synced.get(crawler.id) === state) return;
      for (const kind of KINDS) await syncKind(deps, crawler, kind);
      synced.set(crawler.id, state);
    },
    forget: () => synced.clear(),
  };
}

async function syncKind(
  { upkeep, timezone }: { readonly upkeep: Queue; readonly timezone: string },
  crawler: Crawler,
  kind: (typeof KINDS)[number],
): Promise<void> {
  const schedulerId = `${kind}-${crawler.id}`;
  const { settings } = compileCrawlRules(crawler);
  const rule = crawler.active ? parseSchedule(settings.schedule[kind], crawler.id) : undefined;
  if (rule === undefined) {
    await upkeep.removeJobScheduler(schedulerId);
    return;
  }
  const { engineId, id: crawlerId } = crawler;
  const data: UpkeepPayload = { kind: 'start-run', engineId, crawlerId, run: kind, startedBy: 'schedule' };
  const when = 'cron' in rule ? { pattern: rule.cron, tz: settings.timezone ?? timezone } : { every: rule.everyMs };
  await upkeep.upsertJobScheduler(schedulerId, when, { name: 'start-run', data });
}

/** What the present contents of Redis were made for. These keys stay when it is emptied. */
const CLOCK_JUMP_KEY = `${KEY_PREFIX}:clock-jump`;
const STORES_KEY = `${KEY_PREFIX}:stores`;
const MARKERS: readonly string[] = [CLOCK_JUMP_KEY, STORES_KEY];
const SCANNED = 1_000;

/** Empties Redis once for each clock jump. */
async function emptyForClockJump(redis: Redis, jumpId: number): Promise<void> {
  if ((await redis.get(CLOCK_JUMP_KEY)) === String(jumpId)) return;
  await empty(redis);
  await redis.set(CLOCK_JUMP_KEY, String(jumpId));
}

/**
 * Empties Redis when one of the stores is not the one that its contents were made of, by the same name: a store that was
 * restored, found shortened, or replaced. A store that Redis has not heard of is remembered. True when it was emptied.
 */
async function emptyForOtherStores(redis: Redis, stores: ReadonlyMap<string, StoreIdentity>): Promise<boolean> {
  const known = await redis.hgetall(STORES_KEY);
  const changed = [...stores].filter(([name, store]) => {
    const marker = known[name];
    return marker === undefined || !isSameStore(readMarker(marker), store);
  });
  if (changed.length === 0) return false;
  const isForeign = changed.some(([name]) => known[name] !== undefined);
  if (isForeign) await empty(redis);
  await redis.hset(STORES_KEY, Object.fromEntries(changed.map(([name, store]) => [name, markerOf(store)])));
  return isForeign;
}

function markerOf({ storeId, epoch }: StoreIdentity): string {
  return `${storeId} ${epoch}`;
}

function readMarker(marker: string): StoreIdentity {
  const [storeId = '', epoch = ''] = marker.split(' ');
  return { storeId, epoch };
}

async function empty(redis: Redis): Promise<void> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${KEY_PREFIX}:*`, 'COUNT', SCANNED);
    const dropped = keys.filter((key) => !MARKERS.includes(key));
    if (dropped.length > 0) await redis.unlink(...dropped);
    cursor = next;
  } while (cursor !== '0');
}
