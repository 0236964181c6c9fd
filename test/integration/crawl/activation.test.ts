import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { slow, startSiteServer } from '../../helpers/site-server.ts';

const paths = Array.from({ length: 300 }, (_, i) => `/p${i}`);

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

test('deactivation ends fetching within 2 s, discards what waits, and keeps the documents', async () => {
  await using site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, slow(50, page(`Page ${path}`))])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.sweep();
  const slice = crawl.slice();
  await eventually(() => site.requests.length > 40);

  await crawl.deactivate();
  const at = Date.now();
  expect((await slice).end).toBe('stopped');
  const stored = await crawl.documents();
  await crawl.queue(`${site.origin}/p299`);
  await crawl.crawl();

  expect(site.requests.at(-1)!.at - at).toBeLessThan(2_000);
  expect(site.requests.length).toBeLessThan(paths.length);
  expect(stored.length).toBeGreaterThan(0);
  expect(await crawl.store.crawlersWithRows()).toEqual([]);

  const before = site.count('/p299');
  await crawl.activate();
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(paths.length + 1);
  expect(site.count('/p299')).toBe(before + 1);
});
