import { describe, expect, test } from 'vitest';
import type { DueRow } from '../../src/storage/engine/due-rows.ts';
import { ACTIVATION, CRAWLER, facts, link, openFrontier, urlOf, visited } from '../helpers/frontier.ts';

const CRAWL = { crawlerId: CRAWLER, activation: ACTIVATION, configVersion: 1 } as const;
const RUN = { ...CRAWL, startedBy: 'test', whenBusy: 'wait' } as const;
type Frontier = Awaited<ReturnType<typeof openFrontier>>;

/** Visits everything that waits, each page with the given state. */
async function visitAll(frontier: Frontier, more: Parameters<typeof facts>[0] = {}, now = 1_000): Promise<number> {
  const lane = await frontier.lane('crawl-1', 1);
  const rows = await frontier.take(lane, 1_000, now);
  await frontier.record(
    lane,
    rows.map((row) => visited(row, { record: facts(more) })),
    now,
  );
  return rows.length;
}

async function endedRun(frontier: Frontier): Promise<void> {
  await frontier.store.planRun(frontier.runId, 100, 10_000);
  expect(await frontier.store.endRun(frontier.runId, 100_000)).toBe(true);
  await frontier.store.finishRun(frontier.runId, '{}', 3_000);
}

describe('promise 1: one full or incremental run is under way, and one more waits', () => {
  test('a second one waits until the first has ended', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;

    const second = (await store.createRun({ ...RUN, kind: 'incremental', at: 1 })) ?? 0;
    expect(await store.startRun(second, 2)).toBe(false);
    await endedRun(frontier);
    expect(await store.startRun(second, 2)).toBe(true);
  });

  test('further requests join the one that waits, and full takes the place of incremental', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;

    const ids = [];
    for (const kind of ['incremental', 'incremental', 'full', 'incremental'] as const) {
      ids.push(await store.createRun({ ...RUN, kind, at: 1 }));
    }

    expect(new Set(ids).size).toBe(1);
    expect((await store.livingRunsOf(CRAWLER)).map(({ kind, state }) => [kind, state])).toEqual([
      ['full', 'running'],
      ['full', 'planned'],
    ]);
  });

  test('none is made when it is to be skipped', async () => {
    await using frontier = await openFrontier();

    expect(await frontier.store.createRun({ ...RUN, kind: 'full', at: 1, whenBusy: 'skip' })).toBeUndefined();
  });

  test('one that is covered by what lives is not made; a full one waits behind an incremental one', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;
    const create = (kind: 'full' | 'incremental') => store.createRun({ ...RUN, kind, at: 1, whenBusy: 'skip-covered' });

    expect([await create('incremental'), await create('full')]).toEqual([undefined, undefined]);
    await endedRun(frontier);
    const incremental = (await create('incremental')) ?? 0;
    await store.startRun(incremental, 2);
    expect(await create('incremental')).toBeUndefined();
    expect(await create('full')).toBeGreaterThan(incremental);
  });

  test('a run of queued URLs lives beside it', async () => {
    await using frontier = await openFrontier();
    await frontier.store.queueUrls({ ...CRAWL, urls: [urlOf('/a')], now: 1 });

    expect((await frontier.store.livingRuns()).map(({ kind }) => kind)).toEqual(['full', 'urls']);
  });
});

describe('promise 2: a run changes its state along its way only', () => {
  test('an end before the plan is done, a second end and a late failure do nothing', async () => {
    await using frontier = await openFrontier();
    const { store, runId } = frontier;

    expect(await store.endRun(runId, 1)).toBe(false);
    expect(await store.finishRun(runId, '{}', 1)).toBe(false);
    await endedRun(frontier);
    expect(await store.endRun(runId, 1)).toBe(false);
    expect(await store.failRun(runId, '{}', 1)).toBe(false);
    expect(await store.findRun(runId)).toMatchObject({ state: 'finished', endedAt: 3_000 });
  });

  test('stopRuns ends the living runs of older activations', async () => {
    await using frontier = await openFrontier();
    await frontier.store.queueUrls({ ...CRAWL, urls: [urlOf('/a')], now: 1 });

    expect(await frontier.store.stopRuns(CRAWLER, ACTIVATION, 5)).toEqual([]);
    expect(await frontier.store.stopRuns(CRAWLER, ACTIVATION + 1, 5)).toHaveLength(2);
    expect(await frontier.store.livingRuns()).toEqual([]);
  });
});

