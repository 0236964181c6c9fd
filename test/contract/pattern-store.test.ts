import { describe, expect, test } from 'vitest';
import { parseRenderVerdict } from '../../src/core/render-verdict.ts';
import type { CloseRule, PatternStatistics } from '../../src/storage/engine/patterns.ts';
import { ACTIVATION, CRAWLER, link, openFrontier, urlOf, visited } from '../helpers/frontier.ts';

test('promise 1: every URL belongs to the pattern of its URL on its host', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/news/1', '/news/2?page=3', '/news/44', '/about']);

  const rows = await frontier.take(await frontier.lane());

  const patterns = await Promise.all(rows.map(({ patternId }) => frontier.store.findPattern(patternId ?? 0)));
  expect(patterns.map((found) => [found?.pattern, found?.known])).toEqual([
    ['/news/{n}', 2],
    ['/news/{n}?page', 1],
    ['/news/{n}', 2],
    ['/about', 1],
  ]);
});

type Frontier = Awaited<ReturnType<typeof openFrontier>>;

/** Takes what waits, and records it with this evidence; resolves with the rows. */
async function visitAll(frontier: Frontier, statistics: PatternStatistics, links: readonly string[] = [], at = 1_000) {
  const lane = await frontier.lane('crawl-1', 1);
  const rows = await frontier.take(lane, 100, at);
  const visits = rows.map((row) =>
    visited(row, {
      statistics: { ...statistics, patternId: row.patternId ?? 0 },
      links: { known: [], fresh: links.map((path) => link(path)), pageLimit: 1_000 },
    }),
  );
  const receipt = await frontier.record(lane, visits, at);
  await frontier.store.freeLane(lane);
  return { rows, receipt };
}

async function patternsOf({ store }: Frontier) {
  const listed = await store.listPatterns({ crawlerId: CRAWLER, after: 0, limit: 100 });
  return new Map(listed.map((record) => [record.pattern, record]));
}

async function close(frontier: Frontier, pattern: string, rule: CloseRule = 'nothing-new', at = 5) {
  const patternId = (await patternsOf(frontier)).get(pattern)?.id ?? 0;
  await frontier.store.changePattern({ patternId, to: 'closed', rule, at, examples: ['https://site.example/x'] });
  return patternId;
}

const GOOD: PatternStatistics = { informative: true, sameText: false };
const BAD: PatternStatistics = { informative: false, sameText: true };

test('promise 2: evidence counts once in the pattern and once in its family', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/shop?a=1', '/shop?b=1']);
  const { receipt } = await visitAll(frontier, GOOD);
  await frontier.add(['/shop?a=2']);
  await visitAll(frontier, BAD);

  const patterns = await patternsOf(frontier);
  const counted = (text: string) => {
    const { visited: visits, informative, recent, sameText } = patterns.get(text)!;
    return { visits, informative, recent, sameText };
  };
  expect(counted('/shop?a')).toEqual({ visits: 2, informative: 1, recent: 0b10, sameText: 0b01 });
  expect(counted('/shop?b')).toEqual({ visits: 1, informative: 1, recent: 0b1, sameText: 0 });
  expect(counted('/shop?…')).toEqual({ visits: 3, informative: 2, recent: 0b110, sameText: 0b001 });
  expect(receipt.patterns.map(({ pattern }) => pattern).sort()).toEqual(['/shop?a', '/shop?b', '/shop?…']);
});

describe('promise 3: a new link of a closed pattern', () => {
  test('is known as a trap and does not wait', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a/1']);
    await close(frontier, '/a/{n}');

    await visitAll(frontier, BAD, ['/a/2', '/b']);

    const { rows } = await visitAll(frontier, BAD);
    expect(rows.map(({ url }) => url)).toEqual([urlOf('/b')]);
    const record = await frontier.store.findUrl(CRAWLER, urlOf('/a/2'));
    expect(record?.facts).toMatchObject({ state: 'skipped', reason: 'trap' });
    expect(await frontier.counters()).toMatchObject({ waiting: 0, open: 0 });
  });

  test.each(['seed', 'sitemap', 'feed', 'queued'] as const)('waits when a %s names it', async (origin) => {
    await using frontier = await openFrontier();
    await frontier.add(['/a/1'], { origin: 'seed' });
    await close(frontier, '/a/{n}');

    await frontier.add(['/a/2'], { origin });

    expect((await frontier.take(await frontier.lane())).map(({ closedBy }) => closedBy)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['/a', '/a/{n}', 'nothing-new', ['/a/2']],
    ['/a', '/a/{n}', 'same-text', []],
    ['/shop', '/shop?x', 'nothing-new', []],
  ] as const)(
    'waits when a page of an open pattern names it: %s of %s, closed for %s',
    async (_page, pattern, rule, waits) => {
      await using frontier = await openFrontier();
      await frontier.add([pattern.includes('?') ? '/shop?x=1' : '/a/1']);
      await visitAll(frontier, BAD);
      await close(frontier, pattern, rule);
      await frontier.add(['/index']);

      await visitAll(frontier, GOOD, [pattern.includes('?') ? '/shop?x=2' : '/a/2']);

      const { rows } = await visitAll(frontier, GOOD);
      expect(rows.map(({ url }) => url)).toEqual(waits.map(urlOf));
    },
  );

  test('waits once a better page names it', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a/1']);
    await close(frontier, '/a/{n}');
    await visitAll(frontier, BAD, ['/a/2']);
    await frontier.add(['/index']);

    await visitAll(frontier, GOOD, ['/a/2']);

    expect((await visitAll(frontier, GOOD)).rows.map(({ url }) => url)).toEqual([urlOf('/a/2')]);
  });
});

