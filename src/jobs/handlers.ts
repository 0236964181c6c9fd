import type { Crawler } from '../core/records.ts';
import { runSlice, type SliceDeps } from '../crawl/run-slice.ts';
import { startRun } from '../crawl/start-run.ts';
import { type SweepDeps, sweepCrawler } from '../crawl/sweep-crawl.ts';
import { type AddSlices, sliceAdder } from './add-slices.ts';
import type { SlicePayload, SliceQueue, UpkeepPayload } from './job-types.ts';
import type { Queues } from './queues.ts';
import type { Schedules } from './schedules.ts';
import { createWake } from './wake.ts';
import type { Handle } from './worker.ts';

export type SliceHandlerDeps = Omit<SliceDeps, 'othersWait' | 'wake'> & { readonly queues: Queues };

/**
 * Works slices; what remains of one after its time is the next slice of the lane, what ended is looked at by upkeep.
 * One handler per process: a second slice of a lane would take it from the first, because both have its holder's name.
 */
export function sliceHandler(deps: SliceHandlerDeps): (queue: SliceQueue) => Handle<SlicePayload> {
  const busy = new Set<string>();
  return (queue) => async (slice, signal) => {
    const lane = `${slice.crawlerId}/${slice.stage}/${slice.lane}`;
    if (busy.has(lane)) return;
    busy.add(lane);
    try {
      await workSlice(deps, { slice, queue }, signal);
    } finally {
      busy.delete(lane);
    }
  };
}

async function workSlice(
  deps: SliceHandlerDeps,
  { slice, queue }: { readonly slice: SlicePayload; readonly queue: SliceQueue },
  signal: AbortSignal,
): Promise<void> {
  const { queues, engineStores } = deps;
  const { engineId, crawlerId, stage, lane } = slice;
  const othersWait = async () => (await queues.countWaiting(queue)) > 0;
  const report = await runSlice({ ...deps, othersWait, wake: createWake(deps) }, slice, signal);
  if (report.end === 'handover') {
    const lanes = await (await engineStores.of(engineId)).listLanes(crawlerId);
    const fence = lanes.find((known) => known.stage === stage && known.lane === lane)?.fence ?? 0;
    await sliceAdder(deps)([{ ...slice, fence }]);
  }
  if (report.endedRuns.length > 0) await queues.addUpkeep({ kind: 'sweep-crawler', engineId, crawlerId });
}

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
