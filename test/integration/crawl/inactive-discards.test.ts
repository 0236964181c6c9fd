import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('an inactive crawler discards queued URLs for good, and the log says so', async () => {
  await using site = await startSiteServer({ '/': page('Home'), '/queued': page('Queued') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] }, { active: false });

  const rows = await crawl.queue(`${site.origin}/queued`);
  await crawl.crawl();
  await crawl.activate();
  await crawl.crawl();

  expect(rows).toEqual([{ url: `${site.origin}/queued`, status: 'Ok' }]);
  expect(site.count('/queued')).toBe(0);
  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
  const visits = await crawl.store.listVisits({ crawlerId: crawl.crawlerId, limit: 10 });
  expect(visits.find(({ outcome }) => outcome === 'discarded')).toMatchObject({
    url: `${site.origin}/queued`,
    reason: 'inactive',
  });
});

test('a late request for a run of an inactive crawler ends without effect', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] }, { active: false });

  expect(await crawl.run()).toBeUndefined();
  await crawl.crawl();

  expect(site.requests).toEqual([]);
});
