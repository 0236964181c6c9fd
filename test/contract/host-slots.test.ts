import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import type { Pace, SlotRequest, SlotResult } from '../../src/crawl/host-slots.ts';
import { connectProducer, untilConnected } from '../../src/jobs/connection.ts';
import { createRedisHostSlots } from '../../src/jobs/redis-host-slots.ts';
import { eventually } from '../helpers/eventually.ts';
import { startPrivateRedis } from '../helpers/private-redis.ts';
import { seededRandom } from '../helpers/random.ts';
import { silentLog } from '../helpers/silent-log.ts';

const ORIGIN = 'https://site.example';

/** Host slots over several connections to one Redis, as several processes have them. */
async function open(processes = 3) {
  const redis = await startPrivateRedis();
  const connections: Redis[] = Array.from({ length: processes }, () => connectProducer(redis.url, silentLog));
  await Promise.all(connections.map((connection) => untilConnected(connection, 5_000)));
  const slots = connections.map((connection) =>
    createRedisHostSlots({ redis: connection, newId: randomUUID, log: silentLog }),
  );
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

type Asked = Partial<Omit<SlotRequest, 'seed'>> & { readonly seed?: Pace & { readonly firstByteMs?: number } };

const ask = ({ seed = { slots: 8, spacingMs: 0 }, ...changes }: Asked = {}): SlotRequest => ({
  origin: ORIGIN,
  want: 1,
  floor: { slots: 8, spacingMs: 0 },
  seed: { firstByteMs: undefined, ...seed },
  observes: true,
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

  test('the spacing counts from the time at which a fetch really began', async () => {
    await using shared = await open(1);
    const { first } = shared;
    const pace = { slots: 1, spacingMs: 600 };
    const asked = ask({ floor: pace, seed: pace });
    const [late] = await first.acquire([asked]);
    const began = performance.now();
    await eventually(() => performance.now() - began > 150);

    await first.release([{ grant: late!.grant, result: 'good', sinceStartMs: 0 }]);

    const [next] = await first.acquire([asked]);
    expect(next?.startInMs).toBeGreaterThan(560);
    expect(next?.spacingMs).toBe(600);
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
    await slots[0]!.hold(ORIGIN, { forMs: 300, generation: 1 });

    expect(await slots[1]!.acquire([ask()])).toEqual([]);
    const granted = await eventually(async () => {
      const found = await slots[2]!.acquire([ask()]);
      return found.length > 0 && found;
    });
    expect(granted).toHaveLength(1);
  });

  test('an older generation does not end a newer one', async () => {
    await using shared = await open(1);
    const { first } = shared;
    await first.hold(ORIGIN, { forMs: 60_000, generation: 2 });
    await first.hold(ORIGIN, { forMs: 1, generation: 1 });

    expect(await first.acquire([ask()])).toEqual([]);
  });

  test('a copy of a hold of a day ends by itself within 5 s', async () => {
    await using shared = await open(1);
    const { first } = shared;
    await first.hold(ORIGIN, { forMs: 86_400_000, generation: 1 });

    expect(await eventually(async () => (await first.acquire([ask()])).length > 0, 6_000)).toBe(true);
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
  type Slots = ReturnType<typeof createRedisHostSlots>;
  const paceOf = async (slots: Slots) => (await slots.observedPace([ORIGIN])).get(ORIGIN);
  const answer = async (slots: Slots, result: SlotResult, n: number, firstByteMs = 20) => {
    for (let i = 0; i < n; i++) await slots.release([{ grant: `x ${ORIGIN}`, result, firstByteMs }]);
  };
  const slow = ask({ floor: { slots: 4, spacingMs: 50 }, seed: { slots: 1, spacingMs: 400 } });

  test('good answers halve the spacing down to its floor, then each level of slots is looked at', async () => {
    await using shared = await open(1);
    const { first } = shared;
    await first.acquire([slow]);

    await answer(first, 'good', 20);
    expect(await paceOf(first)).toMatchObject({ spacingMs: 100, slots: 1 });
    await answer(first, 'good', 10);
    expect(await paceOf(first)).toMatchObject({ spacingMs: 50, slots: 2 });
    await answer(first, 'good', 29);
    expect(await paceOf(first)).toMatchObject({ slots: 2 });
    await answer(first, 'good', 100);
    expect(await paceOf(first)).toEqual({ spacingMs: 50, slots: 4, firstByteMs: 20 });
  });

  test.each([1, 2, 4, 6])('a server of %i workers is given as many slots, give or take one', async (workers) => {
    await using shared = await open(1);
    const { first } = shared;
    await first.acquire([ask({ seed: { slots: 1, spacingMs: 500 } })]);
    const random = seededRandom(workers);

    for (let i = 0; i < 400; i++) {
      const { slots = 1 } = (await paceOf(first)) ?? {};
      const queued = Math.max(1, slots / workers);
      await answer(first, 'good', 1, (50 * queued * random.whole(70, 130)) / 100);
    }

    const reached = (await paceOf(first))?.slots ?? 0;
    expect(reached).toBeGreaterThanOrEqual(workers - 1);
    expect(reached).toBeLessThanOrEqual(workers + 1);
  });

  test('the fourth overload halves slots and rate at once, answers of the level before and unused grants change nothing', async () => {
    await using shared = await open(1);
    const { first } = shared;
    const pace = { slots: 8, spacingMs: 20 };
    const granted = await first.acquire([ask({ want: 8, floor: pace, seed: pace })]);
    await answer(first, 'unused', 50);
    await answer(first, 'overload', 3);
    expect(await paceOf(first)).toMatchObject(pace);

    await answer(first, 'overload', 1);
    for (const { grant } of granted) await first.release([{ grant, result: 'overload' }]);

    expect(await paceOf(first)).toMatchObject({ slots: 4, spacingMs: 100 });
    await answer(first, 'overload', 4);
    expect(await paceOf(first)).toMatchObject({ slots: 2, spacingMs: 200 });
  });

  test.each([
    ['two overloads quicken', { overload: 2, strain: 0 }, { slots: 4, spacingMs: 100 }],
    ['one overload and one failure of another kind quicken', { overload: 1, strain: 1 }, { slots: 4, spacingMs: 100 }],
    ['three overloads change nothing', { overload: 3, strain: 0 }, { slots: 4, spacingMs: 200 }],
    ['failures that are no overload change nothing', { overload: 0, strain: 8 }, { slots: 4, spacingMs: 200 }],
    ['four overloads slow down', { overload: 4, strain: 0 }, { slots: 2, spacingMs: 400 }],
  ])('ten answers with %s', async (_name, { overload, strain }, reached) => {
    await using shared = await open(1);
    const { first } = shared;
    const [floor, seed] = [
      { slots: 4, spacingMs: 50 },
      { slots: 4, spacingMs: 200 },
    ];
    await first.acquire([ask({ floor, seed, observes: false })]);

    await answer(first, 'good', 10 - overload - strain);
    await answer(first, 'strain', strain);
    await answer(first, 'overload', overload);

    expect(await paceOf(first)).toMatchObject(reached);
  });

  test('a pace that does not learn ignores slow answers, and comes back after an overload', async () => {
    await using shared = await open(1);
    const { first } = shared;
    const pace = { slots: 4, spacingMs: 50 };
    await first.acquire([ask({ floor: pace, seed: pace, observes: false })]);

    for (const firstByteMs of [10, 100, 1_000, 10_000]) await answer(first, 'good', 20, firstByteMs);
    expect(await paceOf(first)).toMatchObject(pace);
    await answer(first, 'overload', 4);
    expect(await paceOf(first)).toMatchObject({ slots: 2, spacingMs: 100 });
    await answer(first, 'good', 30);
    expect(await paceOf(first)).toMatchObject(pace);
  });

  test.each([
    ['learns', true],
    ['does not learn', false],
  ])(
    'a pace that %s bears one overload in ten and finds the floor; one in two brings it to a start in 10 s',
    async (_name, observes) => {
      await using shared = await open(1);
      const { first } = shared;
      const floor = { slots: 4, spacingMs: 50 };
      await first.acquire([ask({ floor, seed: { slots: 1, spacingMs: 400 }, observes })]);
      const random = seededRandom(6);
      const slowest = async (oneIn: number) => {
        let most = 0;
        for (let i = 0; i < 400; i++) {
          await answer(first, random.whole(1, oneIn) === 1 ? 'overload' : 'good', 1);
          most = Math.max(most, (await paceOf(first))?.spacingMs ?? 0);
        }
        return most;
      };

      expect(await slowest(10)).toBeLessThanOrEqual(400);
      expect((await paceOf(first))?.spacingMs).toBeLessThanOrEqual(100);
      expect((await paceOf(first))?.slots).toBeGreaterThan(1);
      expect(await slowest(2)).toBe(10_000);
    },
  );

  test('a seed with its first byte is the measure of the levels above', async () => {
    await using shared = await open(1);
    const { first } = shared;
    const pace = { slots: 4, spacingMs: 50 };
    await first.acquire([ask({ floor: pace, seed: { ...pace, firstByteMs: 20 } })]);

    await answer(first, 'good', 30, 60);

    expect(await paceOf(first)).toMatchObject({ slots: 3, firstByteMs: 20 });
  });
});

describe('promise 6: what was learned can be kept', () => {
  test('an origin that was never asked for is left out', async () => {
    await using shared = await open(1);
    const { first } = shared;
    await first.acquire([ask({ seed: { slots: 2, spacingMs: 300 } })]);

    expect(await first.observedPace([ORIGIN, 'https://other.example'])).toEqual(
      new Map([[ORIGIN, { slots: 2, spacingMs: 300, firstByteMs: undefined }]]),
    );
  });
});

describe('promise 7: without Redis nothing is granted', () => {
  test('acquire rejects', async () => {
    await using shared = await open(1);
    const { first, redis } = shared;
    await redis.control.call('SHUTDOWN', 'NOSAVE').catch(() => undefined);

    await expect(first.acquire([ask()])).rejects.toThrow();
  });
});
