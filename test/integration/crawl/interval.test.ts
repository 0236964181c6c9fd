import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const HOUR = 3_600_000;

test('pages are visited on an interval that grows without changes and shrinks with them', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/calm', '/busy']), '/calm': page('Calm') });
  let version = 0;
  site.set('/busy', (_request, response) => response.end(page(`Busy ${version++}`).body));
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  const counts: number[][] = [];

  for (const hours of [1, 24, 13, 12, 12]) {
    crawl.clock.skip(hours * HOUR);
    await crawl.run('incremental');
    await crawl.crawl();
    counts.push(await crawl.visitsOf(site.origin, '/calm', '/busy'));
  }

  // After 1, 25, 38, 50 and 62 h; the second visits are at 25 h, then 36 h and 12 h later.
  expect(counts).toEqual([
    [1, 1],
    [2, 2],
    [2, 3],
    [2, 4],
    [3, 5],
  ]);
});

test('a page that often brings new links is visited in every incremental run', async () => {
  const items: string[] = [];
  await using site = await startSiteServer({ '/': page('Home', ['/news', '/about']), '/about': page('About') });
  site.set('/news', (_request, response) => response.end(page('News', items).body));
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();

  for (const [at, hours] of [25, 1, 1].entries()) {
    items.push(`/item-${at}`);
    site.set(`/item-${at}`, page(`Item ${at}`));
    crawl.clock.skip(hours * HOUR);
    await crawl.run('incremental');
    await crawl.crawl();
  }

  expect(await crawl.visitsOf(site.origin, '/news', '/about')).toEqual([4, 2]);
  expect(await crawl.documents()).toContain(`${site.origin}/item-2`);
});
