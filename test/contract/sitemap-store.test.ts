import { describe, expect, test } from 'vitest';
import type { AddSitemapEntries } from '../../src/storage/engine/sitemaps.ts';
import { ACTIVATION, CRAWLER, facts, openFrontier, urlOf, visited } from '../helpers/frontier.ts';

type Frontier = Awaited<ReturnType<typeof openFrontier>>;

const RUN = {
  crawlerId: CRAWLER,
  activation: ACTIVATION,
  startedBy: 'test',
  configVersion: 1,
  whenBusy: 'skip',
} as const;
const of = (frontier: Frontier, now: number) => ({
  crawlerId: CRAWLER,
  activation: ACTIVATION,
  runId: frontier.runId,
  now,
});
const list = (path: string, more = {}) =>
  ({ url: urlOf(path), kind: 'sitemap', origin: 'sitemap', depth: 0, ...more }) as const;

/** Entries of a sitemap with id 1: path → time. */
const add = (frontier: Frontier, entries: Record<string, number | undefined>, more: Partial<AddSitemapEntries> = {}) =>
  frontier.store.addSitemapEntries({
    ...of(frontier, 1_000),
    listId: 1,
    kind: 'sitemap',
    pageLimit: 1_000,
    heedsTimes: true,
    entries: Object.entries(entries).map(([path, at]) => ({ url: urlOf(path), at })),
    ...more,
  });

/** Visits everything that waits; resolves with the paths. */
async function visitAll(frontier: Frontier, now = 2_000, more: Parameters<typeof facts>[0] = {}): Promise<string[]> {
  const lane = await frontier.lane('crawl-1', 1);
  const rows = await frontier.take(lane, 2_000, now);
  const visits = rows.map((row) => visited(row, { record: facts({ ...more, kind: row.record.kind }) }));
  await frontier.record(lane, visits, now);
  return rows.map(({ url }) => new URL(url).pathname).sort();
}

/** The next run of the crawler, whose first one is over. */
async function nextRun(
  frontier: Frontier,
  at: number,
  kind: 'full' | 'incremental' = 'incremental',
): Promise<Frontier> {
  for (const { id } of await frontier.store.livingRuns()) await frontier.store.failRun(id, '{}', at);
  const runId = (await frontier.store.createRun({ ...RUN, kind, at })) ?? 0;
  await frontier.store.startRun(runId, at);
  return { ...frontier, runId };
}

describe('promise 1: an entry becomes a URL record', () => {
  test('of depth 0 with its time; a known one keeps its state and comes nearer', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/known'], { depth: 7 });
    await visitAll(frontier);

    expect(await add(frontier, { '/known': 500, '/new': 600 })).toEqual({ added: 1, changed: 0, beyondLimit: 0 });

    const records = await Promise.all(['/known', '/new'].map((path) => frontier.store.findUrl(CRAWLER, urlOf(path))));
    expect(records).toMatchObject([
      { origin: 'link', depth: 0, sitemapLastmod: 500, facts: { state: 'live' } },
      { origin: 'sitemap', depth: 0, sitemapLastmod: 600, foundOn: 1, facts: { state: 'known' } },
    ]);
    expect((await frontier.store.ensureHost(CRAWLER, 'https://site.example')).trust.listed).toBe(2);
  });
});

describe('promise 2: news are visited', () => {
  test('a known entry waits when its time is new and later than its last visit, once a run', async () => {
    await using first = await openFrontier();
    await add(first, { '/newer': 100, '/older': 100, '/same': 9_000, '/untimed': undefined });
    await visitAll(first, 2_000);
    const frontier = await nextRun(first, 3_000);
    const entries = { '/newer': 2_500, '/older': 1_500, '/same': 9_000, '/untimed': undefined };

    expect((await add(frontier, entries, { now: 3_000 })).changed).toBe(1);
    expect(await visitAll(frontier, 4_000)).toEqual(['/newer']);
    expect((await add(frontier, { '/newer': 5_000 }, { now: 4_500 })).changed).toBe(0);
  });

  test('not when its times are not heeded', async () => {
    await using first = await openFrontier();
    await add(first, { '/a': 100 });
    await visitAll(first, 2_000);
    const frontier = await nextRun(first, 3_000);

    expect((await add(frontier, { '/a': 2_500 }, { heedsTimes: false })).changed).toBe(0);
    expect((await frontier.store.findUrl(CRAWLER, urlOf('/a')))?.sitemapLastmod).toBe(2_500);
  });

  test('also when its page is just left out on the word that the list gave before', async () => {
    await using frontier = await openFrontier();
    await add(frontier, { '/a': 500 });
    await visitAll(frontier);
    const next = await nextRun(frontier, 10_000, 'full');
    await next.store.planRun(next.runId, 100, 10_000);
    const lane = await next.lane('crawl-1', 1);
    const [taken] = await next.take(lane, 100, 10_000);
    if (taken === undefined) throw new Error('nothing was taken');
    const unasked = { sitemapLastmod: taken.sitemapLastmod };
    const leave = (row: typeof taken) => visited(row, { record: facts({ reason: 'lastmod-unchanged' }), unasked });

    await add(next, { '/a': 9_000 });
    expect(await next.record(lane, [leave(taken)], 10_001)).toMatchObject({ applied: [false] });

    const [again] = await next.take(lane, 100, 10_001);
    expect(again).toMatchObject({ url: urlOf('/a'), sitemapLastmod: 9_000, visitedAt: 2_000 });
    expect(await next.store.findRun(next.runId)).toMatchObject({ open: 1, visited: 0, unchanged: 0 });
  });

  test('times of feeds and sitemaps are kept apart', async () => {
    await using first = await openFrontier();
    await add(first, { '/a': 100 });
    await visitAll(first, 2_000);
    const frontier = await nextRun(first, 3_000);

    expect((await add(frontier, { '/a': 2_500 }, { kind: 'feed' })).changed).toBe(1);
    expect((await frontier.store.findUrl(CRAWLER, urlOf('/a')))?.sitemapLastmod).toBe(100);
  });
});

