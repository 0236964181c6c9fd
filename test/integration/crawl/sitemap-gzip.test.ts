import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { sitemap, sitemapIndex } from '../../helpers/sitemap.ts';

test('gzipped sitemaps are read whatever their name and media type say, and so are lists of lines', async () => {
  await using site = await startSiteServer({
    '/': page('Home'),
    ...Object.fromEntries(['/a', '/b', '/c'].map((path) => [path, page(`Page ${path}`)])),
  });
  const zipped = (path: string) => gzipSync(sitemap(site.origin, { [path]: '2024-01-01' }).body as string);
  site.set('/sitemap.xml', sitemapIndex(site.origin, ['/a.xml.gz', '/b.xml', '/c.txt']));
  site.set('/a.xml.gz', { headers: { 'content-type': 'application/gzip' }, body: zipped('/a') });
  site.set('/b.xml', { headers: { 'content-type': 'text/plain' }, body: zipped('/b') });
  site.set('/c.txt', { headers: { 'content-type': 'text/plain' }, body: `\n${site.origin}/c\nno address\n` });
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/a', '/b', '/c'].map((path) => `${site.origin}${path}`));
});
