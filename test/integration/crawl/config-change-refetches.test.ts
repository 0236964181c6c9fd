import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { type Behaviour, sendPage, startSiteServer } from '../../helpers/site-server.ts';
import { sitemap } from '../../helpers/sitemap.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

const tagged: Behaviour = (request, response) => {
  const isKnown = request.headers['if-none-match'] === '"1"';
  sendPage(response, isKnown ? { status: 304 } : { ...page('Same page'), headers: { etag: '"1"' } });
};

test('pages that were read under other content settings are read anew, without validators', async () => {
  await using site = await startSiteServer({ '/': tagged });
  const settings = { seeds: [`${site.origin}/`], schedule: MANUAL };
  await using crawl = await openCrawl(settings);
  await crawl.crawl();
  await crawl.change({ ...settings, language: 'de' });
  crawl.clock.skip(1_000);

  await crawl.run();
  await crawl.crawl();

  expect(site.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
  expect((await crawl.store.findDocument(17, `${site.origin}/`))?.language).toBe('de');
});

test('an unchanged sitemap is read anew when the scope has changed', async () => {
  await using site = await startSiteServer({ '/docs': page('Docs'), '/blog': page('Blog') });
  const { body = '' } = sitemap(site.origin, { '/docs': '', '/blog': '' });
  site.set('/sitemap.xml', (request, response) => {
    const isKnown = request.headers['if-none-match'] === '"1"';
    sendPage(response, isKnown ? { status: 304 } : { body, headers: { etag: '"1"' } });
  });
  const settings = { sitemaps: 'auto', seeds: [`${site.origin}/docs`], schedule: MANUAL };
  await using crawl = await openCrawl({ ...settings, include: ['/docs'] });
  await crawl.crawl();
  expect(await crawl.documents()).toEqual([`${site.origin}/docs`]);
  await crawl.change(settings);
  crawl.clock.skip(1_000);

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/blog`, `${site.origin}/docs`]);
});
