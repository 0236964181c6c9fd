import { describe, expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { dropped, type Route, redirectTo, startSiteServer } from '../../helpers/site-server.ts';

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
