import type { EngineStore } from '../storage/engine-store.ts';

/** Rows of one step: a short transaction. */
const STEP = 5_000;

/** Drops what waits under older activations and in ended runs of a crawler, in steps; resolves with how many. */
export async function discardWaiting(
  store: Pick<EngineStore, 'discardVoid'>,
  input: { readonly crawlerId: number; readonly activation: number; readonly now: number },
  signal: AbortSignal,
): Promise<number> {
  let discarded = 0;
  while (!signal.aborted) {
    const step = await store.discardVoid({ ...input, limit: STEP });
    discarded += step;
    if (step < STEP) break;
  }
  return discarded;
}
