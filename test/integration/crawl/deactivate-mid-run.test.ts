import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { slow, startSiteServer } from '../../helpers/site-server.ts';

const paths = Array.from({ length: 300 }, (_, i) => `/p${i}`);

test('deactivation ends fetching within 2 s, discards what waits, and keeps the documents', async () => {
  await using site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, slow(50, page(`Page ${path}`))])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.sweep();
  const slice = crawl.slice();
  await eventually(() => site.requests.length > 40);
  await crawl.queue(`${site.origin}/p298`);

  await crawl.deactivate();
  const at = Date.now();
  await slice;
  const stored = await crawl.documents();
  await crawl.queue(`${site.origin}/p299`);
  await crawl.crawl();

  expect(site.requests.at(-1)!.at - at).toBeLessThan(2_000);
  expect(site.requests.length).toBeLessThan(paths.length);
  expect(stored.length).toBeGreaterThan(0);
  expect(await crawl.store.crawlersWithRows()).toEqual([]);
  expect(await crawl.store.livingRuns()).toEqual([]);

  const before = [site.count('/p298'), site.count('/p299')];
  expect(before).toEqual([0, 0]);
  await crawl.activate();
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(paths.length + 1);
  expect([site.count('/p298'), site.count('/p299')]).toEqual([1, 1]);
});
