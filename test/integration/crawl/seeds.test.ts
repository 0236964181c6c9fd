import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('a crawl stores the pages that are linked from the seed, with their fields', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a', '/b']),
    '/a': page('Alpha', ['/c']),
    '/b': page('Beta', ['/', '/a']),
    '/c': page('Gamma'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/a', '/b', '/c'].map((path) => `${site.origin}${path}`));
  const found = await crawl.store.findDocument(crawl.crawlerId, `${site.origin}/c`);
  expect(Object.fromEntries(found?.fields ?? [])).toMatchObject({
    Title: ['Gamma'],
    Url: [`${site.origin}/c`],
    Domain: ['127.0.0.1'],
    Language: ['en'],
  });
  expect(found).toMatchObject({ kind: 'PageContent', origin: 'crawled', language: 'en' });
  for (const path of ['/', '/a', '/b', '/c', '/robots.txt']) expect([path, site.count(path)]).toEqual([path, 1]);
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({
    kind: 'full',
    state: 'finished',
    visited: 4,
    added: 4,
    found: 4,
    open: 0,
  });
});

test('without following links nothing but seeds, lists and queued URLs is visited', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': page('Alpha'), '/b': page('Beta') });
  site.set('/sitemap.xml', { body: `<urlset><url><loc>${site.origin}/b</loc></url></urlset>` });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], sitemaps: 'auto', followLinks: false });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/b`]);
});
