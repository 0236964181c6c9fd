import type { Crawler } from '../core/records.ts';
import { startRun } from '../crawl/start-run.ts';
import { type SweepDeps, sweepCrawler } from '../crawl/sweep-crawl.ts';
import { type AddSlices, sliceAdder } from './add-slices.ts';
import type { UpkeepPayload } from './job-types.ts';
import type { Queues } from './queues.ts';
import type { Schedules } from './schedules.ts';
import type { Handle } from './worker.ts';

export type UpkeepDeps = SweepDeps & {
  readonly findCrawler: (crawlerId: number) => Promise<Crawler | undefined>;
  readonly queues: Queues;
  readonly schedules: Schedules;
};

/** What the scheduler does for one crawler. */
export function upkeepHandler(deps: UpkeepDeps): Handle<UpkeepPayload> {
  return async (payload, signal) => {
    const crawler = await deps.findCrawler(payload.crawlerId);
    if (crawler === undefined) return;
    if (payload.kind === 'start-run') {
      await startRun(deps, crawler, { kind: payload.run, startedBy: payload.startedBy, whenBusy: 'skip' });
    }
    await tendCrawler(deps, { crawler, addSlices: sliceAdder(deps) }, signal);
  };
}

/** Brings a crawler's runs, slices and schedules to what its record and its rows say. */
export async function tendCrawler(
  deps: UpkeepDeps,
  { crawler, addSlices }: { readonly crawler: Crawler; readonly addSlices: AddSlices },
  signal: AbortSignal,
): Promise<void> {
  await addSlices(await sweepCrawler(deps, crawler, signal));
  await deps.schedules.sync(crawler);
}
