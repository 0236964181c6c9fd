import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('links to other hosts are not followed, named domains are', async () => {
  await using other = await startSiteServer({ '/in': page('Inside') }, { address: '127.0.0.2' });
  await using foreign = await startSiteServer({ '/out': page('Outside') }, { address: '127.0.0.3' });
  await using site = await startSiteServer({ '/': page('Home', [`${other.origin}/in`, `${foreign.origin}/out`]) });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], domains: [site.host, other.host] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${other.origin}/in`]);
  expect(foreign.requests).toEqual([]);
});
