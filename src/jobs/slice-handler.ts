import { runSlice, type SliceDeps } from '../crawl/run-slice.ts';
import { sliceAdder } from './add-slices.ts';
import type { SlicePayload, SliceQueue } from './job-types.ts';
import type { Queues } from './queues.ts';
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
  const { queues, engineStores, log } = deps;
  const { engineId, crawlerId, stage, lane } = slice;
  const othersWait = async () => (await queues.countWaiting(queue)) > 0;
  const report = await runSlice({ ...deps, othersWait, wake: createWake(deps) }, slice, signal);
  log.debug({ crawlerId, stage, lane, ...report }, 'slice ended');
  if (report.end === 'handover') {
    const lanes = await (await engineStores.of(engineId)).listLanes(crawlerId);
    const fence = lanes.find((known) => known.stage === stage && known.lane === lane)?.fence ?? 0;
    await sliceAdder(deps)([{ ...slice, fence }]);
  }
  if (report.endedRuns.length > 0) await queues.addUpkeep({ kind: 'sweep-crawler', engineId, crawlerId });
}
