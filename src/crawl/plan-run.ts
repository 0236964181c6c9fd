import type { Clock } from '../core/clock.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import type { RunStore } from '../storage/run-store.ts';

/** Rows that a run holds at most before its plan goes on, and rows of one step (crawling 7). */
const OPEN_ROWS = 5_000;

/** Puts records of a running run on the frontier until it holds enough or the plan is done; resolves with how many. */
export async function planRun(
  deps: { readonly store: RunStore; readonly clock: Clock },
  runId: number,
): Promise<number> {
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
