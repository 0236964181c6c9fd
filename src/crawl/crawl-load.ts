import type { Clock } from '../core/clock.ts';
import { type Reason, type RunKind, type RunState, STAGES, type Stage } from '../core/crawl-words.ts';
import type { Crawler } from '../core/records.ts';
import { yieldInBackground } from '../core/yield.ts';
import { type EngineStore, type EngineStores, usableStore } from '../storage/engine-store.ts';
import { stalledHosts } from './host-control.ts';
import type { HostHolds } from './host-holds.ts';
import type { WaitCause, WorkOn } from './work-on.ts';

/** What all crawlers do now, for those who watch the installation. */
export type CrawlLoad = {
  /** Slices that somebody works on. */
  readonly slicesBusy: ReadonlyMap<Stage, number>;
  readonly hostsHeld: ReadonlyMap<Reason, number>;
  /** Hosts that are due and on which nothing has started for a minute, by cause. */
  readonly hostsStalled: ReadonlyMap<WaitCause, number>;
  /** How long the oldest row that is due has waited. */
  readonly oldestDueSeconds: ReadonlyMap<Stage, number>;
  /** Rows of the frontier of runs under way. */
  readonly waitingUrls: number;
  readonly heldRemovals: number;
  readonly runs: readonly { readonly kind: RunKind; readonly state: RunState; readonly count: number }[];
};

export type CrawlLoadDeps = {
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly listCrawlers: () => Promise<readonly Crawler[]>;
  readonly hostHolds: Pick<HostHolds, 'of' | 'ofHosts'>;
  readonly workOn: WorkOn;
  readonly clock: Clock;
};

const HOSTS = 1_000;
const ALL_PRIORITIES = 3;

/** Goes on between requests: one turn of the event loop per crawler. */
export async function readCrawlLoad(deps: CrawlLoadDeps): Promise<CrawlLoad> {
  const { engineStores, listCrawlers, hostHolds, clock } = deps;
  const now = clock.now();
  const slicesBusy = new Map<Stage, number>();
  const hostsHeld = new Map<Reason, number>();
  const held = hostHolds.ofHosts(now);
  const heldOrigins = held.map(({ origin }) => origin);
  for (const { reason } of held) add(hostsHeld, reason, 1);
  const oldestDueSeconds = new Map<Stage, number>(STAGES.map((stage) => [stage, 0]));
  const runs: CrawlLoad['runs'][number][] = [];
  let waitingUrls = 0;
  let heldRemovals = 0;
  for await (const { crawler, store } of withStores(engineStores, await listCrawlers())) {
    const lanes = (await store.listLanes(crawler.id)).filter(({ isHeld }) => isHeld);
    for (const { stage } of lanes) add(slicesBusy, stage, 1);
    for (const [reason, count] of await store.countHeldHosts(crawler.id, now)) add(hostsHeld, reason, count);
    runs.push(...(await store.countRuns(crawler.id)));
    for (const { open } of await store.livingRunsOf(crawler.id)) waitingUrls += open;
    heldRemovals += (await store.countRemovals(crawler.id)).get('held') ?? 0;
    await yieldInBackground();
    for (const stage of crawler.active ? STAGES : []) {
      const seconds = await oldestOf(store, { crawler, stage, now, heldOrigins });
      oldestDueSeconds.set(stage, Math.max(oldestDueSeconds.get(stage) ?? 0, seconds));
    }
  }
  const hostsStalled = await countStalled(deps);
  return { slicesBusy, hostsHeld, hostsStalled, oldestDueSeconds, waitingUrls, heldRemovals, runs };
}

async function countStalled(deps: CrawlLoadDeps): Promise<ReadonlyMap<WaitCause, number>> {
  const counts = new Map<WaitCause, number>();
  for (const { wait } of await stalledHosts(deps)) add(counts, wait.cause, 1);
  return counts;
}

/** Crawlers of engines whose store cannot be used have no load. */
async function* withStores(engineStores: CrawlLoadDeps['engineStores'], crawlers: readonly Crawler[]) {
  for (const crawler of crawlers) {
    const store = await usableStore(engineStores, crawler.engineId);
    if (store !== undefined) yield { crawler, store };
  }
}

function add<Label>(counts: Map<Label, number>, label: Label, count: number): void {
  counts.set(label, (counts.get(label) ?? 0) + count);
}

async function oldestOf(
  store: EngineStore,
  { crawler, ...input }: { crawler: Crawler; stage: Stage; now: number; heldOrigins: readonly string[] },
): Promise<number> {
  const { id: crawlerId, activation } = crawler;
  const lookUp = { crawlerId, activation, maxPriority: ALL_PRIORITIES, after: 0, limit: HOSTS, ...input };
  const due = (await store.hostsWithWork(lookUp)).map(({ dueAt }) => dueAt);
  return Math.max(0, input.now - Math.min(input.now, ...due)) / 1_000;
}
