import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('a name whose address turns into one that is never allowed is refused from then on', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  const names = { 'a.rebind.example': ['127.0.0.1'] };
  const url = `http://a.rebind.example:${site.port}/`;
  const domains = [`*.rebind.example:${site.port}`];
  await using crawl = await openCrawl({ seeds: [url], domains }, { names, privateNetworks: true });
  await crawl.crawl();
  expect(await crawl.documents()).toEqual([url]);
  const before = site.connections();

  names['a.rebind.example'] = ['169.254.169.254'];
  crawl.clock.skip(61_000);
  await crawl.queue(url);
  await crawl.crawl();

  expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'failed', reason: 'blocked-address' });
  expect(site.connections()).toBe(before);
  expect(await crawl.documents()).toEqual([url]);
});
