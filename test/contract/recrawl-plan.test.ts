import { expect, test } from 'vitest';
import { FRONTIER_FLAGS } from '../../src/core/crawl-words.ts';
import { ACTIVATION, CRAWLER, facts, link, openFrontier, visited } from '../helpers/frontier.ts';

type Frontier = Awaited<ReturnType<typeof openFrontier>>;

const RUN = {
  crawlerId: CRAWLER,
  activation: ACTIVATION,
  startedBy: 'test',
  configVersion: 1,
  whenBusy: 'skip',
} as const;

/** Known URLs, each visited once in the run that is there at first. */
async function openVisited(...paths: readonly string[]): Promise<Frontier> {
  const frontier = await openFrontier();
  await frontier.add(paths);
  const lane = await frontier.lane('crawl-1', 1);
  const rows = await frontier.take(lane, 100, 5_000);
  await frontier.record(
    lane,
    rows.map((row) => visited(row, { record: facts({ nextAt: 1_000_000 }) })),
    5_000,
  );
  return frontier;
}

async function nextRun(frontier: Frontier, at: number, kind: 'full' | 'incremental'): Promise<number> {
  for (const { id } of await frontier.store.livingRuns()) await frontier.store.failRun(id, '{}', at);
  const runId = (await frontier.store.createRun({ ...RUN, kind, at })) ?? 0;
  await frontier.store.startRun(runId, at);
  return runId;
}

/** Plans a run of the kind, visits what it takes, and resolves with the paths and their flags. */
async function work(
  frontier: Frontier,
  kind: 'full' | 'incremental',
  at: number,
  visit: (path: string) => Partial<Parameters<typeof visited>[1]> = () => ({}),
): Promise<Map<string, number>> {
  const runId = await nextRun(frontier, at, kind);
  while (!(await frontier.store.planRun(runId, 100, at)).done);
  const lane = await frontier.lane('crawl-1', 1);
  const rows = await frontier.take(lane, 100, at);
  await frontier.record(
    lane,
    rows.map((row) => visited(row, { record: facts({ nextAt: 1_000_000 }), ...visit(new URL(row.url).pathname) })),
    at,
  );
  return new Map(rows.map(({ url, flags }) => [new URL(url).pathname, flags]));
}

test('a page that brings new links in one of five visits is in every incremental plan, whatever its time', async () => {
  await using frontier = await openVisited('/news', '/calm');
  let made = 0;
  const visit = (brings: boolean) => (path: string) => {
    const fresh = path === '/news' && brings ? [link(`/new-${made++}`)] : [];
    return { links: { known: [], fresh, pageLimit: 1_000 } };
  };
  expect(await work(frontier, 'incremental', 20_000)).toEqual(new Map());

  await work(frontier, 'full', 30_000, visit(true));
  const planned: boolean[] = [];
  for (const at of [40_000, 50_000, 60_000, 70_000, 80_000, 90_000]) {
    planned.push((await work(frontier, 'incremental', at)).has('/news'));
  }

  // 1 of 1, 1 of 2 … 1 of 5 visits; 1 of 6 is less than a fifth.
  expect(planned).toEqual([true, true, true, true, true, false]);
});

test('pages left out on the word of a sitemap are planned once it was silent about a change', async () => {
  await using frontier = await openVisited('/left', '/asked');
  const unasked = { sitemapLastmod: undefined };
  const leftOut = { record: facts({ reason: 'lastmod-unchanged', nextAt: 1_000_000 }), unasked } as const;
  await work(frontier, 'full', 20_000, (path) => (path === '/left' ? leftOut : {}));
  expect(await work(frontier, 'incremental', 30_000)).toEqual(new Map());

  const runId = await nextRun(frontier, 40_000, 'full');
  await frontier.store.planRun(runId, 100, 40_000);
  const lane = await frontier.lane('crawl-1', 1);
  const rows = await frontier.take(lane, 100, 40_000);
  const records = rows.map((row) => {
    const isLeft = row.url.endsWith('/left');
    return visited(row, isLeft ? leftOut : { trust: { silent: true } });
  });
  await frontier.record(lane, records, 40_000);

  expect(await frontier.store.findRun(runId)).toMatchObject({ planDone: false });
  expect(await frontier.store.planRun(runId, 100, 40_000)).toEqual({ planned: 1, done: true });
  const [again] = await frontier.take(lane, 100, 40_000);
  expect(again).toMatchObject({
    url: expect.stringMatching(/\/left$/),
    flags: FRONTIER_FLAGS.follow | FRONTIER_FLAGS.ask,
  });
  expect(again?.visitedAt).toBe(5_000);
});

