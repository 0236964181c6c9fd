import type { Redis } from 'ioredis';
import { type SliceHandlerDeps, sliceHandler } from './handlers.ts';
import { slicePayload } from './job-types.ts';
import { startWorker } from './worker.ts';

/** Slices of a process at once: queued URLs never wait behind other work. */
const NOW_SLICES = 1;
const CRAWL_SLICES = 2;

/** The crawl role: works slices of both queues until it is disposed, which hands its leases back. */
export function startCrawlWorkers(deps: SliceHandlerDeps & { readonly connection: Redis }): AsyncDisposable {
  const { connection, log } = deps;
  const stack = new AsyncDisposableStack();
  const handle = sliceHandler(deps);
  const start = (queue: 'now' | 'crawl', concurrency: number) =>
    stack.use(startWorker({ connection, queue, concurrency, log }, slicePayload, handle(queue)));
  start('now', NOW_SLICES);
  start('crawl', CRAWL_SLICES);
  return { [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
