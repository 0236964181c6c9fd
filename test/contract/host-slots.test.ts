import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import type { SlotRequest } from '../../src/crawl/host-slots.ts';
import { connectProducer, untilConnected } from '../../src/jobs/connection.ts';
import { createRedisHostSlots } from '../../src/jobs/redis-host-slots.ts';
import { eventually } from '../helpers/eventually.ts';
import { startPrivateRedis } from '../helpers/private-redis.ts';
import { silentLog } from '../helpers/silent-log.ts';

const ORIGIN = 'https://site.example';

/** Host slots over several connections to one Redis, as several processes have them. */
async function open(processes = 3) {
  const redis = await startPrivateRedis();
  const connections: Redis[] = Array.from({ length: processes }, () => connectProducer(redis.url, silentLog));
  await Promise.all(connections.map((connection) => untilConnected(connection, 5_000)));
  const slots = connections.map((connection) => createRedisHostSlots({ redis: connection, newId: randomUUID }));
  return {
    redis,
    slots,
    first: slots[0]!,
    [Symbol.asyncDispose]: async () => {
      for (const each of slots) each[Symbol.dispose]();
      for (const connection of connections) connection.disconnect();
      await redis[Symbol.asyncDispose]();
    },
  };
}

const ask = (changes: Partial<SlotRequest> = {}): SlotRequest => ({
  origin: ORIGIN,
  want: 1,
  floor: { slots: 8, spacingMs: 0 },
  seed: { slots: 8, spacingMs: 0 },
  ...changes,
});

describe('promise 1: slots and spacing hold over all processes', () => {
  test('three processes never get more live slots than allowed', async () => {
    await using shared = await open();
    const { slots } = shared;
    const asked = ask({ want: 5, floor: { slots: 4, spacingMs: 0 }, seed: { slots: 4, spacingMs: 0 } });

    const granted = (await Promise.all(slots.map((each) => each.acquire([asked])))).flat();

    expect(granted).toHaveLength(4);
    expect(new Set(granted.map(({ grant }) => grant)).size).toBe(4);
  });

  test('starts lie a spacing apart, whoever asks, and at most 1 s ahead', async () => {
    await using shared = await open();
    const { slots } = shared;
    const pace = { slots: 32, spacingMs: 300 };
    const asked = ask({ want: 3, floor: pace, seed: pace });

    const began = performance.now();
    const granted = [];
    for (const each of slots) {
      const now = performance.now() - began;
      for (const { startInMs } of await each.acquire([asked])) granted.push(now + startInMs);
    }

    // 0, 300, 600, 900: the fifth would start later than a second from now.
    expect(granted).toHaveLength(4);
    for (let i = 1; i < granted.length; i++) expect(granted[i]! - granted[i - 1]!).toBeGreaterThan(280);
  });

  test('hosts are independent of each other', async () => {
    await using shared = await open(1);
    const { first } = shared;
    const one = { slots: 1, spacingMs: 0 };

    const granted = await first.acquire([
      ask({ want: 2, floor: one }),
      ask({ want: 2, floor: one, origin: 'https://other.example' }),
    ]);

    expect(granted.map(({ origin }) => origin)).toEqual([ORIGIN, 'https://other.example']);
  });
});

describe('promise 2: a slot ends', () => {
  test('with its release, by any process', async () => {
    await using shared = await open();
    const { slots } = shared;
    const one = ask({ floor: { slots: 1, spacingMs: 0 } });
    const [held] = await slots[0]!.acquire([one]);
    expect(await slots[1]!.acquire([one])).toEqual([]);

    await slots[2]!.release([{ grant: held!.grant, result: 'good' }]);

    expect(await slots[1]!.acquire([one])).toHaveLength(1);
  });

  test('with the lease of a holder that is gone', async () => {
    await using shared = await open(1);
    const { first, redis } = shared;
    const one = ask({ floor: { slots: 1, spacingMs: 0 } });
    await first.acquire([one]);
    const key = `{fossick}:host:${ORIGIN}:slots`;
    const [grant] = await redis.control.zrange(key, '0', '-1');

    first[Symbol.dispose]();
    // Its lease of 5 s is made to have ended.
    await redis.control.zadd(key, String(Date.now() - 1), grant ?? '');

    expect(await first.acquire([one])).toHaveLength(1);
  });
});

