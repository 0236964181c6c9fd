import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QueryDay, SearchCounterColumns } from '../../src/storage/system/statistics.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { type LoggedClick, type LoggedSearch, logClickOn, logSearch } from '../helpers/log-search.ts';
import { type OpenSystem, openSystem } from '../helpers/open-system.ts';

let system: OpenSystem;
let store: SystemStore;
let nextEngineId = 1;

beforeAll(async () => {
  system = await openSystem();
  store = system.store;
});
afterAll(() => system[Symbol.asyncDispose]());

const DAY = 86_400_000;
const NOTHING: SearchCounterColumns = {
  ...{ searches: 0, withResultCount: 0, withoutResults: 0, clicked: 0 },
  ...{ clicks: 0, rankedClicks: 0, rankSum: 0 },
};

const newEngine = () => nextEngineId++;
const search = (engineId: number, logged: LoggedSearch) => logSearch(store, engineId, logged);
const click = (engineId: number, logged: LoggedClick) => logClickOn(store, engineId, logged);
const days = (engineId: number, fromDay = 0, toDay = 1_000) => store.listSearchDays({ engineId, fromDay, toDay });
const queryDays = (engineId: number, fromDay = 0, toDay = 1_000) =>
  store.listQueryDays({ engineId, fromDay, toDay, limit: 1_000 });

describe('sums', () => {
  test('hold the searches of each day and device, over all queries and of each query', async () => {
    const engineId = newEngine();
    await search(engineId, { text: 'Solar', at: DAY, resultCount: 3 });
    await search(engineId, { text: 'solar', at: 2 * DAY - 1, resultCount: 0 });
    await search(engineId, { text: 'wind', at: DAY, device: 'mobile' });
    await search(engineId, { text: 'solar', at: 2 * DAY });
    await search(engineId, { text: 'typed', at: DAY, counted: false });

    expect(await days(engineId)).toEqual([
      { ...NOTHING, day: 1, device: 'desktop', searches: 2, withResultCount: 2, withoutResults: 1, bannerClicks: 0 },
      { ...NOTHING, day: 1, device: 'mobile', searches: 1, bannerClicks: 0 },
      { ...NOTHING, day: 2, device: 'desktop', searches: 1, bannerClicks: 0 },
    ]);
    expect(await queryDays(engineId)).toEqual([
      { ...NOTHING, day: 1, query: 'solar', device: 'desktop', searches: 2, withResultCount: 2, withoutResults: 1 },
      { ...NOTHING, day: 1, query: 'wind', device: 'mobile', searches: 1 },
      { ...NOTHING, day: 2, query: 'solar', device: 'desktop', searches: 1 },
    ]);
  });

  test('hold clicks on the day and device of their search, and count a clicked search once', async () => {
    const engineId = newEngine();
    await search(engineId, { text: 'solar', at: DAY, device: 'tablet', queryId: 'q1' });
    await search(engineId, { text: 'solar', at: DAY, device: 'tablet', queryId: 'q2' });
    await click(engineId, { queryId: 'q1', at: 3 * DAY, rank: 2 });
    await click(engineId, { queryId: 'q1', at: 4 * DAY, rank: 5 });
    await click(engineId, { queryId: 'q1' });
    await click(engineId, { queryId: 'q1', rank: 999_999_999_999_999 });
    await click(engineId, { queryId: 'q1', kind: 'banner', rank: 1 });
    await click(engineId, { queryId: 'q1', kind: 'footer', rank: 1 });

    const sums = { ...NOTHING, searches: 2, clicked: 1, clicks: 4, rankedClicks: 2, rankSum: 7 };
    expect(await days(engineId)).toEqual([{ ...sums, day: 1, device: 'tablet', bannerClicks: 1 }]);
    expect(await queryDays(engineId)).toEqual([{ ...sums, day: 1, query: 'solar', device: 'tablet' }]);
  });

  test('are the same when a click comes before its search, and when a search is logged again', async () => {
    const engineId = newEngine();
    await click(engineId, { queryId: 'q1', rank: 3 });
    await click(engineId, { queryId: 'q1', kind: 'banner' });
    expect(await days(engineId)).toEqual([]);

    await search(engineId, { text: 'solar', at: DAY, queryId: 'q1' });
    await search(engineId, { text: 'solar', at: DAY, queryId: 'q1' });
    await click(engineId, { queryId: 'q1', rank: 5 });

    const sums = { ...NOTHING, searches: 1, clicked: 1, clicks: 2, rankedClicks: 2, rankSum: 8 };
    expect(await queryDays(engineId)).toMatchObject([sums]);
    expect(await days(engineId)).toMatchObject([{ ...sums, bannerClicks: 1 }]);
  });

  test('leave out clicks of searches that do not count, were not logged or are another engine’s', async () => {
    const [engineId, other] = [newEngine(), newEngine()];
    await search(engineId, { text: 'typed', queryId: 'q1', counted: false });
    await search(other, { text: 'solar', queryId: 'q2' });
    for (const queryId of ['q1', 'q2', 'q3']) await click(engineId, { queryId, rank: 1 });

    expect(await days(engineId)).toEqual([]);
    expect(await queryDays(other)).toMatchObject([{ query: 'solar', clicks: 0 }]);
  });

  test('are listed for the days asked, in pages that follow each other', async () => {
    const engineId = newEngine();
    for (const text of ['b', 'a', 'c']) {
      for (const device of ['mobile', 'desktop'] as const) {
        for (const day of [3, 1, 2, 4]) await search(engineId, { text, device, at: day * DAY });
      }
    }
    const of = { engineId, fromDay: 2, toDay: 3 };

    const whole = await store.listQueryDays({ ...of, limit: 1_000 });
    const pages: QueryDay[] = [];
    for (let after: QueryDay | undefined; pages.length === 0 || after !== undefined; ) {
      const page = await store.listQueryDays({ ...of, after, limit: 5 });
      pages.push(...page);
      after = page.at(-1);
    }

    const places = whole.map(({ day, query, device }) => `${day}${query}${device}`);
    expect(places).toEqual(places.toSorted());
    expect(places).toHaveLength(12);
    expect(pages).toEqual(whole);
    expect((await days(engineId, 2, 3)).map(({ day, device }) => [day, device])).toEqual([
      [2, 'desktop'],
      [2, 'mobile'],
      [3, 'desktop'],
      [3, 'mobile'],
    ]);
  });
});

