import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('links with nofollow, and of pages that say nofollow, are not followed', async () => {
  await using site = await startSiteServer({
    '/': {
      body: '<title>Home</title><p>Words of the home page that are long enough.</p><a rel="nofollow" href="/a">a</a><a href="/b">b</a>',
    },
    '/a': page('Alpha'),
    '/b': page('Beta', ['/c'], '<meta name="robots" content="nofollow">'),
    '/c': page('Gamma'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/b`]);
  expect([site.count('/a'), site.count('/c')]).toEqual([0, 0]);
});
