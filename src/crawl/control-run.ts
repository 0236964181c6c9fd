import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { Wake } from '../core/wake.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { discardWaiting } from './discard-waiting.ts';

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