describe('promise 3: the plan puts each URL on the frontier once', () => {
  test('in steps, all live, known, suspected and failed records, others when their time has come', async () => {
    await using frontier = await openFrontier();
    const states = ['live', 'suspected', 'failed', 'gone', 'skipped'] as const;
    for (const state of states) {
      await frontier.add([`/${state}-1`, `/${state}-2`, `/${state}-3`]);
      await visitAll(frontier, { state, nextAt: 50_000 });
    }
    await endedRun(frontier);
    const runId = (await frontier.store.createRun({ ...RUN, kind: 'full', at: 20_000 })) ?? 0;
    await frontier.store.startRun(runId, 20_000);

    const steps = [];
    do steps.push(await frontier.store.planRun(runId, 4, 20_000));
    while (!steps.at(-1)?.done);

    expect(steps.reduce((sum, { planned }) => sum + planned, 0)).toBe(9);
    expect(await frontier.store.findRun(runId)).toMatchObject({ open: 9, planDone: true });
    const rows = await frontier.take(await frontier.lane('crawl-1', 1), 100, 20_000);
    expect(new Set(rows.map(({ record }) => record.state))).toEqual(new Set(['live', 'suspected', 'failed']));
    expect(new Set(rows.map(({ urlId }) => urlId)).size).toBe(9);
  });

  test('pages that the run has visited already are not planned again', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    await visitAll(frontier);
    await endedRun(frontier);
    const runId = (await frontier.store.createRun({ ...RUN, kind: 'full', at: 500 })) ?? 0;
    await frontier.store.startRun(runId, 500);

    expect((await frontier.store.planRun(runId, 100, 2_000)).planned).toBe(0);
  });

  test('an incremental plan takes records whose time has come and those never visited', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/due']);
    await visitAll(frontier, { nextAt: 15_000 });
    await frontier.add(['/later']);
    await visitAll(frontier, { nextAt: 90_000 });
    await frontier.add(['/unvisited']);
    await frontier.store.stopRuns(CRAWLER, ACTIVATION + 1, 5_000);
    await frontier.store.discardRun(frontier.runId, 100, 5_000);
    const runId = (await frontier.store.createRun({ ...RUN, kind: 'incremental', at: 20_000 })) ?? 0;
    await frontier.store.startRun(runId, 20_000);

    expect(await frontier.store.planRun(runId, 100, 20_000)).toEqual({ planned: 2, done: true });
    const rows = await frontier.take(await frontier.lane('crawl-1', 1), 100, 20_000);
    expect(rows.map(({ url }) => url).sort()).toEqual([urlOf('/due'), urlOf('/unvisited')]);
  });

  test('a URL that was sent and discarded is not planned, until it is found on the site', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;
    await store.queueUrls({ ...CRAWL, urls: [urlOf('/sent'), urlOf('/sent-and-linked')], now: 1 });
    const activation = ACTIVATION + 2;
    await store.stopRuns(CRAWLER, activation, 5_000);
    const runId = (await store.createRun({ ...RUN, activation, kind: 'full', at: 20_000 })) ?? 0;
    await store.startRun(runId, 20_000);
    while (!(await store.planRun(runId, 100, 20_000)).done);
    const take = async () =>
      (await frontier.take(await frontier.lane('crawl-1', 1), 100, 20_000, activation)).map(({ url }) => url);
    expect(await take()).toEqual([]);

    const urls = [link('/sent-and-linked')];
    await store.addUrls({ crawlerId: CRAWLER, activation, runId, now: 20_000, urls });

    expect(await take()).toEqual([urlOf('/sent-and-linked')]);
    expect((await store.findUrl(CRAWLER, urlOf('/sent-and-linked')))?.origin).toBe('link');
  });

  test('rows of an older activation hide nothing from it, leased ones included', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/leased', '/waiting']);
    await frontier.take(await frontier.lane(), 1);
    await frontier.store.stopRuns(CRAWLER, ACTIVATION + 1, 5_000);
    const activation = ACTIVATION + 2;
    const runId = (await frontier.store.createRun({ ...RUN, activation, kind: 'full', at: 20_000 })) ?? 0;
    await frontier.store.startRun(runId, 20_000);

    while (!(await frontier.store.planRun(runId, 100, 20_000)).done);

    const rows = await frontier.take(await frontier.lane('crawl-1', 1), 100, 20_000, activation);
    expect(rows.map(({ url }) => url).sort()).toEqual([urlOf('/leased'), urlOf('/waiting')]);
    expect(await frontier.counters()).toMatchObject({ rows: 2, waiting: 0 });
  });
});

