import type { EngineStore } from '../storage/engine-store.ts';

/** Rows of one step: a short transaction. */
const STEP = 5_000;

/** Drops what waits under older activations of a crawler, in steps; resolves with how many. */
export async function discardWaiting(
  store: EngineStore,
  { crawlerId, activation }: { readonly crawlerId: number; readonly activation: number },
  signal: AbortSignal,
): Promise<number> {
  let discarded = 0;
  while (!signal.aborted) {
    const step = await store.discardVoid(crawlerId, activation, STEP);
    discarded += step;
    if (step < STEP) break;
  }
  return discarded;
}

/** Takes a run's waiting rows off the frontier, in steps. */
export async function discardRunRows(store: EngineStore, runId: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if ((await store.discardRun(runId, STEP)) < STEP) return;
  }
}
