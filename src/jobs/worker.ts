import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import type { Log } from '../observability/logger.ts';
import { KEY_PREFIX } from './connection.ts';
import type { QueueName } from './queues.ts';

const LOCK_MS = 10_000;
const STALLED_INTERVAL_MS = 5_000;
/** The default of 1 fails a job for good at its second stall, whatever `attempts` says: 8 % of jobs over 20 kills. */
const MAX_STALLED = 1_000;

export type WorkerOptions = {
  /** A worker connection: it waits for Redis for ever. Stays its owner's. */
  readonly connection: Redis;
  readonly queue: QueueName;
  readonly concurrency: number;
  readonly log: Log;
};

export type Handle<Payload> = (payload: Payload, signal: AbortSignal) => Promise<void>;

/**
 * Consumes one queue. Handlers are idempotent and record outcomes, retries included, in the store: a throw is a bug.
 * Disposing it signals the handlers and waits for them.
 */
export function startWorker<Payload>(
  options: WorkerOptions,
  payload: z.ZodType<Payload>,
  handle: Handle<Payload>,
): AsyncDisposable {
  const { connection, queue, concurrency, log } = options;
  const stop = new AbortController();
  const worker = new Worker(
    queue,
    async (job, _token, signal) => {
      const parsed = payload.safeParse(job.data);
      if (!parsed.success) {
        log.error({ queue, jobId: job.id, problem: parsed.error.message }, 'malformed job dropped');
        return;
      }
      await handle(parsed.data, signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]));
    },
    {
      connection,
      prefix: KEY_PREFIX,
      concurrency,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_INTERVAL_MS,
      maxStalledCount: MAX_STALLED,
    },
  );
  worker.on('failed', (job, err) => log.error({ err, queue, jobId: job?.id }, 'job failed'));
  worker.on('error', (err) => log.debug({ err, queue }, 'queue connection lost'));
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await worker.close();
    },
  };
}
