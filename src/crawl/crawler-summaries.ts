import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { LatestRuns, Run } from '../storage/engine/runs.ts';
import { type EngineStores, isStoreFault } from '../storage/engine-store.ts';
import { type NextRun, nextRuns } from './next-runs.ts';
import { parseCrawlSettings } from './rules/settings.ts';

/** What a crawler is doing. `waiting`: a run is asked for and has not begun. */
export const CRAWLER_STATES = ['inactive', 'idle', 'waiting', 'running', 'paused'] as const;
export type CrawlerState = (typeof CRAWLER_STATES)[number];

export type CrawlerSummary = {
  readonly crawler: Crawler;
  readonly state: CrawlerState;
  /** The run under way; one of queued URLs only when there is no other. */
  readonly run: Run | undefined;
  /** The newest that has ended, without those of queued URLs. */
  readonly lastRun: Run | undefined;
  /** The newest of them that came to its end. */
  readonly lastGoodRun: Run | undefined;
  /** Undefined while the crawler is inactive, and where it has no schedule. */
  readonly nextRun: NextRun | undefined;
  readonly documents: number;
  readonly heldRemovals: number;
  /** Why its store or its settings cannot be read: what follows from them is empty then. */
  readonly problem: string | undefined;
};

type Deps = { readonly engineStores: Pick<EngineStores, 'of'>; readonly clock: Clock };

/** What each of the crawlers is doing and has done, by id: three reads per engine, some 0.1 ms per crawler. */
export async function summarizeCrawlers(deps: Deps, crawlers: readonly Crawler[]): Promise<readonly CrawlerSummary[]> {
  const summaries: CrawlerSummary[] = [];
  for (const [engineId, members] of Map.groupBy(crawlers, (crawler) => crawler.engineId)) {
    summaries.push(...(await summariesOf(deps, engineId, members)));
  }
  return summaries.sort((a, b) => a.crawler.id - b.crawler.id);
}

type Counters = Pick<CrawlerSummary, 'documents' | 'heldRemovals'> & { readonly runs: LatestRuns };

const NO_RUNS: LatestRuns = { living: [], scheduled: [], lastFinished: undefined };

async function summariesOf(
  { engineStores, clock }: Deps,
  engineId: number,
  crawlers: readonly Crawler[],
): Promise<readonly CrawlerSummary[]> {
  const now = clock.now();
  try {
    const store = await engineStores.of(engineId);
    const ids = crawlers.map(({ id }) => id);
    const runs = await store.latestRuns(ids);
    const documents = await store.countDocumentsByCrawler();
    const held = await store.countHeldRemovals(ids);
    return crawlers.map((crawler) => {
      const { id } = crawler;
      const counters = {
        runs: runs.get(id) ?? NO_RUNS,
        documents: documents.get(id) ?? 0,
        heldRemovals: held.get(id) ?? 0,
      };
      return summaryOf(crawler, counters, now);
    });
  } catch (error) {
    if (!isStoreFault(error)) throw error;
    const nothing = { runs: NO_RUNS, documents: 0, heldRemovals: 0 };
    return crawlers.map((crawler) => ({ ...summaryOf(crawler, nothing, now), problem: error.message }));
  }
}

function summaryOf(crawler: Crawler, { runs, documents, heldRemovals }: Counters, now: number): CrawlerSummary {
  const { living, scheduled, lastFinished } = runs;
  const run = living.find(({ kind }) => kind !== 'urls') ?? living[0];
  return {
    crawler,
    state: crawler.active ? stateOf(run) : 'inactive',
    run,
    lastRun: scheduled.find(({ endedAt }) => endedAt !== undefined),
    lastGoodRun: lastFinished,
    documents,
    heldRemovals,
    ...scheduleOf(crawler, scheduled, now),
  };
}

function stateOf(run: Run | undefined): CrawlerState {
  if (run === undefined) return 'idle';
  if (run.state === 'planned') return 'waiting';
  return run.state === 'paused' ? 'paused' : 'running';
}

function scheduleOf(crawler: Crawler, runs: readonly Run[], now: number): Pick<CrawlerSummary, 'nextRun' | 'problem'> {
  if (!crawler.active) return { nextRun: undefined, problem: undefined };
  try {
    const { id, activeSince } = crawler;
    const [nextRun] = nextRuns(parseCrawlSettings(crawler.config), { id, activeSince, runs }, now);
    return { nextRun, problem: undefined };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { nextRun: undefined, problem: error.message };
  }
}
