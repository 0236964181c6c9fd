import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { sitemap, sitemapIndex } from '../../helpers/sitemap.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('pages of sitemaps that robots.txt names are found, through indexes of indexes', async () => {
  await using site = await startSiteServer({ '/': page('Home'), '/a': page('Alpha'), '/b': page('Beta') });
  site.set('/robots.txt', { body: `User-agent: *\nSitemap: ${site.origin}/index.xml\n` });
  site.set('/index.xml', sitemapIndex(site.origin, ['/more.xml', '/a.xml']));
  site.set('/more.xml', sitemapIndex(site.origin, ['/b.xml']));
  site.set('/a.xml', sitemap(site.origin, { '/a': '' }));
  site.set('/b.xml', sitemap(site.origin, { '/b': '' }));
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/a', '/b'].map((path) => `${site.origin}${path}`));
  expect(await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/b`)).toMatchObject({ origin: 'sitemap', depth: 0 });
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ visited: 3, found: 3, open: 0 });
  expect(await crawl.store.countUrls(crawl.crawlerId)).toEqual(new Map([['live', 3]]));
  expect(site.count('/sitemap.xml')).toBe(0);
});

test('without a line in robots.txt the usual places are tried, and a second run asks again only the next day', async () => {
  await using site = await startSiteServer({ '/': page('Home'), '/a': page('Alpha') });
  site.set('/sitemap_index.xml', sitemapIndex(site.origin, ['/a.xml']));
  site.set('/a.xml', sitemap(site.origin, { '/a': '' }));
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  crawl.clock.skip(3_600_000);

  await crawl.run('incremental');
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/a`]);
  expect([site.count('/sitemap.xml'), site.count('/sitemap_index.xml'), site.count('/a.xml')]).toEqual([1, 2, 2]);
});

test('a sitemap that nobody named and that is not there is no failure; one of robots.txt is', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using guessing = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`] });
  await guessing.crawl();
  site.set('/robots.txt', { body: `Sitemap: ${site.origin}/sitemap.xml` });
  await using told = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`] });
  await told.crawl();

  const at = `${site.origin}/sitemap.xml`;
  expect(await guessing.lastVisit(at)).toMatchObject({ outcome: 'absent', reason: 'not-found', httpStatus: 404 });
  expect(await told.lastVisit(at)).toMatchObject({ outcome: 'failed', reason: 'not-found', httpStatus: 404 });
});

test('an unchanged index still leads to its sitemaps, whose new pages are found in an incremental run', async () => {
  await using site = await startSiteServer({ '/': page('Home'), '/a': page('Alpha'), '/new': page('New') });
  site.set('/sitemap.xml', sitemapIndex(site.origin, ['/a.xml']));
  site.set('/a.xml', sitemap(site.origin, { '/a': '' }));
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  site.set('/a.xml', sitemap(site.origin, { '/a': '', '/new': '' }));
  crawl.clock.skip(1_000);

  await crawl.run('incremental');
  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/a', '/new'].map((path) => `${site.origin}${path}`));
  expect(await crawl.visitsOf(site.origin, '/a')).toEqual([1]);
});

test('named sitemaps are read instead of those of robots.txt, and none when they are switched off', async () => {
  await using site = await startSiteServer({ '/': page('Home'), '/a': page('Alpha'), '/b': page('Beta') });
  site.set('/robots.txt', { body: `Sitemap: ${site.origin}/a.xml` });
  site.set('/a.xml', sitemap(site.origin, { '/a': '' }));
  site.set('/own.xml', sitemap(site.origin, { '/b': '' }));
  const settings = { sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL };
  await using crawl = await openCrawl({ ...settings, sitemaps: [`${site.origin}/own.xml`] });
  await crawl.crawl();
  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/b`]);

  await crawl.change({ ...settings, sitemaps: 'off' });
  await crawl.run();
  await crawl.crawl();

  expect([site.count('/a.xml'), site.count('/own.xml')]).toEqual([0, 1]);
  expect(await crawl.documents()).toHaveLength(2);
});

test('a sitemap names pages of the crawler only, and its alternates count', async () => {
  await using other = await startSiteServer({ '/x': page('Elsewhere') }, { address: '127.0.0.2' });
  await using site = await startSiteServer({
    '/': page('Home'),
    '/de': page('Deutsch'),
    '/private/a': page('Private'),
  });
  const alternate = `<xhtml:link rel="alternate" hreflang="de" href="${site.origin}/de"/>`;
  const urls = [`${site.origin}/`, `${other.origin}/x`, `${site.origin}/private/a`].map((url) => `<loc>${url}</loc>`);
  site.set('/sitemap.xml', {
    body: `<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml"><url>${urls[0]}${alternate}</url><url>${urls[1]}</url><url>${urls[2]}</url></urlset>`,
  });
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], exclude: ['/private/**'] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/de`]);
  expect(other.requests).toEqual([]);
  const { detail } = (await crawl.lastVisit(`${site.origin}/sitemap.xml`)) ?? {};
  expect(JSON.parse(detail ?? '')).toMatchObject({ format: 'urlset', entries: 4, outside: 2, added: 1 });
});
