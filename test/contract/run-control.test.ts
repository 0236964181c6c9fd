import { describe, expect, test } from 'vitest';
import { ACTIVATION, CRAWLER, link, openFrontier, urlOf, visited } from '../helpers/frontier.ts';

const CRAWL = { crawlerId: CRAWLER, activation: ACTIVATION, configVersion: 1 } as const;
const RUN = { ...CRAWL, startedBy: 'test', whenBusy: 'wait' } as const;

describe('runs, promise 5: a paused crawler', () => {
  const paused = async () => {
    const frontier = await openFrontier();
    await frontier.add(['/a']);
    const runs = await frontier.store.pauseRuns(CRAWLER, 500);
    return { frontier, runs, [Symbol.asyncDispose]: () => frontier[Symbol.asyncDispose]() };
  };

  test('gives no row away, keeps its rows, and goes on where it was', async () => {
    await using opened = await paused();
    const { frontier, runs } = opened;

    expect(runs).toEqual([frontier.runId]);
    expect(await frontier.take(await frontier.lane())).toEqual([]);
    expect(await frontier.counters()).toMatchObject({ rows: 1, open: 1, waiting: 1 });
    expect(await frontier.store.resumeRuns(CRAWLER, 1_700)).toEqual([frontier.runId]);
    expect(await frontier.take(await frontier.lane())).toHaveLength(1);
    expect(await frontier.store.findRun(frontier.runId)).toMatchObject({ state: 'running', pausedMs: 1_200 });
  });

  test('says why while it is paused', async () => {
    await using frontier = await openFrontier();
    const { store, runId } = frontier;
    await store.pauseRuns(CRAWLER, 500, '{"reason":"login-failed"}');
    expect((await store.findRun(runId))?.summary).toBe('{"reason":"login-failed"}');
    await store.resumeRuns(CRAWLER, 600);
    expect((await store.findRun(runId))?.summary).toBeUndefined();
  });

  test('lets what is queued wait too', async () => {
    await using opened = await paused();
    const { store } = opened.frontier;

    await store.queueUrls({ ...CRAWL, urls: [urlOf('/b')], now: 600 });

    expect((await store.livingRuns()).map(({ kind, state }) => [kind, state])).toEqual([
      ['full', 'paused'],
      ['urls', 'paused'],
    ]);
    expect(await store.resumeRuns(CRAWLER, 700)).toHaveLength(2);
  });

  test('takes the links of a page that was under way', async () => {
    await using frontier = await openFrontier();
    await frontier.add(['/a']);
    const lane = await frontier.lane();
    const [row] = await frontier.take(lane);
    await frontier.store.pauseRuns(CRAWLER, 500);

    await frontier.record(lane, [visited(row!, { links: { known: [], fresh: [link('/b')], pageLimit: 10 } })]);

    expect(await frontier.counters()).toMatchObject({ rows: 1, open: 1 });
  });
});

describe('runs, promise 6: the rows of a run that was stopped or cut', () => {
  test('are not taken any more; what was queued moves on to the run of queued URLs', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;
    await frontier.add(['/a', '/b', '/c']);
    await store.queueUrls({ ...CRAWL, urls: [urlOf('/b')], now: 1 });

    expect(await store.stopRun(CRAWLER, 5)).toEqual([frontier.runId]);
    const lane = await frontier.lane();
    expect(await frontier.take(lane)).toEqual([]);

    expect((await frontier.take(lane)).map(({ url, runKind }) => [url, runKind])).toEqual([[urlOf('/b'), 'urls']]);
    expect(await store.findRun(frontier.runId)).toMatchObject({ state: 'stopped', open: 0, found: 3 });
    expect(await frontier.counters()).toMatchObject({ rows: 1, open: 1, waiting: 0 });
  });

  test('hide nothing from the run that follows, leased ones included', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;
    await frontier.add(['/leased', '/waiting']);
    await frontier.take(await frontier.lane(), 1);
    await store.stopRun(CRAWLER, 5);
    const runId = (await store.createRun({ ...RUN, kind: 'full', at: 20_000 })) ?? 0;
    await store.startRun(runId, 20_000);

    while (!(await store.planRun(runId, 100, 20_000)).done);

    const rows = await frontier.take(await frontier.lane('crawl-1', 1), 100, 20_000);
    expect(rows.map(({ url }) => url).sort()).toEqual([urlOf('/leased'), urlOf('/waiting')]);
  });

  test('are named in the summary of a run that was cut, and logged as deferred', async () => {
    await using frontier = await openFrontier();
    const { store } = frontier;
    await frontier.add(['/a', '/b']);
    const { id } = await store.ensureHost(CRAWLER, 'https://site.example');
    const unreachable = { body: undefined, status: 500, at: 1, goodAt: undefined };
    await store.saveRobots(id, unreachable, { untilAt: 90_000, reason: 'robots-unreachable' });

    await store.cutRun(frontier.runId, 'runMinutes', 50_000);
    await store.discardRun(frontier.runId, 10, 50_000);

    expect(JSON.parse((await store.findRun(frontier.runId))?.summary ?? '')).toEqual({
      limit: 'runMinutes',
      deferred: { rows: 2, hosts: [{ origin: 'https://site.example', rows: 2, reason: 'robots-unreachable' }] },
    });
    expect(await store.listVisits({ crawlerId: CRAWLER, limit: 10 })).toMatchObject([
      { outcome: 'deferred', reason: 'robots-unreachable' },
      { outcome: 'deferred', reason: 'robots-unreachable' },
    ]);
  });
});

test('the latest runs of crawlers are those that live, the newest of a schedule, and the last that finished', async () => {
  await using frontier = await openFrontier();
  const { store, runId } = frontier;
  await store.planRun(runId, 100, 10_000);
  expect(await store.endRun(runId, 100_000)).toBe(true);
  await store.finishRun(runId, '{}', 3_000);
  const stopped = (await store.createRun({ ...RUN, kind: 'full', at: 4_000 })) ?? 0;
  await store.startRun(stopped, 4_000);
  await store.stopRun(CRAWLER, 5_000);
  const next = (await store.createRun({ ...RUN, kind: 'incremental', at: 6_000 })) ?? 0;

  const latest = await store.latestRuns([CRAWLER, 99]);

  const { living, scheduled, lastFinished } = latest.get(CRAWLER) ?? {};
  expect(living?.map(({ id }) => id)).toEqual([next]);
  expect(scheduled?.map(({ id }) => id)).toEqual([next, stopped, runId]);
  expect(lastFinished).toMatchObject({ id: runId, state: 'finished', endedAt: 3_000 });
  expect(latest.get(99)).toEqual({ living: [], scheduled: [], lastFinished: undefined });
});