describe('promise 3: entries enter a run that takes them', () => {
  test('up to its page limit, in which sitemaps do not count', async () => {
    await using frontier = await openFrontier();
    await frontier.store.addSitemaps({ ...of(frontier, 0), foundOn: null, lists: [list('/s.xml')] });
    await frontier.add(['/a']);

    expect(await add(frontier, { '/b': 1, '/c': 1 }, { pageLimit: 2 })).toEqual({
      added: 1,
      changed: 0,
      beyondLimit: 1,
    });
  });

  test('not when it has ended', async () => {
    await using frontier = await openFrontier();
    await frontier.store.failRun(frontier.runId, '{}', 1);

    expect(await add(frontier, { '/a': 1 })).toEqual({ added: 0, changed: 0, beyondLimit: 0 });
    expect(await frontier.store.addSitemaps({ ...of(frontier, 0), foundOn: null, lists: [list('/s.xml')] })).toBe(0);
  });
});

describe('promise 4: a run visits each sitemap once, and at most 1,000', () => {
  test('a second request and one after the visit add nothing', async () => {
    await using frontier = await openFrontier();
    const input = { ...of(frontier, 10), foundOn: null, lists: [list('/s.xml')] };

    expect(await frontier.store.addSitemaps(input)).toBe(1);
    expect(await frontier.store.addSitemaps(input)).toBe(0);
    expect(await frontier.store.isReadingSitemaps(CRAWLER, frontier.runId)).toBe(true);
    await visitAll(frontier);
    expect(await frontier.store.addSitemaps(input)).toBe(0);
    expect(await frontier.store.isReadingSitemaps(CRAWLER, frontier.runId)).toBe(false);
    expect(await frontier.counters()).toMatchObject({ waiting: 0, open: 0 });
    expect(await frontier.store.countUrls(CRAWLER)).toEqual(new Map());
  });

  test('more than 1,000 are left out', async () => {
    await using frontier = await openFrontier();
    const lists = (from: number) => Array.from({ length: 600 }, (_, i) => list(`/${from + i}.xml`));

    expect(await frontier.store.addSitemaps({ ...of(frontier, 0), foundOn: null, lists: lists(0) })).toBe(600);
    expect(await frontier.store.addSitemaps({ ...of(frontier, 0), foundOn: null, lists: lists(600) })).toBe(400);
  });

  test('what an unchanged index named comes again with its visit; what is gone only after its time', async () => {
    await using first = await openFrontier();
    await first.store.addSitemaps({ ...of(first, 0), foundOn: null, lists: [list('/index.xml')] });
    const lane = await first.lane('crawl-1', 1);
    const [index] = await first.take(lane, 1, 1_000);
    const children = [list('/a.xml', { depth: 1 }), list('/b.xml', { depth: 1 })];
    await first.record(lane, [visited(index!, { record: facts({ kind: 'sitemap' }), lists: children })], 1_000);
    expect(await visitAll(first, 1_100)).toEqual(['/a.xml', '/b.xml']);

    const frontier = await nextRun(first, 2_000);
    await frontier.store.addSitemaps({ ...of(frontier, 2_000), foundOn: null, lists: [list('/index.xml')] });
    const again = await frontier.lane('crawl-1', 1);
    const [row] = await frontier.take(again, 1, 2_100);
    await frontier.record(again, [visited(row!, { record: facts({ kind: 'sitemap' }), lists: 'again' })], 2_100);

    expect(await visitAll(frontier, 2_200, { state: 'gone', nextAt: 5_000 })).toEqual(['/a.xml', '/b.xml']);
    const third = await nextRun(frontier, 3_000);
    const input = { ...of(third, 3_000), foundOn: null, lists: children };
    expect(await third.store.addSitemaps(input)).toBe(0);
    expect(await third.store.addSitemaps({ ...input, now: 5_000 })).toBe(2);
  });
});

describe('promise 5: the seeds of a run enter once', () => {
  test('also for who comes to begin it when they are visited already', async () => {
    await using frontier = await openFrontier();
    const seed = { url: urlOf('/'), origin: 'seed', depth: 0, priority: 1, flags: 0, enqueue: 'always' } as const;
    const begin = () =>
      frontier.store.addSitemaps({ ...of(frontier, 10), foundOn: null, lists: [list('/s.xml')], seeds: [seed] });

    expect(await begin()).toBe(1);
    expect(await visitAll(frontier)).toEqual(['/', '/s.xml']);
    expect(await begin()).toBe(0);

    expect(await visitAll(frontier, 3_000)).toEqual([]);
    expect(await frontier.counters()).toMatchObject({ waiting: 0, open: 0 });
  });
});