describe('promise 4: a run ends when its plan is done and no row is left', () => {
  test('neither a waiting nor a leased row lets it end', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    await frontier.store.planRun(frontier.runId, 100, 1);

    expect(await frontier.store.endRun(frontier.runId, 100_000)).toBe(false);
    const lane = await frontier.lane();
    const rows = await frontier.take(lane);
    expect(await frontier.store.endRun(frontier.runId, 100_000)).toBe(false);
    await frontier.record(
      lane,
      rows.map((row) => visited(row)),
    );
    expect(await frontier.store.endRun(frontier.runId, 100_000)).toBe(true);
    expect(await frontier.store.findRun(frontier.runId)).toMatchObject({ state: 'finishing', idleSince: 100_000 });
  });

  test('a run of queued URLs ends 10 s after it was found empty, whatever came in between', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;
    await store.queueUrls({ ...CRAWL, urls: [urlOf('/a')], now: 1_000 });
    const { id = 0 } = (await store.livingRuns()).find(({ kind }) => kind === 'urls') ?? {};
    await visitAll(frontier);

    expect(await store.endRun(id, 50_000)).toBe(false);
    await store.queueUrls({ ...CRAWL, urls: [urlOf('/b')], now: 55_000 });
    await visitAll(frontier, {}, 56_000);
    expect(await store.endRun(id, 61_000)).toBe(false);
    expect(await store.endRun(id, 70_999)).toBe(false);
    expect(await store.endRun(id, 71_000)).toBe(true);
  });
});

test('a run that is cut takes no new links and ends, whatever it holds', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/a', '/b']);
  const lane = await frontier.lane();
  const [row] = await frontier.take(lane, 1);

  expect(await frontier.store.cutRun(frontier.runId, 'runMinutes', 5)).toBe(true);
  expect(await frontier.store.findRun(frontier.runId)).toMatchObject({ state: 'finishing', idleSince: 5 });
  expect(await frontier.store.discardRun(frontier.runId, 10, 5)).toBe(1);
  const links = { known: [], fresh: [link('/c')], pageLimit: 100 };
  const receipt = await frontier.record(lane, [visited(row!, { links })]);

  expect(receipt.freshIds).toEqual([[undefined]]);
  expect(await frontier.counters()).toMatchObject({ rows: 0, open: 0, waiting: 0 });
  expect(await frontier.store.finishRun(frontier.runId, '{}', 5)).toBe(true);
});

describe('log of visits, promise 1: the log is bounded', () => {
  test('it keeps the newest 8 visits of a URL', async () => {
    await using frontier = await openFrontier();
    for (let visit = 1; visit <= 11; visit++) {
      await frontier.store.queueUrls({ ...CRAWL, urls: [urlOf('/a')], now: visit });
      await visitAll(frontier, {}, 1_000 + visit);
    }

    const log = await frontier.store.listVisits({ crawlerId: CRAWLER, limit: 100 });
    expect(log.map(({ at }) => at)).toEqual([1_011, 1_010, 1_009, 1_008, 1_007, 1_006, 1_005, 1_004]);
  });

  test('older rows are dropped in steps', async () => {
    await using frontier = await openFrontier();
    await frontier.store.logDiscarded(CRAWLER, [urlOf('/a'), urlOf('/b'), urlOf('/c')], 'inactive', 5);

    expect(await frontier.store.dropVisits(CRAWLER, 5, 2)).toBe(0);
    expect(await frontier.store.dropVisits(CRAWLER, 6, 2)).toBe(2);
    expect(await frontier.store.dropVisits(CRAWLER, 6, 2)).toBe(1);
  });
});

test('runs of queued URLs are dropped when they ended long ago, others stay', async () => {
  await using frontier = await openFrontier();
  const { store } = frontier;
  for (const now of [1_000, 2_000]) {
    await store.queueUrls({ ...CRAWL, urls: [urlOf('/a')], now });
    await visitAll(frontier, {}, now);
    const { id = 0 } = (await store.livingRuns()).find(({ kind }) => kind === 'urls') ?? {};
    await store.endRun(id, now);
    await store.endRun(id, now + 10_000);
    await store.finishRun(id, '{}', now + 10_000);
  }

  expect(await store.dropQueueRuns(CRAWLER, 1_500, 10)).toBe(1);
  expect((await store.listRuns(CRAWLER, 10)).map(({ kind }) => kind)).toEqual(['urls', 'full']);
});

const UNREACHABLE = { body: undefined, status: 500, at: 1, goodAt: undefined };