test('every fourth full run asks for all pages', async () => {
  await using frontier = await openVisited('/a');
  const flags: unknown[] = [];

  for (const at of [20_000, 30_000, 40_000]) flags.push((await work(frontier, 'full', at)).get('/a'));

  const { follow, ask } = FRONTIER_FLAGS;
  expect(flags).toEqual([follow, follow, follow | ask]);
});

test.each(['full', 'incremental'] as const)(
  'what a closed pattern kept out is visited by the %s run under way once the pattern opens',
  async (kind) => {
    await using frontier = await openVisited('/a/1');
    const runId = await nextRun(frontier, 10_000, kind);
    while (!(await frontier.store.planRun(runId, 100, 10_000)).done);
    const [pattern] = await frontier.store.listPatterns({ crawlerId: CRAWLER, after: 0, limit: 100 });
    const patternId = pattern?.id ?? 0;
    await frontier.store.changePattern({ patternId, to: 'closed', rule: 'nothing-new', at: 11_000 });
    await frontier.add(['/a/2', '/a/3'], {}, 12_000);
    expect(await frontier.store.planRun(runId, 100, 12_500)).toEqual({ planned: 0, done: true });

    await frontier.store.changePattern({ patternId, to: 'open', rule: undefined, at: 13_000 });

    expect(await frontier.store.findRun(runId)).toMatchObject({ planDone: false });
    expect(await frontier.store.planRun(runId, 100, 13_500)).toEqual({ planned: 2, done: true });
  },
);

test('intervals of a pattern draw its median, from which new URLs start', async () => {
  await using frontier = await openVisited('/blog/1', '/blog/2', '/blog/3');
  const visit = () => ({ record: facts({ intervalMs: 64_000, nextAt: 1_000_000 }) });
  for (const at of [10_000, 20_000]) await work(frontier, 'full', at, visit);
  await frontier.add(['/blog/4', '/other'], {}, 20_000);

  const runId = await nextRun(frontier, 30_000, 'full');
  while (!(await frontier.store.planRun(runId, 100, 30_000)).done);
  const rows = await frontier.take(await frontier.lane('crawl-1', 1), 100, 30_000);

  const intervals = new Map(rows.map(({ url, patternIntervalMs }) => [new URL(url).pathname, patternIntervalMs]));
  expect([intervals.get('/blog/4'), intervals.get('/other')]).toEqual([64_000, undefined]);
});

test('a row of an ended run that is still leased in a later stage begins anew, without what was left there', async () => {
  await using frontier = await openVisited('/a');
  await frontier.store.planRun(await nextRun(frontier, 10_000, 'full'), 100, 10_000);
  const lane = await frontier.lane('crawl-1', 1);
  const [row] = await frontier.take(lane, 1, 10_000);
  const to = { stage: 'file', detail: '{"spooled":"x"}' } as const;
  const next = { dueAt: 10_000, priority: 2, attempts: 0, to };
  await frontier.record(lane, [visited(row!, { next, record: undefined, log: undefined })], 10_000);
  const of = { crawlerId: CRAWLER, activation: ACTIVATION, stage: 'file', now: 10_000 } as const;
  const files = await frontier.store.takeLane({ ...of, lane: 1, holder: 'crawl-2' });
  const hosts = [{ hostId: row!.hostId, limit: 1 }];
  expect(await frontier.store.takeDue({ ...of, lane: files!, maxPriority: 3, hosts })).toHaveLength(1);

  const runId = await nextRun(frontier, 20_000, 'full');
  await frontier.store.planRun(runId, 100, 20_000);

  const taken = await frontier.take(await frontier.lane('crawl-1', 1), 10, 20_000);
  expect(taken).toMatchObject([{ urlId: row!.urlId, runId, stage: 'page', detail: undefined }]);
});
