import type { Redis } from 'ioredis';
import { type SliceQueue, slicePayload } from './job-types.ts';
import { type SliceHandlerDeps, sliceHandler } from './slice-handler.ts';
import { startWorker } from './worker.ts';

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
