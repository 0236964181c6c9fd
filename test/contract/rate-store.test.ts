import { describe, expect, test } from 'vitest';
import { createMemoryRateStore } from '../../src/api/rate-limit.ts';
import type { RateStore } from '../../src/core/rate-store.ts';
import { createRedisRateStore } from '../../src/jobs/redis-rate-store.ts';
import { eventually } from '../helpers/eventually.ts';
import { startPrivateRedis } from '../helpers/private-redis.ts';

type Opened = AsyncDisposable & { readonly store: RateStore };

const LIMIT = { perSecond: 2, burst: 3 };

async function openMemory(): Promise<Opened> {
  return { store: createMemoryRateStore(), [Symbol.asyncDispose]: async () => {} };
}

async function openRedis() {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startPrivateRedis());
  const store = stack.use(createRedisRateStore(server.url));
  await eventually(async () => (await store.take('first', LIMIT, 0)).allowed);
  const owned = stack.move();
  return { server, store, [Symbol.asyncDispose]: () => owned.disposeAsync() };
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

  test('a call that cost more than is there is admitted, and what it owes is paid off by time', async () => {
    await using opened = await open();
    const { store } = opened;

    expect(await store.charge('a', 9, LIMIT, 0)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await store.charge('a', 1, LIMIT, 0)).toMatchObject({ allowed: false, retryAfterSeconds: 4 });
    expect((await store.take('a', LIMIT, 3_499)).allowed).toBe(false);
    expect((await store.take('a', LIMIT, 3_500)).allowed).toBe(true);
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
  await opened.server.control.shutdown('NOSAVE').catch(() => undefined);

  await eventually(async () => {
    await expect(opened.store.take('a', LIMIT, 0)).rejects.toThrow();
    return true;
  });
});

test('a slow Redis is not waited for', async () => {
  await using opened = await openRedis();
  await opened.server.control.client('PAUSE', 1_000);

  await expect(opened.store.take('a', LIMIT, 0)).rejects.toThrow(/timed out/);
});

test('processes share the buckets of one Redis, which forgets full ones', async () => {
  await using opened = await openRedis();
  await using other = createRedisRateStore(opened.server.url);
  for (let i = 0; i < 3; i++) await opened.store.take('a', LIMIT, 0);

  expect(await eventually(() => other.take('a', LIMIT, 0))).toMatchObject({ allowed: false });
  for (const key of await opened.server.control.keys('*')) {
    expect(await opened.server.control.pttl(key)).toBeGreaterThan(0);
  }
});
