import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { type Page, startSiteServer } from '../../helpers/site-server.ts';
import { rssFeed, sitemap, sitemapIndex } from '../../helpers/sitemap.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test.each<[string, (origin: string) => Page]>([
  ['a sitemap', (origin) => sitemap(origin, { '/a': '', '/b': '' })],
  ['an index of sitemaps', (origin) => sitemapIndex(origin, ['/part.xml'])],
  ['a feed', (origin) => rssFeed(origin, { '/a': '', '/b': '' })],
])('a seed that is %s stands for the pages that it names', async (_kind, list) => {
  await using site = await startSiteServer({ '/a': page('Alpha'), '/b': page('Beta') });
  site.set('/list.xml', list(site.origin));
  site.set('/part.xml', sitemap(site.origin, { '/a': '', '/b': '' }));
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/list.xml`], schedule: MANUAL });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/a`, `${site.origin}/b`]);
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({
    visited: 2,
    added: 2,
    failed: 0,
    open: 0,
  });
});

test('it is asked for once in each later run, whose new pages are found', async () => {
  await using site = await startSiteServer({ '/a': page('Alpha'), '/new': page('New') });
  site.set('/list.xml', sitemap(site.origin, { '/a': '' }));
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/list.xml`], schedule: MANUAL });
  await crawl.crawl();
  const asked = site.count('/list.xml');
  site.set('/list.xml', sitemap(site.origin, { '/a': '', '/new': '' }));
  crawl.clock.skip(3_600_000);

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/a`, `${site.origin}/new`]);
  expect(site.count('/list.xml') - asked).toBe(1);
});

test('a sitemap that is known as a page is read when its host names it', async () => {
  await using site = await startSiteServer({ '/': page('Home'), '/a': page('Alpha') });
  site.set('/sitemap.xml', sitemap(site.origin, { '/a': '' }));
  const settings = { seeds: [`${site.origin}/`], schedule: MANUAL };
  await using crawl = await openCrawl({ ...settings, sitemaps: 'off', seeds: [`${site.origin}/sitemap.xml`] });
  await crawl.crawl();
  expect(await crawl.lastVisit(`${site.origin}/sitemap.xml`)).toMatchObject({ reason: 'unsupported-type' });
  await crawl.change({ ...settings, sitemaps: 'auto' });
  crawl.clock.skip(3_600_000);

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/a`]);
});

test('a page that links to a sitemap which nobody named leads no further', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/other.xml']), '/a': page('Alpha') });
  site.set('/other.xml', sitemap(site.origin, { '/a': '' }));
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});
