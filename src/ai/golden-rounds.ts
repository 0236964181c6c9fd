import type { AccountStore } from '../storage/account-store.ts';
import type { LeaseStore } from '../storage/lease-store.ts';
import type { RunStore } from '../storage/run-store.ts';
import { askGoldenQuestions, type GoldenDeps } from './golden-questions.ts';

export type GoldenRoundDeps = GoldenDeps & {
  readonly systemStore: Pick<AccountStore, 'findEngine'> & Pick<LeaseStore, 'takeLease' | 'giveLease' | 'findLease'>;
  /** Whether the process of an instance name lives. */
  readonly isProcessAlive: (instance: string) => boolean;
  /** Of this process. */
  readonly holder: string;
};

/**
 * Asks the golden questions of the engines whose documents changed since their last round, once no run is at work on
 * them. An engine whose round fails does not keep the others from theirs.
 */
export async function askDueGoldenQuestions(deps: GoldenRoundDeps, signal: AbortSignal): Promise<void> {
  for (const { engineId, seq } of await deps.systemStore.goldenEngines()) {
    if (signal.aborted) return;
    try {
      if (await isDue(deps, engineId, seq)) await askOnce(deps, engineId, signal);
    } catch (err) {
      if (!signal.aborted) deps.log.error({ err, engineId }, 'golden questions could not be asked');
    }
  }
}

/** Nothing is visible while an index is not open yet: the next look knows. */
async function isDue(deps: GoldenRoundDeps, engineId: number, asked: number | undefined): Promise<boolean> {
  const visible = deps.visibleSeq(engineId);
  if (visible === 0 || visible === asked) return false;
  return !(await isBeingCrawled(await deps.engineStores.of(engineId)));
}

async function isBeingCrawled(store: Pick<RunStore, 'livingRuns'>): Promise<boolean> {
  const runs = await store.livingRuns();
  return runs.some(({ state }) => state === 'running' || state === 'finishing');
}

async function askOnce(deps: GoldenRoundDeps, engineId: number, signal: AbortSignal): Promise<void> {
  const { systemStore, holder } = deps;
  const engine = await systemStore.findEngine(engineId);
  const lease = `golden-questions.${engineId}`;
  if (engine === undefined || !(await takeRound(deps, lease))) return;
  try {
    // Another process may have asked them between the look and the lease.
    const asked = (await systemStore.goldenEngines()).find((each) => each.engineId === engineId);
    if (asked !== undefined && (await isDue(deps, engineId, asked.seq))) await askGoldenQuestions(deps, engine, signal);
  } finally {
    await systemStore.giveLease(lease, holder);
  }
}

/** A process that stands still keeps its round: it goes on with it, or is ended. */
async function takeRound(deps: GoldenRoundDeps, name: string): Promise<boolean> {
  const { systemStore, clock, holder, isProcessAlive } = deps;
  const held = await systemStore.findLease(name);
  const over = held !== undefined && !isProcessAlive(held.holder) ? held : undefined;
  return systemStore.takeLease({ name, holder, at: clock.now(), over });
}
