import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';

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

test('a redirect to what robots.txt forbids is not followed', async () => {
  await using site = await startSiteServer({
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /closed' },
    '/': page('Home', ['/a']),
    '/a': redirectTo('/closed'),
    '/closed': page('Closed'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(site.count('/closed')).toBe(0);
  expect(await crawl.lastVisit(`${site.origin}/a`)).toMatchObject({ outcome: 'failed', reason: 'redirected-out' });
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

test('a redirect for today keeps the document until a second run sees it', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/old', '/new']),
    '/old': page('Old'),
    '/new': page('New'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  site.set('/old', redirectTo('/new', 302));
  const visitAgain = async () => {
    crawl.clock.skip(3_600_000);
    await crawl.run();
    await crawl.crawl();
    return crawl.documents();
  };

  expect(await visitAgain()).toContain(`${site.origin}/old`);
  expect(await visitAgain()).toEqual([`${site.origin}/`, `${site.origin}/new`]);
});
