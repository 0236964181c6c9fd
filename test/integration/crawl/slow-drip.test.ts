import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { HOSTILE_PAGES, routesOf, SHORT_TIMEOUTS } from '../../helpers/hostile-pages.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const DRIPS = ['/drip', '/drip-headers', '/stalled', '/silent'];

test('a site that drips is left within the time of a page, tried again later, and keeps its documents', async () => {
  await using site = await startSiteServer({
    '/': page('Home', DRIPS),
    ...Object.fromEntries(DRIPS.map((path) => [path, page(`Page ${path}`)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], timeouts: SHORT_TIMEOUTS });
  await crawl.crawl();
  const routes = routesOf(HOSTILE_PAGES);
  for (const path of DRIPS) site.set(path, routes[path] ?? page('Missing'));

  await crawl.queue(...DRIPS.map((path) => site.origin + path));
  await crawl.slice(0);

  const visits = await Promise.all(DRIPS.map((path) => crawl.lastVisit(site.origin + path)));
  for (const visit of visits) expect(visit).toMatchObject({ outcome: 'deferred', reason: 'timeout' });
  expect(await crawl.documents()).toHaveLength(DRIPS.length + 1);
});
