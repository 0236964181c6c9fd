import { expect, test } from 'vitest';
import type { UrlCursor } from '../../src/storage/engine/url-browser.ts';
import { CRAWLER, facts, link, openFrontier, urlOf, visited } from '../helpers/frontier.ts';

type Frontier = Awaited<ReturnType<typeof openFrontier>>;

async function visitAll(frontier: Frontier, at = 2_000) {
  const lane = await frontier.lane('crawl-1', 1);
  const rows = await frontier.take(lane, 10_000, at);
  for (const row of rows) {
    const state = row.url.endsWith('9') ? 'gone' : 'live';
    await frontier.record(
      lane,
      [visited(row, { record: facts({ state, reason: state === 'gone' ? 'gone' : 'new' }) })],
      at,
    );
  }
  await frontier.store.freeLane(lane);
  return rows;
}

test('promise 1: steps show each record that passes once, however small they are', async () => {
  await using frontier = await openFrontier();
  await frontier.add(Array.from({ length: 40 }, (_, at) => `/page-${at}`));
  await visitAll(frontier);
  await frontier.add(['/waiting']);
  const seen: string[] = [];
  let after: UrlCursor | undefined;
  do {
    const step = await frontier.store.stepUrls({ crawlerId: CRAWLER, text: 'PAGE' }, after, 3);
    seen.push(...step.rows.map(({ url }) => url));
    after = step.next;
  } while (after !== undefined);

  expect(seen).toHaveLength(40);
  expect(new Set(seen).size).toBe(40);
  expect(seen.slice(-4).every((url) => url.endsWith('9'))).toBe(true);
});

test('promise 1: a step looks at 2,000 records at most', async () => {
  await using frontier = await openFrontier();
  await frontier.add(Array.from({ length: 2_500 }, (_, at) => `/page-${at}`));

  const step = await frontier.store.stepUrls({ crawlerId: CRAWLER, text: 'page-2499' }, undefined, 10);
  const next = await frontier.store.stepUrls({ crawlerId: CRAWLER, text: 'page-2499' }, step.next, 10);

  expect([step.rows.length, next.rows.map(({ url }) => url)]).toEqual([0, [urlOf('/page-2499')]]);
});

test('promise 2: records are counted by a property', async () => {
  await using frontier = await openFrontier();
  await frontier.add(Array.from({ length: 20 }, (_, at) => `/page-${at}`));
  await visitAll(frontier);
  const counts = new Map<number | null, number>();
  let after: UrlCursor | undefined;
  do {
    const step = await frontier.store.countUrlsBy('reason', { crawlerId: CRAWLER }, after);
    for (const { value, count } of step.counts) counts.set(value, (counts.get(value) ?? 0) + count);
    after = step.next;
  } while (after !== undefined);
  const names = await frontier.store.nameGroups(
    'reason',
    [...counts.keys()].filter((value) => value !== null),
  );

  expect([...counts].map(([value, count]) => [names.get(value ?? -1), count]).sort()).toEqual([
    ['gone', 2],
    ['new', 18],
  ]);
});

test('look-ups, promise 1: the path leads back to where the crawler began, at most 20 records', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/0'], { origin: 'seed', depth: 0 });
  for (let depth = 1; depth <= 25; depth++) {
    const lane = await frontier.lane('crawl-1', 1);
    const [row] = await frontier.take(lane, 1, 2_000);
    if (row === undefined) throw new Error('Nothing is due');
    const fresh = [{ ...link(`/${depth}`), depth }];
    await frontier.record(lane, [visited(row, { links: { known: [], fresh, pageLimit: 100 } })]);
    await frontier.store.freeLane(lane);
  }
  const deep = await frontier.store.findUrl(CRAWLER, urlOf('/25'));
  const near = await frontier.store.findUrl(CRAWLER, urlOf('/2'));

  expect(await frontier.store.pathTo(deep?.id ?? 0)).toHaveLength(20);
  expect((await frontier.store.pathTo(near?.id ?? 0)).map(({ url }) => url)).toEqual(['/2', '/1', '/0'].map(urlOf));
  expect(await frontier.store.countInlinks(near?.id ?? 0, 100)).toEqual({ inlinks: 1, lookedAt: 25 });
});

test('log of visits, promise 2: pages of a log show each kept visit of a run once, newest first', async () => {
  await using frontier = await openFrontier();
  await frontier.add(Array.from({ length: 10 }, (_, at) => `/page-${at}`));
  await visitAll(frontier);
  const of = { crawlerId: CRAWLER, runId: frontier.runId, since: 0, until: 10_000, limit: 4 };
  const seen: number[] = [];
  let before: { at: number; id: number } | undefined;
  for (;;) {
    const visits = await frontier.store.listRunVisits({ ...of, before });
    if (visits.length === 0) break;
    seen.push(...visits.map(({ id }) => id));
    before = visits.at(-1);
  }

  expect(seen).toHaveLength(10);
  expect(seen).toEqual(seen.toSorted((a, b) => b - a));
});

test('look-ups, promise 2: a host is found by its origin without being made', async () => {
  await using frontier = await openFrontier();

  expect(await frontier.store.findHostOf(CRAWLER, 'https://site.example')).toBeUndefined();
  await frontier.add(['/a']);
  expect(await frontier.store.findHostOf(CRAWLER, 'https://site.example')).toMatchObject({ heldUntil: 0 });
  expect(await frontier.store.findHostIds(CRAWLER, 'site.example')).toHaveLength(1);
});