describe('hosts, promise 1: robots copies and holds are shared as soon as they are written', () => {
  test('a robots copy comes back as it was saved', async () => {
    await using frontier = await openFrontier();
    const { id } = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
    const copy = { body: new TextEncoder().encode('User-agent: *'), status: 200, at: 7, goodAt: 7 };

    await frontier.store.saveRobots(id, copy, undefined);

    const { robots } = (await frontier.store.findHost(id)) ?? {};
    expect({ ...robots, body: new TextDecoder().decode(robots?.body) }).toEqual({ ...copy, body: 'User-agent: *' });
  });

  test('a held host has no work until its time, and a shorter hold does not shorten it', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const { id } = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
    const work = (now: number) =>
      frontier.store.hostsWithWork({ ...RUN, stage: 'page', maxPriority: 3, after: 0, limit: 10, now });

    await frontier.store.saveRobots(id, UNREACHABLE, { untilAt: 9_000, reason: 'robots-unreachable' });
    await frontier.store.saveRobots(id, UNREACHABLE, { untilAt: 5_000, reason: 'robots-unreachable' });

    expect(await work(8_999)).toEqual([]);
    expect(await work(9_000)).toEqual([{ hostId: id, origin: 'https://site.example', dueAt: 0, slots: 1 }]);
    expect(await frontier.store.findHost(id)).toMatchObject({ heldUntil: 9_000, holdReason: 'robots-unreachable' });
  });

  test('a host that is held for all crawlers has no work, but files that are downloaded already', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a', '/b.pdf']);
    const lane = await frontier.lane();
    const [, row] = await frontier.take(lane);
    const next = { dueAt: 0, priority: 2, attempts: 0, to: { stage: 'file', detail: undefined } } as const;
    await frontier.record(lane, [visited(row as DueRow, { next, record: undefined, log: undefined })]);
    await frontier.store.freeLane(lane);
    const work = (stage: 'page' | 'file', heldOrigins: readonly string[]) =>
      frontier.store.hostsWithWork({ ...RUN, stage, maxPriority: 3, after: 0, limit: 10, now: 5_000, heldOrigins });

    expect(await work('page', ['https://other.example'])).toHaveLength(1);
    expect(await work('page', ['https://site.example'])).toEqual([]);
    expect(await work('file', ['https://site.example'])).toHaveLength(1);
  });

  test('work of a host is told with its earliest time, within the priorities asked for', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a'], { priority: 3 }, 500);
    await frontier.add(['/b'], { priority: 1 }, 700);
    const work = (maxPriority: number) =>
      frontier.store.hostsWithWork({ ...RUN, stage: 'page', maxPriority, after: 0, limit: 10, now: 0 });

    expect((await work(3)).map(({ dueAt }) => dueAt)).toEqual([500]);
    expect((await work(1)).map(({ dueAt }) => dueAt)).toEqual([700]);
    expect(await work(0)).toEqual([]);
  });
});

describe('look-ups of the sweep', () => {
  test('a lane that was withdrawn with rows is abandoned, one without rows is not', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    await frontier.take(await frontier.lane('crawl-1', 1));
    await frontier.lane('crawl-2', 2);
    await frontier.lane('crawl-3', 3);
    const [first, second] = await frontier.store.leasedLanes();

    expect(await frontier.store.abandonedLanes()).toEqual([]);
    await frontier.store.withdrawLane(first!);
    await frontier.store.withdrawLane(second!);

    expect(await frontier.store.abandonedLanes()).toEqual([{ crawlerId: CRAWLER, stage: 'page', lane: 1, fence: 2 }]);
    expect(await frontier.store.listLanes(CRAWLER)).toMatchObject([
      { lane: 1, fence: 2, isHeld: false },
      { lane: 2, fence: 2, isHeld: false },
      { lane: 3, fence: 1, isHeld: true },
    ]);
    expect(await frontier.store.crawlersWithRows()).toEqual([]);
  });

  test('second looks at suspected pages are queued once when they are due', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    await visitAll(frontier, { state: 'suspected', nextAt: 8_000 });
    const confirm = (now: number) => frontier.store.queueConfirmations({ ...CRAWL, now }, 10);

    expect(await confirm(7_999)).toBe(0);
    expect(await confirm(8_000)).toBe(1);
    expect(await confirm(8_000)).toBe(0);
  });
});

test('URL records are counted by state', async () => {
  await using frontier = await openFrontier();
  await frontier.add(['/a', '/b']);
  await visitAll(frontier);
  await frontier.add(['/c']);

  expect(await frontier.store.countUrls(CRAWLER)).toEqual(
    new Map([
      ['known', 1],
      ['live', 2],
    ]),
  );
  const upTo = (limit: number) => frontier.store.countUrlsUpTo({ crawlerId: CRAWLER, state: 'live', limit });
  expect([await upTo(1), await upTo(2), await upTo(10)]).toEqual([1, 2, 2]);
});
