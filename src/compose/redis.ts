import type { Config } from '../config/config.ts';
import { invalidRequest } from '../core/errors.ts';
import type { Wake } from '../core/wake.ts';
import { connectProducer, connectWorker, untilConnected } from '../jobs/connection.ts';
import { openQueues, type Queues } from '../jobs/queues.ts';
import { createWake } from '../jobs/wake.ts';
import type { Log } from '../observability/logger.ts';
import type { EnteringProcess, LivingProcess } from '../storage/process-registry.ts';

type Connection = ReturnType<typeof connectProducer>;

/** Nobody may have to wait for a Redis that is away; a start beside a running one does not lose its first hints. */
const CONNECT_WITHIN_MS = 1_000;

export type Jobs = { readonly queues: Queues; readonly producer: Connection };

/** Producers of jobs: their calls fail fast while Redis is away. Closed with the stack. */
export async function openJobs(stack: AsyncDisposableStack, redisUrl: string, log: Log): Promise<Jobs> {
  const producer = connectProducer(redisUrl, log);
  stack.defer(() => producer.disconnect());
  await untilConnected(producer, CONNECT_WITHIN_MS);
  return { producer, queues: stack.use(openQueues({ connection: producer, log })) };
}

/** Connection of queue workers: waits for Redis for ever. Closed with the stack. */
export function openWorkerConnection(stack: AsyncDisposableStack, redisUrl: string, log: Log): Connection {
  const connection = connectWorker(redisUrl, log);
  stack.defer(() => connection.disconnect());
  return connection;
}

/** Hints become jobs; without Redis there is nobody to hint at. */
export function wakeOf(jobs: Jobs | undefined, log: Log): Wake {
  return jobs === undefined ? () => undefined : createWake({ queues: jobs.queues, log });
}

/** What a process says of itself that works with jobs. */
export function jobsFacts({ producer }: Jobs, config: Config): Pick<EnteringProcess, 'hasOwnRedis' | 'misses'> {
  return {
    hasOwnRedis: isPrivateRedis(config),
    misses: () => (producer.status === 'ready' ? [] : ['redis']),
  };
}

/** Why machines of one database do not work together, and what to do. `others`: processes of the other machines. */
export function unsharedRedis(
  { REDIS_URL: url }: Config,
  others: readonly LivingProcess[],
): { readonly sentence: string; readonly mend: string } | undefined {
  const mend = 'set REDIS_URL to one Redis on all machines of this DATABASE_URL';
  const lonely = others.find(({ hasOwnRedis }) => hasOwnRedis)?.machine.host;
  if (lonely !== undefined) {
    return { sentence: `${lonely} runs with a Redis of its own`, mend: `${mend}, and start it again first` };
  }
  const [other] = others;
  if (other === undefined || url !== undefined) return undefined;
  return { sentence: `REDIS_URL is not set, and ${other.machine.host} runs on the same DATABASE_URL`, mend };
}

/** Crawling is scheduled through Redis. @throws AppError `request.invalid` that says what to do */
export function requireRedisUrl(config: Config): string {
  if (config.REDIS_URL !== undefined) return config.REDIS_URL;
  const message =
    'this role needs a Redis: set REDIS_URL, such as redis://127.0.0.1:6379, or run everything with npm start';
  throw invalidRequest([{ path: 'REDIS_URL', message }]);
}

/** The supervisor tells its children where the Redis is that it has started: on a socket, or on loopback by a password. */
export function isPrivateRedis({ REDIS_URL: url = '', DATA_DIR: dataDir }: Config): boolean {
  return url.startsWith(`unix://${dataDir}`);
}
