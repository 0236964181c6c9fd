import { describe, expect, test } from 'vitest';
import { createMemoryRateStore } from '../../src/api/rate-store.ts';
import type { RateStore } from '../../src/core/rate-store.ts';
import { connectProducer, untilConnected } from '../../src/jobs/connection.ts';
import { createRedisRateStore } from '../../src/jobs/redis-rate-store.ts';
import { startPrivateRedis } from '../helpers/private-redis.ts';
import { silentLog } from '../helpers/silent-log.ts';

type Opened = AsyncDisposable & { readonly store: RateStore };

const LIMIT = { perSecond: 2, burst: 3 };

async function openMemory(): Promise<Opened> {
  return { store: createMemoryRateStore(), [Symbol.asyncDispose]: async () => {} };
}

async function openRedis() {
  const server = await startPrivateRedis();
  const redis = connectProducer(server.url, silentLog);
  await untilConnected(redis, 5_000);
  return {
    store: createRedisRateStore({ redis }),
    redis,
    [Symbol.asyncDispose]: async () => {
      redis.disconnect();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe.each([
  ['in memory', openMemory],
  ['in Redis', openRedis],
])('buckets %s', (_name, open) => {
  test('a bucket gives its burst, then refuses and says when to come back', async () => {
    await using opened = await open();
    const { store } = opened;
    for (const remaining of [2, 1, 0]) {
      expect(await store.take('a', LIMIT, 0)).toMatchObject({ allowed: true, remaining, retryAfterSeconds: 0 });
    }

    expect(await store.take('a', LIMIT, 0)).toEqual({
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 1,
      resetSeconds: 2,
    });
  });

  test('a bucket refills with time, up to its burst', async () => {
    await using opened = await open();
    const { store } = opened;
    for (let i = 0; i < 3; i++) await store.take('a', LIMIT, 0);

    expect((await store.take('a', LIMIT, 499)).allowed).toBe(false);
    expect((await store.take('a', LIMIT, 500)).allowed).toBe(true);
    expect((await store.take('a', LIMIT, 3_600_000)).remaining).toBe(2);
  });

  test('a slow class names the whole wait', async () => {
    await using opened = await open();
    const { store } = opened;
    const limit = { perSecond: 0.5, burst: 1 };
    await store.take('a', limit, 0);

    expect(await store.take('a', limit, 0)).toMatchObject({ allowed: false, retryAfterSeconds: 2, resetSeconds: 2 });
  });

  test('callers do not touch each other', async () => {
    await using opened = await open();
    const { store } = opened;
    for (let i = 0; i < 3; i++) await store.take('a', LIMIT, 0);

    expect((await store.take('b', LIMIT, 0)).allowed).toBe(true);
  });

  test('a clock set back gives nothing away', async () => {
    await using opened = await open();
    const { store } = opened;
    for (let i = 0; i < 3; i++) await store.take('a', LIMIT, 10_000);

    expect((await store.take('a', LIMIT, 0)).allowed).toBe(false);
  });
});

test('a store whose Redis is away rejects, so that its caller can let the request pass', async () => {
  await using opened = await openRedis();
  opened.redis.disconnect();

  await expect(opened.store.take('a', LIMIT, 0)).rejects.toThrow();
});

test('processes share the buckets of one Redis, which forgets full ones', async () => {
  await using opened = await openRedis();
  const other = createRedisRateStore({ redis: opened.redis });
  for (let i = 0; i < 3; i++) await opened.store.take('a', LIMIT, 0);

  expect(await other.take('a', LIMIT, 0)).toMatchObject({ allowed: false });
  const [key = ''] = await opened.redis.keys('*');
  expect(await opened.redis.pttl(key)).toBeGreaterThan(0);
});
