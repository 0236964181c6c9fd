import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { datedSite } from '../../helpers/dated-site.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { sitemap } from '../../helpers/sitemap.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const HOUR = 3_600_000;

test('an incremental run visits what the sitemap announces, once, and nothing else before its time', async () => {
  await using site = await startSiteServer({ '/': page('Home'), '/a': page('Alpha'), '/b': page('Beta') });
  const list = (a: string) => site.set('/sitemap.xml', sitemap(site.origin, { '/a': a, '/b': '2024-01-01' }));
  list('2024-01-01');
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  site.set('/a', page('Changed'));
  crawl.clock.skip(2 * HOUR);
  list(new Date(crawl.clock.now() - HOUR).toISOString());

  for (const _ of [1, 2]) {
    await crawl.run('incremental');
    await crawl.crawl();
    crawl.clock.skip(HOUR);
  }

  expect(await crawl.visitsOf(site.origin, '/a', '/b')).toEqual([2, 1]);
  expect(await crawl.lastVisit(`${site.origin}/a`)).toMatchObject({ outcome: 'changed' });
});

test('with `lastmod: ignore` its times announce nothing', async () => {
  await using site = await startSiteServer({ '/': page('Home'), '/a': page('Alpha') });
  site.set('/sitemap.xml', sitemap(site.origin, { '/a': '2024-01-01' }));
  const settings = { sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL };
  await using crawl = await openCrawl({ ...settings, lastmod: 'ignore' });
  await crawl.crawl();
  crawl.clock.skip(2 * HOUR);
  site.set('/sitemap.xml', sitemap(site.origin, { '/a': new Date(crawl.clock.now()).toISOString() }));

  await crawl.run('incremental');
  await crawl.crawl();

  expect(await crawl.visitsOf(site.origin, '/a')).toEqual([1]);
});

test('dates that agree with those of the pages spare visits, and every announced change is found', async () => {
  await using site = await datedSite(90);
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  crawl.clock.skip(26 * HOUR);
  for (const number of [3, 44, 71]) site.change(number, crawl.clock.now() - HOUR);

  await crawl.run();
  await crawl.crawl();

  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  expect(run).toMatchObject({ state: 'finished', changed: 3 });
  const visits = await crawl.visitsOf(site.origin, ...site.paths);
  const asked = visits.filter((count) => count === 2).length;
  expect(asked).toBeLessThan(60);
  expect(asked).toBeGreaterThan(5);
  expect(await crawl.lastVisit(`${site.origin}${site.paths[visits.indexOf(1)]}`)).toMatchObject({
    outcome: 'unchanged',
    reason: 'lastmod-unchanged',
    bytes: 0,
  });
});

test('every fourth full run asks for all pages, whatever the dates say', async () => {
  await using site = await datedSite(60);
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();

  const total = async () => (await crawl.visitsOf(site.origin, ...site.paths)).reduce((sum, count) => sum + count, 0);
  const asked: number[] = [];
  for (const _ of [2, 3, 4]) {
    const before = await total();
    crawl.clock.skip(HOUR);
    await crawl.run();
    await crawl.crawl();
    asked.push((await total()) - before);
  }

  expect(asked[0]).toBeLessThan(60);
  expect(asked[1]).toBeLessThan(60);
  expect(asked[2]).toBe(60);
});
