import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { type Page, startSiteServer } from '../../helpers/site-server.ts';
import { rssFeed } from '../../helpers/sitemap.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const HOUR = 3_600_000;

test.each<[string, string, (origin: string) => Page]>([
  ['RSS', 'application/rss+xml', (origin) => rssFeed(origin, { '/news-1': 'Mon, 01 Jan 2024 10:00:00 GMT' })],
  [
    'Atom',
    'application/atom+xml',
    (origin) => ({
      body: `<feed xmlns="http://www.w3.org/2005/Atom"><link href="${origin}/not-this"/><entry><title>N</title>
<link rel="self" href="${origin}/nor-this"/><link href="${origin}/news-1"/><updated>2024-01-01T10:00:00Z</updated></entry></feed>`,
    }),
  ],
  [
    'JSON Feed',
    'application/feed+json',
    (origin) => ({
      headers: { 'content-type': 'application/feed+json' },
      body: JSON.stringify({
        version: '1.1',
        items: [{ id: '1', url: `${origin}/news-1`, date_published: '2024-01-01' }],
      }),
    }),
  ],
])('pages that a feed of the seed page names are found: %s', async (_name, type, feed) => {
  await using site = await startSiteServer({ '/news-1': page('First news') });
  site.set('/', page('Home', [], `<link rel="alternate" type="${type}" href="/feed">`));
  site.set('/feed', feed(site.origin));
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/news-1`]);
  expect(await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/news-1`)).toMatchObject({
    origin: 'feed',
    depth: 0,
  });
  expect(site.requests.some(({ path }) => path.endsWith('-this'))).toBe(false);
});

test('new and newer entries are visited in the next incremental run, also when the seed page is as it was', async () => {
  const feed = '<link rel="alternate" type="application/rss+xml" href="/feed">';
  await using site = await startSiteServer({ '/': page('Home', [], feed), '/old': page('Old'), '/calm': page('Calm') });
  const dates: Record<string, string> = {
    '/old': 'Mon, 01 Jan 2024 10:00:00 GMT',
    '/calm': 'Mon, 01 Jan 2024 10:00:00 GMT',
  };
  site.set('/feed', rssFeed(site.origin, dates));
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  crawl.clock.skip(2 * HOUR);
  const now = new Date(crawl.clock.now() - HOUR).toUTCString();
  site.set('/old', page('Old, but changed'));
  site.set('/new', page('New'));
  site.set('/feed', rssFeed(site.origin, { ...dates, '/old': now, '/new': now }));

  await crawl.run('incremental');
  await crawl.crawl();

  expect(await crawl.documents()).toContain(`${site.origin}/new`);
  expect(await crawl.visitsOf(site.origin, '/old', '/calm')).toEqual([2, 1]);
});

test('named feeds are read instead of those of the seed pages, and none when they are switched off', async () => {
  await using site = await startSiteServer({ '/a': page('Alpha'), '/b': page('Beta') });
  site.set('/', page('Home', [], '<link rel="alternate" type="application/rss+xml" href="/feed">'));
  site.set('/feed', rssFeed(site.origin, { '/a': '' }));
  site.set('/own', rssFeed(site.origin, { '/b': '' }));
  const settings = { seeds: [`${site.origin}/`], schedule: MANUAL };
  await using crawl = await openCrawl({ ...settings, feeds: [`${site.origin}/own`] });
  await crawl.crawl();
  await crawl.change({ ...settings, feeds: 'off' });
  await crawl.run();
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/b`]);
  expect([site.count('/feed'), site.count('/own')]).toEqual([0, 1]);
});
