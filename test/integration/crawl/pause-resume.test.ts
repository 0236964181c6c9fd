import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { slow, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const paths = Array.from({ length: 60 }, (_, i) => `/p${i}`);
const SITE = {
  '/': page('Home', paths),
  '/queued': page('Queued'),
  ...Object.fromEntries(paths.map((path) => [path, slow(20, page(`Page ${path}`))])),
};

async function midRun(settings: Readonly<Record<string, unknown>> = {}) {
  const site = await startSiteServer(SITE);
  const crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL, ...settings });
  await crawl.sweep();
  const slice = crawl.slice();
  await eventually(() => site.requests.length > 10);
  return {
    site,
    crawl,
    slice,
    fetched: () => paths.filter((path) => site.count(path) > 0).length,
    [Symbol.asyncDispose]: async () => {
      await slice;
      await crawl[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

test('while a run is paused nothing starts, queued URLs wait too, and everything goes on after it', async () => {
  await using shared = await midRun();
  const { site, crawl, slice, fetched } = shared;

  const [runId = 0] = await crawl.pause();
  expect((await slice).end).toBe('stopped');
  const paused = fetched();
  await crawl.queue(`${site.origin}/queued`);
  await crawl.crawl();
  expect(await crawl.slice(0)).toMatchObject({ end: 'stopped' });

  expect(paused).toBeLessThan(paths.length);
  expect([fetched(), site.count('/queued')]).toEqual([paused, 0]);
  expect(await crawl.store.findRun(runId)).toMatchObject({ state: 'paused', failed: 0 });

  expect(await crawl.resume()).toHaveLength(2);
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(paths.length + 2);
  for (const path of paths) expect([path, site.count(path)]).toEqual([path, 1]);
  expect(await crawl.store.findRun(runId)).toMatchObject({ state: 'finished', visited: paths.length + 1 });
});

test('the time of a pause does not count as time of the run', async () => {
  await using shared = await midRun({ limits: { runMinutes: 60 } });
  const { crawl, slice } = shared;

  await crawl.pause();
  await slice;
  crawl.clock.skip(5 * 3_600_000);
  await crawl.resume();
  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(paths.length + 1);
});

test('a stop ends the run and drops its rows, keeps its counts, and lets queued URLs go on', async () => {
  await using shared = await midRun();
  const { site, crawl, slice, fetched } = shared;
  await crawl.queue(`${site.origin}/queued`, `${site.origin}/p59`);

  const [runId = 0] = await crawl.stop();
  await slice;
  const stopped = fetched();
  await crawl.crawl();

  expect(stopped).toBeLessThan(paths.length - 1);
  expect(fetched()).toBeLessThanOrEqual(stopped + 1);
  expect([site.count('/queued'), site.count('/p59')]).toEqual([1, 1]);
  const run = await crawl.store.findRun(runId);
  expect(run).toMatchObject({ state: 'stopped', open: 0 });
  expect(run?.visited).toBeGreaterThan(10);
  expect(await crawl.store.crawlersWithRows()).toEqual([]);
});

test('the run after a stop visits everything', async () => {
  await using shared = await midRun();
  const { crawl, slice } = shared;
  await crawl.stop();
  await slice;

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(paths.length + 1);
});

test('requests during a run make one run that follows it', async () => {
  await using shared = await midRun();
  const { site, crawl, slice } = shared;

  const asked = [await crawl.run('incremental'), await crawl.run('full'), await crawl.run('full')];
  await slice;
  await crawl.crawl();

  expect(asked.map((run) => run?.waits)).toEqual([true, true, true]);
  const runs = await crawl.store.listRuns(crawl.crawlerId, 10);
  expect(runs.map(({ id, kind, state }) => [id, kind, state])).toEqual([
    [asked[0]?.runId, 'full', 'finished'],
    [expect.any(Number), 'full', 'finished'],
  ]);
  expect(site.count('/')).toBe(2);
});

test('there is nothing to pause, resume or stop when no run lives', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();

  await expect(crawl.pause()).rejects.toMatchObject({ code: 'record.conflict' });
  await expect(crawl.resume()).rejects.toMatchObject({ code: 'record.conflict' });
  await expect(crawl.stop()).rejects.toMatchObject({ code: 'record.conflict' });
});