test('a slot that its holder keeps does not end', async () => {
  await using shared = await open(1);
  const { first, redis } = shared;
  await first.acquire([ask()]);
  const key = `{fossick}:host:${ORIGIN}:slots`;
  const [grant = ''] = await redis.control.zrange(key, '0', '-1');
  const until = async () => Number(await redis.control.zscore(key, grant));
  const before = await until();

  await eventually(async () => (await until()) > before);
});

describe('promise 3: a hold is seen by every process', () => {
  test('nothing starts until it has passed', async () => {
    await using shared = await open();
    const { slots } = shared;
    await slots[0]!.hold(ORIGIN, 300, 'rate-limited');

    expect(await slots[1]!.acquire([ask()])).toEqual([]);
    const granted = await eventually(async () => {
      const found = await slots[2]!.acquire([ask()]);
      return found.length > 0 && found;
    });
    expect(granted).toHaveLength(1);
  });

  test('a shorter hold does not end a longer one', async () => {
    await using shared = await open(1);
    const { first } = shared;
    await first.hold(ORIGIN, 60_000, 'rate-limited');
    await first.hold(ORIGIN, 1, 'host-held');

    expect(await first.acquire([ask()])).toEqual([]);
  });
});

describe('promise 4: lost state starts again from the seed', () => {
  test('an emptied Redis gives the slots of the seed, not of the floor', async () => {
    await using shared = await open(1);
    const { first, redis } = shared;
    await first.acquire([ask({ want: 8 })]);
    await redis.control.flushall();

    expect(await first.acquire([ask({ want: 8, seed: { slots: 2, spacingMs: 0 } })])).toHaveLength(2);
  });
});

describe('promise 5: the pace learns', () => {
  const slow = { floor: { slots: 4, spacingMs: 50 }, seed: { slots: 1, spacingMs: 400 } };
  const paceOf = async (redis: Redis) => {
    const [spacing, slots] = await redis.hmget(`{fossick}:host:${ORIGIN}`, 'spacing', 'slots');
    return { spacing: Number(spacing), slots: Number(slots) };
  };
  const answer = async (
    slots: ReturnType<typeof createRedisHostSlots>,
    result: 'good' | 'overload' | 'unused',
    n: number,
  ) => {
    for (let i = 0; i < n; i++) await slots.release([{ grant: `x ${ORIGIN}`, result }]);
  };

  test('good answers halve the spacing down to its floor, then add slots', async () => {
    await using shared = await open(1);
    const { first, redis } = shared;
    await first.acquire([ask(slow)]);

    await answer(first, 'good', 30);
    expect(await paceOf(redis.control)).toEqual({ spacing: 50, slots: 1 });
    await answer(first, 'good', 10);
    expect(await paceOf(redis.control)).toEqual({ spacing: 50, slots: 2 });
    await answer(first, 'good', 100);
    expect(await paceOf(redis.control)).toEqual({ spacing: 50, slots: 4 });
  });

  test('an overload halves slots and rate at once, an unused grant changes nothing', async () => {
    await using shared = await open(1);
    const { first, redis } = shared;
    await first.acquire([ask({ floor: { slots: 8, spacingMs: 50 }, seed: { slots: 8, spacingMs: 200 } })]);

    await answer(first, 'unused', 50);
    expect(await paceOf(redis.control)).toEqual({ spacing: 200, slots: 8 });
    await answer(first, 'overload', 1);
    expect(await paceOf(redis.control)).toEqual({ spacing: 400, slots: 4 });
  });
});

describe('promise 6: without Redis nothing is granted', () => {
  test('acquire rejects', async () => {
    await using shared = await open(1);
    const { first, redis } = shared;
    await redis.control.call('SHUTDOWN', 'NOSAVE').catch(() => undefined);

    await expect(first.acquire([ask()])).rejects.toThrow();
  });
});
