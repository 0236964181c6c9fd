import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('include and exclude say which pages are visited', async () => {
  await using site = await startSiteServer({
    '/docs': page('Home', ['/docs/a', '/docs/private/b', '/blog/c']),
    '/docs/a': page('Alpha'),
    '/docs/private/b': page('Beta'),
    '/blog/c': page('Gamma'),
  });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/docs`],
    include: ['/docs/**'],
    exclude: ['/docs/private/**'],
  });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/docs`, `${site.origin}/docs/a`]);
});
