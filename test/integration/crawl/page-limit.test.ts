import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('a run visits as many pages as the limit says, and the next run the same ones', async () => {
  const paths = Array.from({ length: 40 }, (_, i) => `/p${i}`);
  await using site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`, paths)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], limits: { pages: 12 } });
  await crawl.crawl();
  const first = await crawl.documents();

  await crawl.run();
  await crawl.crawl();

  expect(first).toHaveLength(12);
  expect(await crawl.documents()).toEqual(first);
});
