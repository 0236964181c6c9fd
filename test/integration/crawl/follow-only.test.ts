import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('pages that `noIndex` names are read for their links only', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/list']),
    '/list': page('List', ['/item']),
    '/item': page('Item'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], noIndex: ['/list'] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/item`]);
  expect(await crawl.lastVisit(`${site.origin}/list`)).toMatchObject({ outcome: 'skipped', reason: 'follow-only' });
});
