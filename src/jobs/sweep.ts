import type { Redis } from 'ioredis';
import type { Crawler } from '../core/records.ts';
import type { StoreIdentity } from '../core/store-identity.ts';
import { checkCrawler, createLaneWatch, type LaneWatch } from '../crawl/sweep-crawl.ts';
import type { ClockStore } from '../storage/clock-store.ts';
import { isStoreFault } from '../storage/store-fault.ts';
import { sliceAdder } from './add-slices.ts';
import { createClockWatch } from './clock-watch.ts';
import { KEY_PREFIX } from './connection.ts';
import { emptyForOtherStores } from './redis-markers.ts';
import { tendCrawler, type UpkeepDeps } from './upkeep-handler.ts';

/** Rounds: lanes of dead processes are looked for in each, everything else in every fifth (crawling 22). */
export const SWEEP_PAUSE_MS = 1_000;
const ROUNDS_PER_SWEEP = 5;
/** Rounds between two counts of rows. */
const ROUNDS_PER_CHECK = 60;
/** Holds that ended are kept that long: the next answer of the host may still confirm them. */
const HOLDS_RETENTION_MS = 2 * 86_400_000;
const HOLDS_STEP = 1_000;
const EPOCH_KEY = `${KEY_PREFIX}:epoch`;

export type CrawlSweepDeps = UpkeepDeps & {
  readonly redis: Redis;
  readonly clockStore: ClockStore;
  /** Of the store of the installation. */
  readonly readIdentity: () => Promise<StoreIdentity>;
  readonly listCrawlers: () => Promise<readonly Crawler[]>;
  /** Pages in browsers at once over all processes (`RENDER_CONCURRENCY`). */
  readonly renderConcurrency: number;
  /** Whether the process of an instance name lives. */
  readonly isProcessAlive: (instance: string) => boolean;
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
