import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { type LoggedSearch, logSearch } from '../helpers/log-search.ts';
import { type OpenSystem, openSystem } from '../helpers/open-system.ts';

let system: OpenSystem;
let store: SystemStore;
let nextEngineId = 1;

beforeAll(async () => {
  system = await openSystem();
  store = system.store;
});
afterAll(() => system[Symbol.asyncDispose]());

const newEngine = () => nextEngineId++;
const log = (engineId: number, ...searches: readonly LoggedSearch[]) =>
  searches.reduce((before, search) => before.then(() => logSearch(store, engineId, search)), Promise.resolve());
const popular = (engineId: number, { minCount = 1, limit = 100 } = {}) =>
  store.listPopularQueries({ engineId, minCount, limit });
const pairs = (engineId: number, query: string, limit = 100) => store.listQueryPairs({ engineId, query, limit });

describe('popular queries', () => {
  test('are counted over spellings, with the most frequent spelling, the last time and the newest stated results', async () => {
    const engineId = newEngine();
    await log(
      engineId,
      { text: 'solar PANELS', at: 1, resultCount: 4 },
      { text: '  Solar   panels ', at: 2, resultCount: 3 },
      { text: 'Solar panels', at: 9 },
      { text: 'solar PANELS', at: 4 },
      { text: 'Solar panels', at: 5 },
      { text: 'wind', at: 6, resultCount: 0 },
      { text: 'heat', at: 7 },
      { text: 'heat', at: 8 },
    );

    expect(await popular(engineId)).toEqual([
      { query: 'solar panels', text: 'Solar panels', count: 5, lastAt: 9, resultCount: 3 },
      { query: 'heat', text: 'heat', count: 2, lastAt: 8, resultCount: undefined },
      { query: 'wind', text: 'wind', count: 1, lastAt: 6, resultCount: 0 },
    ]);
  });

  test('are of one engine, of the least count that is asked, and no more than asked', async () => {
    const [engineId, other] = [newEngine(), newEngine()];
    await log(engineId, { text: 'a' }, { text: 'a' }, { text: 'a' }, { text: 'b' }, { text: 'b' }, { text: 'c' });
    await log(other, { text: 'd' });

    const names = async (of: { minCount?: number; limit?: number }) =>
      (await popular(engineId, of)).map(({ query }) => query);
    expect(await names({ minCount: 2 })).toEqual(['a', 'b']);
    expect(await names({ limit: 1 })).toEqual(['a']);
    expect(await names({ limit: 0 })).toEqual([]);
  });

  test('leave out what does not count and the query that means everything', async () => {
    const engineId = newEngine();
    await log(engineId, { text: 'typed', counted: false }, { text: '*' }, { text: ' ' }, { text: 'sent' });

    expect((await popular(engineId)).map(({ query }) => query)).toEqual(['sent']);
  });

  test('come whole and in order when there are more than one read takes', async () => {
    const engineId = newEngine();
    const texts = Array.from({ length: 2_345 }, (_, i) => `query ${i}`);
    for (const sent of [texts.slice(0, 1_200), texts.slice(1_200), texts.slice(0, 700)]) {
      await Promise.all(sent.map((text) => logSearch(store, engineId, { text })));
    }

    const found = await popular(engineId, { limit: 3_000 });

    expect(new Set(found.map(({ query }) => query)).size).toBe(2_345);
    expect(found.map(({ count }) => count)).toEqual([...Array(700).fill(2), ...Array(1_645).fill(1)]);
    expect(await popular(engineId, { limit: 1_500 })).toEqual(found.slice(0, 1_500));
    expect(await popular(engineId, { minCount: 2, limit: 3_000 })).toEqual(found.slice(0, 700));
  });

  test('count on with the spellings they know when there are too many', async () => {
    const engineId = newEngine();
    const spellings = Array.from({ length: 40 }, (_, i) =>
      [...'solarp'].map((char, at) => ((i >> at) & 1 ? char.toUpperCase() : char)).join(''),
    );
    await log(engineId, ...spellings.map((text) => ({ text })), { text: 'solarp' });

    expect(await popular(engineId)).toMatchObject([{ query: 'solarp', text: 'solarp', count: 41 }]);
  });
});

describe('query pairs', () => {
  test('join the queries of one query session in both directions, once per session', async () => {
    const engineId = newEngine();
    await log(
      engineId,
      { text: 'solar', session: 's1' },
      { text: 'Wind', session: 's1' },
      { text: 'solar', session: 's1' },
      { text: 'wind', session: 's2' },
      { text: 'SOLAR', session: 's2' },
      { text: 'heat', session: 's2' },
      { text: 'alone', session: 's3' },
      { text: 'none' },
    );

    expect(await pairs(engineId, 'solar')).toEqual([
      { other: 'wind', count: 2 },
      { other: 'heat', count: 1 },
    ]);
    expect(await pairs(engineId, 'heat')).toEqual([
      { other: 'solar', count: 1 },
      { other: 'wind', count: 1 },
    ]);
    expect(await pairs(engineId, 'solar', 1)).toEqual([{ other: 'wind', count: 2 }]);
    expect(await pairs(engineId, 'alone')).toEqual([]);
  });

  test('are of one engine, and hold neither what does not count nor the query that means everything', async () => {
    const [engineId, other] = [newEngine(), newEngine()];
    await log(engineId, { text: 'solar', session: 's' }, { text: '*', session: 's' });
    await log(engineId, { text: 'typed', session: 's', counted: false });
    await log(other, { text: 'wind', session: 's' });

    expect(await pairs(engineId, 'solar')).toEqual([]);
    expect(await pairs(engineId, '*')).toEqual([]);
  });
});

test('a removed engine leaves no query behind for a later one of its id', async () => {
  const settings = { settings: ENGINE_DEFAULTS, publicSettings: PUBLIC_DEFAULTS };
  const engine = { kind: 'put-engine', id: 900, customerId: 90, name: 'E', language: 'en', ...settings } as const;
  await store.changeRecords('test', [{ kind: 'put-customer', id: 90, name: 'C' }, engine], 1);
  await log(900, { text: 'solar', session: 's' }, { text: 'wind', session: 's' });

  await store.changeRecords('test', [{ kind: 'remove-engine', id: 900 }], 2);

  expect(await popular(900)).toEqual([]);
  expect(await pairs(900, 'solar')).toEqual([]);
});
