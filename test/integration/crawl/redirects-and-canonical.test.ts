import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';

const canonical = (href: string) => `<link rel="canonical" href="${href}">`;
const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('the document of a redirect is its target, and the source points there', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/old']),
    '/old': redirectTo('/middle', 301),
    '/middle': redirectTo('/new', 302),
    '/new': page('New'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/new`]);
  const record = await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/old`);
  expect(record).toMatchObject({ targetUrl: `${site.origin}/new`, facts: { state: 'alias', reason: 'redirect' } });
});

test('a loop of redirects ends by itself', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a']),
    '/a': redirectTo('/b'),
    '/b': redirectTo('/a'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.lastVisit(`${site.origin}/a`)).toMatchObject({ outcome: 'failed', reason: 'redirect-loop' });
});

test('a document leaves when its page redirects to one that is live, not before', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/old']), '/old': page('Old') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  site.set('/old', redirectTo('/new', 301));
  site.set('/new', page('New'));
  crawl.clock.skip(1_000);

  await crawl.run();
  await crawl.crawl();
  expect(await crawl.documents()).toEqual(['/', '/new', '/old'].map((path) => `${site.origin}${path}`));
  crawl.clock.skip(1_000);
  await crawl.run();
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/new`]);
});

test('a canonical link makes the page an alias; the document is made from the own answer of its target', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/item?view=print']),
    '/item': page('Item', [], canonical('/item')),
    '/item?view=print': page('Item in print', ['/linked'], canonical('/item')),
    '/linked': page('Linked'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/item', '/linked'].map((path) => `${site.origin}${path}`));
  const found = await crawl.store.findDocument(crawl.crawlerId, `${site.origin}/item`);
  expect(found?.fields.get('Title')).toEqual(['Item']);
});

test('a canonical link of another site, or to a page that names this one, changes nothing', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a'], canonical('https://elsewhere.example/')),
    '/a': page('Alpha', [], canonical('/b')),
    '/b': page('Beta', [], canonical('/a')),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/b`]);
});
