import type { Clock } from '../core/clock.ts';
import { FRONTIER_FLAGS } from '../core/crawl-words.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { Log } from '../observability/logger.ts';
import type { NewUrl } from '../storage/engine/frontier.ts';
import type { RunStore } from '../storage/engine/runs.ts';
import type { NewSitemap } from '../storage/engine/sitemaps.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import { type CrawlRules, compileCrawlRules } from './rules/crawl-rules.ts';
import { settingWarnings } from './rules/setting-warnings.ts';

export type StartRunDeps = {
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
  readonly log: Log;
};

export type StartRun = {
  readonly kind: 'full' | 'incremental';
  readonly startedBy: string;
  /** While a full run or one of this kind lives: the new one follows it, or there is none (schedules). */
  readonly whenBusy: 'follow' | 'skip';
};

export type StartedRun = {
  readonly runId: number;
  /** It begins when the run under way has ended. */
  readonly waits: boolean;
};

/** Seeds come before known pages, behind queued URLs. */
const SEED_PRIORITY = 1;

/**
 * Makes a run of an active crawler, and begins it when no other is under way. Several requests meanwhile make one that
 * follows; a full one takes the place of an incremental one. Undefined when it was skipped, or when the crawler is not
 * active: a late request of it ends without effect.
 */
export async function startRun(
  deps: StartRunDeps,
  crawler: Crawler,
  { kind, startedBy, whenBusy }: StartRun,
): Promise<StartedRun | undefined> {
  if (!crawler.active) return notStarted(deps, { crawler, kind, cause: 'the crawler is not active' });
  const store = await deps.engineStores.of(crawler.engineId);
  const { id: crawlerId, activation, configVersion } = crawler;
  const at = deps.clock.now();
  const newRun = { crawlerId, activation, kind, startedBy, configVersion, at } as const;
  const runId = await store.createRun({ ...newRun, whenBusy: whenBusy === 'skip' ? 'skip-covered' : 'wait' });
  if (runId === undefined) return notStarted(deps, { crawler, kind, cause: 'another run covers it' });
  await beginRun(deps, { store, crawler, runId });
  return { runId, waits: (await store.findRun(runId))?.state === 'planned' };
}

function notStarted(
  { log }: Pick<StartRunDeps, 'log'>,
  { crawler, ...why }: { readonly crawler: Crawler; readonly kind: StartRun['kind']; readonly cause: string },
): undefined {
  log.info({ crawlerId: crawler.id, ...why }, 'no run was started');
}

/**
 * Turns a planned run to running, puts the seeds on the frontier and plans its first step. Repeatable: what a dead
 * process left undone is done by the next call.
 */
export async function beginRun(
  deps: Pick<StartRunDeps, 'clock' | 'log'>,
  input: { readonly store: EngineStore; readonly crawler: Crawler; readonly runId: number },
): Promise<void> {
  const { store, crawler, runId } = input;
  const rules = rulesOf(crawler);
  if (rules === undefined) {
    deps.log.error({ crawlerId: crawler.id, runId }, 'a run failed: the settings of its crawler are not valid');
    await store.failRun(runId, JSON.stringify({ reason: 'settings' }), deps.clock.now());
    return;
  }
  if (await store.startRun(runId, deps.clock.now())) warn(deps.log, { crawler, runId, rules });
  const run = await store.findRun(runId);
  if (run?.state !== 'running') return;
  await addSeeds(deps, { ...input, rules });
  await planRun({ store, clock: deps.clock }, runId);
}

/** Once per run. */
function warn(
  log: Log,
  input: { readonly crawler: Crawler; readonly runId: number; readonly rules: CrawlRules },
): void {
  const { crawler, runId, rules } = input;
  for (const warning of settingWarnings(rules.settings)) {
    log.warn({ crawlerId: crawler.id, runId, warning }, 'a run begins with a setting to watch');
  }
}

async function addSeeds(
  { clock }: { readonly clock: Clock },
  input: { readonly store: EngineStore; readonly crawler: Crawler; readonly rules: CrawlRules; readonly runId: number },
): Promise<void> {
  const { store, crawler, rules, runId } = input;
  const seeds = rules.seeds.map(
    (url): NewUrl => ({
      url,
      origin: 'seed',
      depth: 0,
      priority: SEED_PRIORITY,
      flags: FRONTIER_FLAGS.follow,
      enqueue: 'always',
    }),
  );
  const { id: crawlerId, activation } = crawler;
  const lists = [...rules.ownLists].map(([url, kind]): NewSitemap => ({ url, kind, origin: kind, depth: 0 }));
  await store.addSitemaps({ crawlerId, activation, runId, now: clock.now(), foundOn: null, lists, seeds });
}

function rulesOf(crawler: Crawler): CrawlRules | undefined {
  try {
    return compileCrawlRules(crawler);
  } catch (error) {
    if (error instanceof AppError && error.code === 'request.invalid') return undefined;
    throw error;
  }
}

/** Rows that a run holds at most before its plan goes on, and rows of one step (crawling 7). */
const OPEN_ROWS = 5_000;

/** Puts records of a running run on the frontier until it holds enough or the plan is done; resolves with how many. */
async function planRun(deps: { readonly store: RunStore; readonly clock: Clock }, runId: number): Promise<number> {
  let planned = 0;
  for (;;) {
    const run = await deps.store.findRun(runId);
    if (run === undefined || run.state !== 'running' || run.planDone || run.open >= OPEN_ROWS) return planned;
    const step = await deps.store.planRun(runId, OPEN_ROWS, deps.clock.now());
    planned += step.planned;
    if (step.done) return planned;
  }
}

/** Goes on with the plans of a crawler's running runs, and ends those that have nothing left to do. */
export async function advanceRuns(
  deps: { readonly clock: Clock },
  input: { readonly store: EngineStore; readonly crawlerId: number; readonly activation: number },
): Promise<{ readonly planned: number; readonly ended: readonly number[] }> {
  const { store, crawlerId, activation } = input;
  const ended: number[] = [];
  let planned = 0;
  for (const run of await store.livingRunsOf(crawlerId)) {
    if (run.activation !== activation || run.state !== 'running') continue;
    planned += await planRun({ store, clock: deps.clock }, run.id);
    if (await store.endRun(run.id, deps.clock.now())) ended.push(run.id);
  }
  return { planned, ended };
}
