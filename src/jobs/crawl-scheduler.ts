import type { Redis } from 'ioredis';
import { repeat } from '../observability/background.ts';
import { upkeepPayload } from './job-types.ts';
import { type CrawlSweepDeps, createSweep, SWEEP_PAUSE_MS } from './sweep.ts';
import { upkeepHandler } from './upkeep-handler.ts';
import { startWorker } from './worker.ts';

const UPKEEP_JOBS = 2;

/** The crawl part of the scheduler role: upkeep jobs and the sweep. One active by lease; disposing it ends both. */
export function startCrawlScheduler(deps: CrawlSweepDeps & { readonly connection: Redis }): AsyncDisposable {
  const { connection, log } = deps;
  const stop = new AbortController();
  const worker = startWorker(
    { connection, queue: 'upkeep', concurrency: UPKEEP_JOBS, log },
    upkeepPayload,
    upkeepHandler(deps),
  );
  const sweep = createSweep(deps);
  const sweeping = repeat({ log, name: 'crawl sweep', pauseMs: SWEEP_PAUSE_MS, signal: stop.signal }, () =>
    sweep(stop.signal),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await sweeping;
      await worker[Symbol.asyncDispose]();
    },
  };
}
