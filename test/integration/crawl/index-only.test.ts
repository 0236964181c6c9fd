import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('links of pages that `noFollow` names are not followed', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/end']),
    '/end': page('End', ['/beyond']),
    '/beyond': page('Beyond'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], noFollow: ['/end'] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/end`]);
  expect(site.count('/beyond')).toBe(0);
});
