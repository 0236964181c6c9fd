import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const canonical = (href: string) => `<link rel="canonical" href="${href}">`;

test.each([
  ['is not there', { status: 404 }],
  ['may not be indexed', page('Target', [], '<meta name="robots" content="noindex">')],
])('a page whose canonical URL %s has a document of its own', async (_what, target) => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a', '/b']),
    '/a': page('Alpha', [], canonical('/target')),
    '/b': page('Beta', [], canonical('/target')),
    '/target': target,
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/a', '/b'].map((path) => site.origin + path));
  const record = await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/a`);
  expect(record?.facts).toMatchObject({ state: 'live', reason: 'canonical-broken' });
});
