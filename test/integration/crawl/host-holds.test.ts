import { describe, expect, test } from 'vitest';
import { readCrawlLoad } from '../../../src/crawl/crawl-load.ts';
import { crawlerStatus } from '../../../src/crawl/crawler-status.ts';
import { listHosts, stalledHosts } from '../../../src/crawl/host-control.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { addCrawler } from '../../helpers/other-crawlers.ts';
import { reportFigure } from '../../helpers/scorecard.ts';
import { type Route, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

const limited = (seconds: number): Route => ({ status: 429, headers: { 'retry-after': String(seconds) } });

function siteOf(paths: readonly string[], others: Record<string, Route> = {}) {
  const pages = Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)]));
  return startSiteServer({ '/': page('Home', [...Object.keys(others), ...paths]), ...pages, ...others });
}

describe('one URL that is rate-limited', () => {
  const pages = Array.from({ length: 40 }, (_, i) => `/p/${i + 1}`);

  test.each([
    ['a search endpoint for 1e9 s', '/search?q=a', 1_000_000_000],
    ['a page among its like for 1e9 s', '/p/0', 1_000_000_000],
    ['a page among its like for a day', '/p/0', 86_400],
    ['a page among its like for a minute', '/p/0', 60],
  ])('%s: every other page is in within a minute', async (_name, path, seconds) => {
    await using site = await siteOf(pages, { [path]: limited(seconds) });
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });

    await crawl.crawl();
    for (let passed = 0; passed < 60; passed += 15) {
      crawl.clock.skip(15 * SECOND);
      await crawl.redis.control.flushall();
      await crawl.crawl();
    }

    expect(await crawl.documents()).toHaveLength(pages.length + 1);
    expect(site.count(path)).toBe(seconds === 60 ? 2 : 1);
    reportFigure(
      'crawling.one-url-limited',
      `Retry-After ${seconds}: ${pages.length} of ${pages.length} other pages in`,
    );
  });

  test('is asked again after an hour, and then left to the next run', async () => {
    await using site = await siteOf(pages.slice(0, 5), { '/search': limited(DAY / SECOND) });
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
    await crawl.crawl();
    crawl.clock.skip(HOUR - 60 * SECOND);
    await crawl.crawl();
    expect(site.count('/search')).toBe(1);

    crawl.clock.skip(60 * SECOND);
    await crawl.crawl();

    expect(site.count('/search')).toBe(2);
    expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]?.state).toBe('finished');
  });
});

test('a host whose pages all ask for a day is asked again after an hour, by one page', async () => {
  const paths = Array.from({ length: 10 }, (_, i) => `/p${i}`);
  await using site = await siteOf([], Object.fromEntries(paths.map((path) => [path, limited(DAY / SECOND)])));
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  const asked = () => paths.reduce((sum, path) => sum + site.count(path), 0);
  await crawl.crawl();
  const first = asked();

  crawl.clock.skip(HOUR - 60 * SECOND);
  await crawl.redis.control.flushall();
  await crawl.crawl();
  expect(asked()).toBe(first);
  crawl.clock.skip(61 * SECOND);
  await crawl.redis.control.flushall();
  await crawl.crawl();

  expect(asked()).toBe(first + 1);
});

test('a released host is asked within 10 s', async () => {
  const paths = Array.from({ length: 10 }, (_, i) => `/p${i}`);
  await using site = await siteOf([], Object.fromEntries(paths.map((path) => [path, limited(DAY / SECOND)])));
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  for (const path of paths) site.set(path, page(`Page ${path}`));
  await using _roles = await crawl.startRoles();

  await crawl.releaseHost(site.origin);
  const releasedAt = performance.now();

  await eventually(async () => (await crawl.documents()).length === paths.length + 1, 10_000);
  reportFigure(
    'crawling.released-host',
    `all pages in after ${Math.round((performance.now() - releasedAt) / 100) / 10} s`,
  );
});

test('two answers of 503 of one burst hold the host no longer than one', async () => {
  const paths = Array.from({ length: 8 }, (_, i) => `/p${i}`);
  let answers = 0;
  const busy: Route = (_request, response) => setTimeout(() => sendPage(response, { status: 503 }), 150 * ++answers);
  await using site = await siteOf([], Object.fromEntries(paths.map((path) => [path, busy])));
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  const first = paths.reduce((sum, path) => sum + site.count(path), 0);
  expect(first).toBeGreaterThan(1);
  for (const path of paths) site.set(path, page(`Page ${path}`));

  crawl.clock.skip(60 * SECOND);
  await crawl.redis.control.flushall();
  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(paths.length + 1);
});

describe('a host on which nothing starts', () => {
  const paths = Array.from({ length: 6 }, (_, i) => `/p${i}`);
  const busy = () => siteOf([], Object.fromEntries(paths.map((path) => [path, limited(7_200)])));

  test('is told to the crawler of another customer, with who caused it and the command, by status, hosts and metric', async () => {
    await using site = await busy();
    const settings = { seeds: [`${site.origin}/`], schedule: MANUAL };
    await using crawl = await openCrawl(settings);
    const other = await addCrawler(crawl, { id: 18, engineId: 2, customerId: 2 }, { ...settings, sitemaps: 'off' });
    await crawl.crawl();
    await other.sweep();
    expect((await other.slice()).end).toBe('idle');
    crawl.clock.skip(61 * SECOND);
    const deps = crawl.lookDeps;

    const status = await crawlerStatus(deps, other.crawler);
    const [listed] = await listHosts(deps, other.crawler, { after: 0, limit: 10 });
    const stalled = await stalledHosts(deps);
    const { hostsStalled } = await readCrawlLoad(deps);

    const wait = {
      cause: 'host-held',
      reason: 'rate-limited',
      until: expect.any(Number),
      sentence: expect.stringContaining('of crawler 17'),
      advice: `Ask at once: fossick crawler release-host 18 ${site.origin}`,
    };
    expect(status.hosts).toMatchObject([{ origin: site.origin, concern: 'rate-limited', wait }]);
    expect(listed).toMatchObject({
      wait,
      holds: expect.arrayContaining([expect.objectContaining({ urlTemplate: '' })]),
    });
    expect(stalled.map(({ crawlerId }) => crawlerId).sort()).toEqual([17, 18]);
    expect(hostsStalled).toEqual(new Map([['host-held', 2]]));
    reportFigure('crawling.stalled-hosts', '2 of 2 crawlers told by status, hosts, health and metric');
  });

  test('is told when no process works on it, and not while it is paused', async () => {
    await using site = await siteOf(paths);
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
    await crawl.sweep();
    crawl.clock.skip(61 * SECOND);

    expect(await stalledHosts(crawl.lookDeps)).toMatchObject([{ wait: { cause: 'no-worker' } }]);
    await crawl.pause();
    expect(await stalledHosts(crawl.lookDeps)).toEqual([]);
  });

  test('is none while its pages are visited, however many wait', async () => {
    await using site = await siteOf(paths);
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
    await crawl.crawl();

    expect(await stalledHosts(crawl.lookDeps)).toEqual([]);
  });
});

test('new settings of the crawler that caused a hold end it', async () => {
  await using site = await siteOf([], { '/a': limited(7_200), '/b': limited(7_200) });
  const settings = { seeds: [`${site.origin}/`], schedule: MANUAL };
  await using crawl = await openCrawl(settings);
  await crawl.crawl();
  site.set('/a', page('Alpha'));
  site.set('/b', page('Beta'));
  await crawl.redis.control.flushall();

  await crawl.change({ ...settings, userAgent: 'Guest/1' });
  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(3);
});
