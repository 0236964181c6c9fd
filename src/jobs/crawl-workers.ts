import type { Redis } from 'ioredis';
import { runSlice, type SliceDeps } from '../crawl/run-slice.ts';
import { sliceAdder } from './add-slices.ts';
import { type Queues, type SlicePayload, type SliceQueue, slicePayload } from './queues.ts';
import { createWake } from './wake.ts';
import { type Handle, startWorker } from './worker.ts';

/** Slices of a process at once: queued URLs never wait behind other work. */
const NOW_SLICES = 1;
const CRAWL_SLICES = 2;
const FILE_SLICES = 2;

export type CrawlWorkersDeps = SliceHandlerDeps & {
  readonly connection: Redis;
  /** Slices of stage `render` at once in this process (`RENDER_CONCURRENCY`). */
  readonly renderSlices: number;
};

/** The crawl role: works slices of all stages until it is disposed, which hands its leases back. */
export function startCrawlWorkers(deps: CrawlWorkersDeps): AsyncDisposable {
  const { connection, log } = deps;
  const stack = new AsyncDisposableStack();
  const handle = sliceHandler(deps);
  const start = (queue: SliceQueue, concurrency: number) =>
    stack.use(startWorker({ connection, queue, concurrency, log }, slicePayload, handle(queue)));
  start('now', NOW_SLICES);
  start('crawl', CRAWL_SLICES);
  start('render', deps.renderSlices);
  start('files', FILE_SLICES);
  return { [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

type SliceHandlerDeps = Omit<SliceDeps, 'othersWait' | 'wake'> & { readonly queues: Queues };

/**
 * Works slices; what remains of one after its time is the next slice of the lane, what ended is looked at by upkeep.
 * One handler per process: a second slice of a lane would take it from the first, because both have its holder's name.
 */
function sliceHandler(deps: SliceHandlerDeps): (queue: SliceQueue) => Handle<SlicePayload> {
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
  if (report.wantsSweep) await queues.addUpkeep({ kind: 'sweep-crawler', engineId, crawlerId });
}
