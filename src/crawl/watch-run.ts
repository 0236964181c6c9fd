import type { Clock } from '../core/clock.ts';
import type { Reason } from '../core/crawl-words.ts';
import { pause } from '../observability/background.ts';
import type { Run } from '../storage/engine/runs.ts';
import type { LoggedVisit } from '../storage/engine/visit-log.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { HostHolds } from './host-holds.ts';

export type HostProgress = {
  readonly origin: string;
  readonly waiting: number;
  /** Undefined: not held. */
  readonly heldUntil: number | undefined;
  readonly reason: Reason | undefined;
  /** Undefined until something was learned. */
  readonly spacingMs: number | undefined;
  readonly slots: number | undefined;
};

export type RunProgress = {
  readonly run: Run;
  /** Over the last 10 s; of a run that has ended, over its whole life. */
  readonly pagesPerSecond: number;
  /** Those with most waiting rows, at most 20. */
  readonly hosts: readonly HostProgress[];
  /** Newest first, at most 10. */
  readonly lastVisits: readonly LoggedVisit[];
};

export type WatchDeps = {
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly hostHolds: Pick<HostHolds, 'ofHost'>;
  readonly clock: Clock;
};
export type WatchedRun = { readonly engineId: number; readonly crawlerId: number; readonly runId: number };

const EVERY_MS = 1_000;
const RATE_MS = 10_000;
const HOSTS = 20;
const VISITS = 10;
const ENDED: ReadonlySet<Run['state']> = new Set(['finished', 'stopped', 'failed']);

export function hasEnded({ state }: Run): boolean {
  return ENDED.has(state);
}

/**
 * How a run of the crawler gets on: now and then once a second, until it has ended, which the last one says. Nothing
 * for a run that does not exist; ends with the signal.
 */
export async function* watchRun(
  deps: WatchDeps,
  watched: WatchedRun,
  signal: AbortSignal,
): AsyncGenerator<RunProgress> {
  const rate = openRate();
  while (!signal.aborted) {
    const run = await findOwnRun(deps, watched);
    if (run === undefined) return;
    yield await progressOf(deps, watched, { run, pagesPerSecond: rate(run, deps.clock.now()) });
    if (hasEnded(run)) return;
    await pause(EVERY_MS, signal);
  }
}

export async function findOwnRun(
  { engineStores }: Pick<WatchDeps, 'engineStores'>,
  { engineId, crawlerId, runId }: WatchedRun,
): Promise<Run | undefined> {
  const run = await (await engineStores.of(engineId)).findRun(runId);
  return run?.crawlerId === crawlerId ? run : undefined;
}

async function progressOf(
  { engineStores, hostHolds, clock }: WatchDeps,
  { engineId, crawlerId, runId }: WatchedRun,
  { run, pagesPerSecond }: Pick<RunProgress, 'run' | 'pagesPerSecond'>,
): Promise<RunProgress> {
  const store = await engineStores.of(engineId);
  const now = clock.now();
  const hosts = hasEnded(run) ? [] : await store.listBusyHosts(crawlerId, now, HOSTS);
  const lastVisits = await store.listRunVisits({
    crawlerId,
    runId,
    since: run.createdAt,
    until: run.endedAt ?? now,
    before: undefined,
    limit: VISITS,
  });
  return {
    run,
    pagesPerSecond,
    hosts: hosts.map(({ origin, waiting, heldUntil, holdReason, pace }) => {
      const own = heldUntil > now ? { until: heldUntil, reason: holdReason } : undefined;
      const held = hostHolds.ofHost(origin, now) ?? own;
      return { origin, waiting, heldUntil: held?.until, reason: held?.reason, ...paceOf(pace) };
    }),
    lastVisits,
  };
}

function paceOf(pace: string | undefined): Pick<HostProgress, 'spacingMs' | 'slots'> {
  const { spacingMs, slots } = (pace === undefined ? {} : JSON.parse(pace)) as Readonly<Record<string, unknown>>;
  return {
    spacingMs: typeof spacingMs === 'number' ? spacingMs : undefined,
    slots: typeof slots === 'number' ? slots : undefined,
  };
}

/** Visits per second over the last looks. */
function openRate(): (run: Run, now: number) => number {
  const looks: { readonly at: number; readonly visited: number }[] = [];
  return (run, now) => {
    looks.push({ at: now, visited: run.visited });
    while ((looks[1]?.at ?? now) < now - RATE_MS) looks.shift();
    const began = { at: run.startedAt ?? run.createdAt, visited: 0 };
    const [first = began] = hasEnded(run) || looks.length === 1 ? [began] : looks;
    const seconds = ((hasEnded(run) ? (run.endedAt ?? now) : now) - first.at) / 1_000;
    return seconds <= 0 ? 0 : (run.visited - first.visited) / seconds;
  };
}
