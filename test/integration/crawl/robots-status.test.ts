import { describe, expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { dropped, type Route, redirectTo, slow, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const PAGES = { '/': page('Home', ['/a']), '/a': page('Alpha') };
const FORBIDS: Route = { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /a\n' };

test.each([
  ['404', { status: 404 }, 2],
  ['403', { status: 403 }, 2],
  ['410', { status: 410 }, 2],
  ['a redirect to the rules', redirectTo('/other-robots.txt'), 1],
  ['a redirect to itself', redirectTo('/robots.txt'), 2],
] satisfies [string, Route, number][])(
  'robots.txt answers %s: crawled by what that means',
  async (_name, route, pages) => {
    await using site = await startSiteServer({ ...PAGES, '/robots.txt': route, '/other-robots.txt': FORBIDS });
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

    await crawl.crawl();

    expect(await crawl.documents()).toHaveLength(pages);
  },
);

describe('robots.txt that cannot be read', () => {
  test.each([
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['429', { status: 429 }],
    ['a closed connection', dropped],
  ] satisfies [string, Route][])('%s: nothing is fetched, and the pages come when it is back', async (_name, route) => {
    await using site = await startSiteServer({ ...PAGES, '/robots.txt': route });
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

    await crawl.crawl();
    expect(site.requests.map(({ path }) => path)).toEqual(['/robots.txt']);
    const host = await crawl.store.ensureHost(crawl.crawlerId, site.origin);
    expect(host).toMatchObject({ holdReason: 'robots-unreachable' });

    site.set('/robots.txt', { status: 404 });
    crawl.clock.skip(5 * 60_000);
    await crawl.redis.control.flushall();
    await crawl.crawl();
    expect(await crawl.documents()).toHaveLength(2);
  });

  test('the last good copy counts after 12 hours', async () => {
    await using site = await startSiteServer({ ...PAGES, '/robots.txt': FORBIDS });
    await using crawl = await openCrawl({
      seeds: [`${site.origin}/`],
      schedule: { full: 'manual', incremental: 'manual' },
    });
    await crawl.crawl();
    site.set('/robots.txt', { status: 500 });
    crawl.clock.skip(25 * 3_600_000);
    await crawl.run();
    await crawl.crawl();
    const visits = site.count('/');

    for (let hours = 0; hours < 13; hours += 1) {
      crawl.clock.skip(3_600_000);
      await crawl.redis.control.flushall();
      await crawl.crawl();
    }

    expect(site.count('/')).toBe(visits + 1);
    expect(site.count('/a')).toBe(0);
  });
});

test('a host whose robots.txt stays unreachable is asked 5, 10, 20 minutes later, and leaves the run as deferred', async () => {
  await using site = await startSiteServer({ ...PAGES, '/robots.txt': { status: 500 } });
  const settings = { seeds: [`${site.origin}/`], limits: { runMinutes: 60 }, schedule: MANUAL };
  await using crawl = await openCrawl(settings);

  const holds = [];
  for (let i = 0; i < 3; i++) {
    await crawl.crawl();
    const { heldUntil } = await crawl.store.ensureHost(crawl.crawlerId, site.origin);
    const heldMs = heldUntil - crawl.clock.now();
    holds.push(Math.round(heldMs / 60_000));
    crawl.clock.skip(heldMs + 1);
    await crawl.redis.control.flushall();
  }
  crawl.clock.skip(30 * 60_000);
  await crawl.crawl();

  expect(holds).toEqual([5, 10, 20]);
  expect(site.requests.every(({ path }) => path === '/robots.txt')).toBe(true);
  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  expect(run).toMatchObject({ state: 'finished', open: 0, failed: 0 });
  expect(JSON.parse(run?.summary ?? '')).toMatchObject({ limit: 'runMinutes', deferred: { rows: 1 } });
  expect(await crawl.lastVisit(`${site.origin}/`)).toMatchObject({ outcome: 'deferred' });
});

test('several slices of a crawler ask for robots.txt once', async () => {
  const paths = Array.from({ length: 20 }, (_, i) => `/p${i}`);
  await using site = await startSiteServer({
    '/robots.txt': slow(200, { status: 404 }),
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.sweep();
  await crawl.queue(`${site.origin}/p0`);

  await Promise.all([crawl.slice(0), crawl.slice(1, { holder: 'crawl-2' })]);
  await crawl.crawl();

  expect(site.count('/robots.txt')).toBe(1);
  expect(await crawl.documents()).toHaveLength(21);
});
