import type { Clock } from '../core/clock.ts';
import type { EngineStore } from '../storage/engine-store.ts';

/** Turns a run from finishing to finished, with its summary; what was said when it was cut stays in it. False: somebody else did, or it has not ended. */
export async function finishRun(
  deps: { readonly store: EngineStore; readonly clock: Clock },
  runId: number,
): Promise<boolean> {
  const { store, clock } = deps;
  const run = await store.findRun(runId);
  if (run?.state !== 'finishing') return false;
  const at = clock.now();
  const states = Object.fromEntries(await store.countUrls(run.crawlerId));
  const millis = at - (run.startedAt ?? run.createdAt) - run.pausedMs;
  const cut: unknown = JSON.parse(run.summary ?? '{}');
  return store.finishRun(runId, JSON.stringify({ millis, states, ...(cut as object) }), at);
}
