import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('a page that says noindex gives no document, its links are followed', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/list', '/header']),
    '/list': page('List', ['/item'], '<meta name="robots" content="noindex">'),
    '/header': { ...page('Header'), headers: { 'x-robots-tag': 'noindex' } },
    '/item': page('Item'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/item`]);
  expect(await crawl.lastVisit(`${site.origin}/list`)).toMatchObject({ outcome: 'skipped', reason: 'noindex' });
});

test('a later noindex removes the document at the second sighting', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': page('Alpha') });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    schedule: { full: 'manual', incremental: 'manual' },
  });
  await crawl.crawl();
  site.set('/a', page('Alpha', [], '<meta name="robots" content="noindex">'));
  crawl.clock.skip(1_000);

  await crawl.run();
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(2);
  crawl.clock.skip(2 * 3_600_000 + 1_000);
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});