test('spellingsOf gives the most frequent spelling, or the query itself', async () => {
  const engineId = newEngine();
  for (const text of ['Solar', 'SOLAR', 'SOLAR']) await search(engineId, { text });

  expect(await store.spellingsOf(engineId, ['none', 'solar'])).toEqual(['none', 'SOLAR']);
});

describe('dropTracking', () => {
  const popular = (engineId: number) => store.listPopularQueries({ engineId, minCount: 1, limit: 100 });

  test('drops what is older, with what it added, and leaves the rest', async () => {
    const [engineId, other] = [newEngine(), newEngine()];
    await search(engineId, { text: 'SOLAR', at: DAY, queryId: 'q1', session: 's' });
    await search(engineId, { text: 'SOLAR', at: DAY, session: 's' });
    await search(engineId, { text: 'gone', at: DAY, session: 's' });
    await search(engineId, { text: 'Solar', at: 5 * DAY, queryId: 'q2' });
    await search(other, { text: 'old', at: DAY });
    await click(engineId, { queryId: 'q1', at: DAY, rank: 1 });
    await click(engineId, { queryId: 'q2', at: 5 * DAY, rank: 1 });
    const feedback = { kind: 'result', rating: 'positive', matched: true, extra: {}, language: undefined } as const;
    const opinion = { ...feedback, engineId, reason: undefined, comment: undefined };
    await store.mergeFeedback({ ...opinion, key: 'old', at: DAY });
    await store.mergeFeedback({ ...opinion, key: 'new', at: 5 * DAY });
    const answer = { engineId, conversationId: 'c', exchangeId: 'e', url: '/', matched: false, extra: {} };
    await store.addAnswerClick({ ...answer, at: DAY });
    await store.addAnswerClick({ ...answer, at: 5 * DAY });

    expect(await store.dropTracking({ engineId, before: 5 * DAY, limit: 100 })).toBe(false);

    expect(await popular(engineId)).toMatchObject([{ query: 'solar', text: 'Solar', count: 1, lastAt: 5 * DAY }]);
    expect(await store.listQueryPairs({ engineId, query: 'solar', limit: 9 })).toEqual([]);
    expect((await days(engineId)).map(({ day }) => day)).toEqual([5]);
    expect((await queryDays(engineId)).map(({ day }) => day)).toEqual([5]);
    const kept = { engineId, limit: 9 };
    expect((await store.listQueryEvents(kept)).map(({ queryId }) => queryId)).toEqual(['q2']);
    expect((await store.listClickEvents(kept)).map(({ queryId }) => queryId)).toEqual(['q2']);
    expect((await store.listFeedback(kept)).map(({ key }) => key)).toEqual(['new']);
    expect((await store.listAnswerClicks(kept)).map(({ at }) => at)).toEqual([5 * DAY]);
    expect(await popular(other)).toMatchObject([{ query: 'old', count: 1 }]);
  });

  test('drops at most the limit of each log at once, oldest first, and tells whether there is more', async () => {
    const engineId = newEngine();
    for (let at = 1; at <= 5; at++) await search(engineId, { text: `query ${at}`, at });
    const drop = () => store.dropTracking({ engineId, before: 6, limit: 2 });

    expect(await drop()).toBe(true);
    expect((await store.listQueryEvents({ engineId, limit: 9 })).map(({ at }) => at)).toEqual([5, 4, 3]);
    expect(await drop()).toBe(true);
    expect(await drop()).toBe(false);
    expect(await popular(engineId)).toEqual([]);
  });

  test('keeps the sums of a day of which a part is younger', async () => {
    const engineId = newEngine();
    await search(engineId, { text: 'solar', at: DAY });

    await store.dropTracking({ engineId, before: 2 * DAY - 1, limit: 9 });

    expect(await store.listQueryEvents({ engineId, limit: 9 })).toEqual([]);
    expect(await days(engineId)).toMatchObject([{ day: 1, searches: 1 }]);
  });
});
