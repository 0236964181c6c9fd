import { expect, test } from 'vitest';
import { runVisits } from '../../../src/crawl/slice/visit-loop.ts';
import { eventually } from '../../helpers/eventually.ts';

const never = new AbortController().signal;

/** A visit that ends when the test says so. */
function gate() {
  const opened = Promise.withResolvers<void>();
  return { wait: () => opened.promise, open: () => opened.resolve() };
}

function listOf(count: number) {
  let given = 0;
  return async () => (given < count ? given++ : undefined);
}

test('visits every item exactly once and ends when there is no more', async () => {
  const visited: number[] = [];
  await runVisits({
    next: listOf(100),
    visit: async (item) => {
      visited.push(item);
    },
    concurrency: 8,
    signal: never,
  });
  expect(visited.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_unused, i) => i));
});

test('ends at once when there is nothing', async () => {
  await runVisits({ next: async () => undefined, visit: async () => {}, concurrency: 4, signal: never });
});

test('runs as many visits at once as allowed, and never more', async () => {
  const hold = gate();
  let running = 0;
  let most = 0;
  const loop = runVisits({
    next: listOf(20),
    visit: async () => {
      most = Math.max(most, ++running);
      await hold.wait();
      running--;
    },
    concurrency: 5,
    signal: never,
  });
  await eventually(() => running === 5);
  hold.open();
  await loop;
  expect(most).toBe(5);
});

test('asks for one item at a time, and only when a visit could start', async () => {
  const list = listOf(30);
  let asking = 0;
  let running = 0;
  const seen: boolean[] = [];
  await runVisits({
    next: async () => {
      seen.push(++asking === 1 && running < 3);
      await new Promise(setImmediate);
      asking--;
      return list();
    },
    visit: async () => {
      running++;
      await new Promise(setImmediate);
      running--;
    },
    concurrency: 3,
    signal: never,
  });
  expect(seen).not.toContain(false);
});

test('resolves only when the last visit has ended', async () => {
  const hold = gate();
  let isOver = false;
  let visiting = false;
  const loop = runVisits({
    next: listOf(1),
    visit: () => {
      visiting = true;
      return hold.wait();
    },
    concurrency: 2,
    signal: never,
  }).then(() => {
    isOver = true;
  });
  await eventually(() => visiting);
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  hold.open();
  await loop;
});

test('after the signal asks for nothing more and lets the visits under way end', async () => {
  const hold = gate();
  const controller = new AbortController();
  let asked = 0;
  let done = 0;
  const loop = runVisits({
    next: async () => asked++,
    visit: async () => {
      await hold.wait();
      done++;
    },
    concurrency: 3,
    signal: controller.signal,
  });
  await eventually(() => asked === 3);
  controller.abort();
  hold.open();
  await loop;
  expect([asked, done]).toEqual([3, 3]);
});

test('an item that comes after the signal is still visited', async () => {
  const hold = gate();
  const controller = new AbortController();
  const visited: string[] = [];
  let asking = false;
  const loop = runVisits({
    next: async () => {
      asking = true;
      await hold.wait();
      return 'late';
    },
    visit: async (item) => {
      visited.push(item);
    },
    concurrency: 2,
    signal: controller.signal,
  });
  await eventually(() => asking);
  controller.abort();
  hold.open();
  await loop;
  expect(visited).toEqual(['late']);
});

test.each(['next', 'visit'] as const)('a failure of %s ends the loop after the visits under way', async (where) => {
  const list = listOf(1_000);
  const hold = gate();
  let ended = 0;
  let asked = 0;
  const loop = runVisits({
    next: async () => {
      if (++asked === 4 && where === 'next') throw new Error('planned');
      return list();
    },
    visit: async (item) => {
      if (item === 2 && where === 'visit') throw new Error('planned');
      await hold.wait();
      ended++;
    },
    concurrency: 4,
    signal: never,
  });
  const failed = loop.then(
    () => 'resolved',
    (error: Error) => error.message,
  );
  await eventually(() => asked >= 3);
  hold.open();
  expect(await failed).toBe('planned');
  expect(asked).toBeLessThan(10);
  expect(ended).toBeGreaterThanOrEqual(asked - 2);
});
