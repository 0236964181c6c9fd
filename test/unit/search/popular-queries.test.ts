import { expect, test } from 'vitest';
import { completingQueries, queryCompletionsOf } from '../../../src/search/autocomplete.ts';
import { createPopularQueries } from '../../../src/search/popular-queries.ts';
import type { PopularQuery } from '../../../src/storage/system/popular-queries.ts';
import { silentLog } from '../../helpers/silent-log.ts';

function popular(text: string, count: number, resultCount: number | undefined = 1): PopularQuery {
  return { query: text.toLowerCase(), text, count, lastAt: 0, resultCount };
}

/** A store whose answers the test gives; `reads` counts the questions. */
function startStore() {
  const state = { now: 0, reads: 0, answer: async (): Promise<readonly PopularQuery[]> => [popular('solar', 3)] };
  const store = {
    listPopularQueries: () => {
      state.reads++;
      return state.answer();
    },
  };
  return Object.assign(state, {
    of: createPopularQueries({ store, log: silentLog, clock: { now: () => state.now }, minCount: 2, maxAgeMs: 1_000 }),
  });
}

test('a long list is read once and then again when it has aged, the present one serving meanwhile', async () => {
  const store = startStore();
  store.answer = async () => Array.from({ length: 300 }, (_, i) => popular(`query ${i}`, 3));
  const first = await store.of(6);
  expect(await store.of(6)).toBe(first);
  expect(store.reads).toBe(1);

  store.now = 1_000;
  store.answer = async () => [popular('wind', 2)];
  expect(await store.of(6)).toBe(first);
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));

  expect((await store.of(6)).map(({ text }) => text)).toEqual(['wind']);
  expect(store.reads).toBe(2);
});

test('a short list is read anew at once, so that the first queries of an engine count', async () => {
  const store = startStore();
  await store.of(6);

  store.now = 200;
  store.answer = async () => [popular('wind', 2)];

  expect((await store.of(6)).map(({ text }) => text)).toEqual(['wind']);
});

test('callers that come together share one reading', async () => {
  const store = startStore();

  const [a, b] = await Promise.all([store.of(6), store.of(6)]);

  expect(a).toBe(b);
  expect(store.reads).toBe(1);
});

test('a reading that fails is not kept', async () => {
  const store = startStore();
  store.answer = () => Promise.reject(new Error('away'));
  await expect(store.of(6)).rejects.toThrow('away');

  store.answer = async () => [popular('solar', 3)];
  expect(await store.of(6)).toHaveLength(1);

  store.now = 5_000;
  store.answer = () => Promise.reject(new Error('away'));
  expect(await store.of(6)).toHaveLength(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await store.of(6)).toHaveLength(1);
});

const KNOWN = [
  popular('Solar roof prices', 9),
  popular('roof window', 5),
  popular('Café opening', 4),
  popular('cafe OPENING', 3),
  popular('roof nothing', 3, 0),
  { ...popular('roof unknown', 3), resultCount: undefined },
  popular('a b', 2),
];

test.each([
  ['roo', ['Solar roof prices', 'roof window']],
  ['r', ['Solar roof prices', 'roof window']],
  ['roof w', ['roof window']],
  ['solar prices', []],
  ['cafe', ['Café opening']],
  ['a b', ['a b']],
  ['ab', []],
  ['', []],
])('%j completes to the committed queries with results %j', async (typed, expected) => {
  const words = typed.split(' ').filter((word) => word !== '');

  const found = completingQueries(await queryCompletionsOf(KNOWN), words);

  expect(found.map(({ text }) => text)).toEqual(expected);
});

test('50,000 queries are read in steps that leave the event loop free', async () => {
  const many = Array.from({ length: 50_000 }, (_, i) => popular(`query number ${i}`, 2));
  let turns = 0;
  const timer = setInterval(() => turns++, 0);

  await queryCompletionsOf(many);
  clearInterval(timer);

  expect(turns).toBeGreaterThan(20);
});
