import type { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { connectProducer, connectWorker, untilConnected } from '../../../src/jobs/connection.ts';
import { openQueues, type Queues, type UpkeepPayload, upkeepPayload } from '../../../src/jobs/queues.ts';
import { createRedisRateStore } from '../../../src/jobs/redis-rate-store.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startPrivateRedis } from '../../helpers/private-redis.ts';
import { openRedisLine } from '../../helpers/redis-line.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const PAYLOAD: UpkeepPayload = { kind: 'sweep-crawler', engineId: 1, crawlerId: 17 };
/** A silent connection is given up after at most 15 s; a job that was taken over it is given out again 15 s later. */
const REPLACED_WITHIN_MS = 45_000;

/** A Redis and a line to it, with what a test connects to either. */
async function openRedis() {
  await using stack = new AsyncDisposableStack();
  const redis = stack.use(await startPrivateRedis());
  const line = stack.use(await openRedisLine(redis.url));
  const owned = stack.move();
  const closedWithIt = (connection: Redis): Redis => {
    owned.defer(() => connection.disconnect());
    return connection;
  };
  const producer = (url: string) => closedWithIt(connectProducer(url, silentLog));
  const queues = (connection: Redis) => owned.use(openQueues({ connection, log: silentLog }));
  return {
    ...redis,
    line,
    producer,
    queues,
    connectedQueues: async (url: string) => {
      const connection = producer(url);
      await untilConnected(connection, 5_000);
      return queues(connection);
    },
    /** Puts the ids of the crawlers of the jobs that it has worked in the list that it answers. */
    worker: (url: string): readonly number[] => {
      const worked: number[] = [];
      const connection = closedWithIt(connectWorker(url, silentLog));
      const options = { connection, queue: 'upkeep', concurrency: 1, log: silentLog } as const;
      owned.use(startWorker(options, upkeepPayload, async ({ crawlerId }) => void worked.push(crawlerId)));
      return worked;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Resolves when the queues take a job, and what they hold can be counted. */
async function takeJobs(queues: Queues): Promise<void> {
  await eventually(async () => {
    await queues.addUpkeep(PAYLOAD);
    return (await queues.countWaiting('upkeep')) === 1;
  }, REPLACED_WITHIN_MS);
}

describe('queues work as soon as Redis answers, whatever they met when they were opened:', () => {
  test('a Redis that had no moment to answer', async () => {
    await using redis = await openRedis();
    const producer = redis.producer(redis.url);
    await untilConnected(producer, 5_000);
    redis.freeze();
    const queues = redis.queues(producer);
    await expect(queues.addUpkeep(PAYLOAD)).rejects.toThrow('Command timed out');

    redis.thaw();

    await takeJobs(queues);
  });

  test('a Redis that was not there', async () => {
    await using redis = await openRedis();
    const queues = redis.queues(redis.producer(redis.line.url));
    await expect(queues.addUpkeep(PAYLOAD)).rejects.toThrow();

    await redis.line.listen();

    await takeJobs(queues);
  });

  test('a Redis that greeted nobody', async () => {
    await using redis = await openRedis();
    redis.freeze();
    const producer = redis.producer(redis.url);
    await eventually(() => producer.status === 'connect');
    const queues = redis.queues(producer);
    await expect(queues.addUpkeep(PAYLOAD)).rejects.toThrow();

    redis.thaw();

    await takeJobs(queues);
  });
});

test('shared rate limits come to a Redis whose greeting takes longer than they wait for an answer', async () => {
  await using redis = await openRedis();
  await using line = await openRedisLine(redis.url, 300);
  await line.listen();
  await using store = createRedisRateStore(line.url);

  const taken = await eventually(() => store.take('a', { perSecond: 1, burst: 100 }, 0));

  expect(taken).toMatchObject({ allowed: true, remaining: 99 });
});

describe('a connection on which nothing comes any more is replaced:', () => {
  test.concurrent('that of producers', async () => {
    await using redis = await openRedis();
    await redis.line.listen();
    const queues = await redis.connectedQueues(redis.line.url);
    await queues.countWaiting('upkeep');
    redis.line.silence();
    await expect(queues.addUpkeep(PAYLOAD)).rejects.toThrow('Command timed out');

    redis.line.heal();

    await takeJobs(queues);
  });

  test.concurrent('that of shared rate limits', async () => {
    await using redis = await openRedis();
    await redis.line.listen();
    await using store = createRedisRateStore(redis.line.url);
    const limit = { perSecond: 1, burst: 100 };
    await eventually(() => store.take('a', limit, 0));
    redis.line.silence();
    await expect(store.take('a', limit, 0)).rejects.toThrow('Command timed out');

    redis.line.heal();

    await eventually(() => store.take('a', limit, 0), REPLACED_WITHIN_MS);
  });

  test.concurrent('those of a worker that waits for jobs', async () => {
    await using redis = await openRedis();
    await redis.line.listen();
    const queues = await redis.connectedQueues(redis.url);
    const worked = redis.worker(redis.line.url);
    await queues.addUpkeep(PAYLOAD);
    await eventually(async () => (await queues.byName.upkeep.getCompletedCount()) === 1);
    redis.line.silence();
    await queues.addUpkeep(PAYLOAD);

    redis.line.heal();

    await eventually(() => worked.length > 1, REPLACED_WITHIN_MS);
  });

  test.concurrent('those of a worker that were never greeted', async () => {
    await using redis = await openRedis();
    await redis.line.listen();
    const queues = await redis.connectedQueues(redis.url);
    redis.line.silence();
    const worked = redis.worker(redis.line.url);
    await eventually(() => redis.line.count() === 2);
    await queues.addUpkeep(PAYLOAD);

    redis.line.heal();

    await eventually(() => worked.length > 0, REPLACED_WITHIN_MS);
  });
});
