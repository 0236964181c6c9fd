import type { Clock } from '../core/clock.ts';
import { type Reason, type RunKind, type RunState, STAGES, type Stage } from '../core/crawl-words.ts';
import { laterTurn } from '../core/next-turn.ts';
import type { Crawler } from '../core/records.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import { usableStore } from '../storage/store-fault.ts';

/** What all crawlers do now, for those who watch the installation. */
export type CrawlLoad = {
  /** Slices that somebody works on. */
  readonly slicesBusy: ReadonlyMap<Stage, number>;
  readonly hostsHeld: ReadonlyMap<Reason, number>;
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
  readonly clock: Clock;
};

const HOSTS = 1_000;
const ALL_PRIORITIES = 3;

/** Goes on between requests: one turn of the event loop per crawler. */
export async function readCrawlLoad({ engineStores, listCrawlers, clock }: CrawlLoadDeps): Promise<CrawlLoad> {
  const now = clock.now();
  const slicesBusy = new Map<Stage, number>();
  const hostsHeld = new Map<Reason, number>();
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
    await laterTurn();
    for (const stage of crawler.active ? STAGES : []) {
      const seconds = await oldestOf(store, { crawler, stage, now });
      oldestDueSeconds.set(stage, Math.max(oldestDueSeconds.get(stage) ?? 0, seconds));
    }
  }
  return { slicesBusy, hostsHeld, oldestDueSeconds, waitingUrls, heldRemovals, runs };
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
  { crawler, stage, now }: { readonly crawler: Crawler; readonly stage: Stage; readonly now: number },
): Promise<number> {
  const { id: crawlerId, activation } = crawler;
  const asked = { crawlerId, activation, stage, maxPriority: ALL_PRIORITIES, after: 0, limit: HOSTS, now };
  const due = (await store.hostsWithWork(asked)).map(({ dueAt }) => dueAt);
  return Math.max(0, now - Math.min(now, ...due)) / 1_000;
}