test('promise 4: rows of a closed pattern are taken with its rule, but for 1 in 100 of a later run', async () => {
  await using frontier = await openFrontier();
  const paths = Array.from({ length: 400 }, (_, n) => `/a/${n}`);
  await frontier.add(paths);
  await close(frontier, '/a/{n}', 'same-text', -1);

  const rows = await frontier.take(await frontier.lane(), 1_000);

  expect(rows).toHaveLength(paths.length);
  expect(rows.every(({ patternIsClosed }) => patternIsClosed)).toBe(true);
  const samples = rows.filter(({ closedBy }) => closedBy === undefined).length;
  expect(samples).toBeGreaterThan(0);
  expect(samples).toBeLessThan(20);
});

test('promise 5: a family is closed and opened with its patterns, but for those that have proved themselves', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/shop?page=1', '/shop?page=2', '/shop?page=3']);
  await visitAll(frontier, GOOD);
  await frontier.add(['/shop?color=1']);
  await visitAll(frontier, BAD);
  const patternId = await close(frontier, '/shop?…');
  await frontier.add(['/shop?size=1']);
  const closed = async () =>
    [...(await patternsOf(frontier)).values()].filter(({ closedAt }) => closedAt !== undefined);

  expect((await closed()).map(({ pattern }) => pattern).sort()).toEqual(['/shop?color', '/shop?size', '/shop?…']);
  expect((await frontier.store.findPattern(patternId))?.examples).toEqual(['https://site.example/x']);
  await frontier.store.changePattern({ patternId, to: 'open', rule: 'kept-open', at: 9 });
  expect(await closed()).toEqual([]);
  expect((await frontier.store.findPattern(patternId))?.closeRule).toBe('kept-open');
});

test('promise 5: what was refused while a pattern was closed is for the next run when it is opened', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/a/1', '/b/1']);
  const patternId = await close(frontier, '/a/{n}');
  await frontier.add(['/a/2', '/a/3']);
  const stateOf = async (path: string) => (await frontier.store.findUrl(CRAWLER, urlOf(path)))?.facts;
  expect(await stateOf('/a/2')).toMatchObject({ state: 'skipped', reason: 'trap' });

  await frontier.store.changePattern({ patternId, to: 'open', rule: undefined, at: 9 });

  expect(await stateOf('/a/2')).toMatchObject({ state: 'known', reason: 'none', nextAt: 9 });
});

test('promise 6: lessons about rendering follow each other, and one that settles a claim ends the waiting', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/items/1', '/items/2', '/items/3']);
  const lane = await frontier.lane();
  const rows = await frontier.take(lane);
  const [first, second, third] = rows;
  const patternId = first?.patternId ?? 0;
  const later = (dueAt: number, attempts: number) =>
    ({ dueAt, priority: 2, attempts, to: { stage: 'render', detail: undefined } }) as const;
  const claimed = { patternId, observation: { kind: 'claimed', urlId: first?.urlId ?? 0, at: 2_000 } } as const;
  const learned = { kind: 'pair', http: { words: 0, links: 0 }, rendered: { words: 90, links: 0 } } as const;
  await frontier.record(lane, [
    visited(second!, { next: later(62_000, 0) }),
    visited(third!, { next: later(62_000, 2) }),
  ]);
  const waiting = async () => {
    const of = { crawlerId: CRAWLER, activation: ACTIVATION, stage: 'render', maxPriority: 3 } as const;
    const [host] = await frontier.store.hostsWithWork({ ...of, after: 0, limit: 1, now: 2_500 });
    return host?.dueAt;
  };
  const passes = Array.from({ length: 3 }, () => ({ patternId, observation: { kind: 'passed' } }) as const);
  expect(await waiting()).toBe(62_000);

  await frontier.record(lane, [
    visited(first!, { next: { dueAt: 2_000, priority: 2, attempts: 0 }, rendering: claimed }),
  ]);
  for (const rendering of [...passes, { patternId, observation: learned }]) {
    const [again] = await frontier.take(lane, 1, 2_500);
    const next = { dueAt: 2_000, priority: 2, attempts: 0 };
    await frontier.record(lane, [visited(again!, { next, rendering })], 2_500);
  }

  const render = (await frontier.store.findPattern(patternId))?.render;
  expect(parseRenderVerdict(render)).toEqual({ verdict: 'browser', claim: undefined, passed: 0, equal: 0, pairs: 1 });
  expect(await waiting()).toBe(2_500);
});
