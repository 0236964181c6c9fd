import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('pages deeper than the limit are not visited, a shorter way counts', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/1']),
    '/1': page('One', ['/2']),
    '/2': page('Two', ['/3']),
    '/3': page('Three'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], limits: { depth: 2 } });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/1', '/2'].map((path) => `${site.origin}${path}`));
  expect(site.count('/3')).toBe(0);
});
