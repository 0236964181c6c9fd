import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { datedSite } from '../../helpers/dated-site.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { sitemap } from '../../helpers/sitemap.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const HOUR = 3_600_000;

test('a change that the sitemap is silent about ends its trust, and all pages are visited in the same run', async () => {
  await using site = await datedSite(80);
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  crawl.clock.skip(26 * HOUR);
  for (const number of site.numbers) site.change(number, crawl.clock.now() - HOUR, { listed: false });

  await crawl.run();
  await crawl.crawl();

  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ state: 'finished', changed: 80 });
  expect((await crawl.store.ensureHost(crawl.crawlerId, site.origin)).trust.silentAt).toBeDefined();
});

test('a sitemap that always says now is not heeded for long', async () => {
  const paths = Array.from({ length: 25 }, (_, i) => `/p${i}`);
  await using site = await startSiteServer({
    '/': page('Home'),
    ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])),
  });
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL });
  const list = () => {
    const now = new Date(crawl.clock.now()).toISOString();
    site.set('/sitemap.xml', sitemap(site.origin, Object.fromEntries(paths.map((path) => [path, now]))));
  };
  list();
  await crawl.crawl();

  for (const _ of [1, 2, 3]) {
    crawl.clock.skip(HOUR);
    list();
    await crawl.run('incremental');
    await crawl.crawl();
  }

  expect(await crawl.visitsOf(site.origin, ...paths)).toEqual(paths.map(() => 2));
});

test('a full run asks pages with validators, whatever a lying sitemap says, and finds each change', async () => {
  await using site = await datedSite(60, { tagged: true });
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  crawl.clock.skip(26 * HOUR);
  for (const number of [7, 31]) site.change(number, crawl.clock.now() - HOUR, { listed: false });

  await crawl.run();
  await crawl.crawl();

  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ changed: 2, notModified: 58 });
});
