import { expect, test } from 'vitest';
import { openCrawl } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { html, ownText } from '../../helpers/trap-site.ts';

const HOME_AS_CANONICAL = '<link rel="canonical" href="/">';
const PATHS = ['/a', '/b', '/news/1', '/news/2', '/shop/x', '/shop/y'];
const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('different pages that all name the home page as canonical keep documents of their own, run after run', async () => {
  await using site = await startSiteServer({
    '/': html('Home', ownText(50), PATHS, HOME_AS_CANONICAL),
    ...Object.fromEntries(PATHS.map((path, n) => [path, html(`Page ${path}`, ownText(n), [], HOME_AS_CANONICAL)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  const expected = ['/', ...PATHS].map((path) => site.origin + path);

  await crawl.crawl();
  const first = await crawl.documents();
  crawl.clock.skip(3_600_000);
  await crawl.run();
  await crawl.crawl();

  expect(first).toEqual(expected);
  expect(await crawl.documents()).toEqual(expected);
  const record = await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/news/1`);
  expect(record).toMatchObject({ targetUrl: `${site.origin}/`, facts: { state: 'live', reason: 'canonical-shared' } });
});

test('copies of one text that name it as canonical are aliases, however many', async () => {
  const copies = ['/a', '/b', '/news/1', '/news/2', '/shop/x', '/shop/y'];
  const copy = html('Story', ownText(1), [], '<link rel="canonical" href="/story">');
  await using site = await startSiteServer({
    '/': html('Home', ownText(50), copies),
    '/story': html('Story', ownText(1)),
    ...Object.fromEntries(copies.map((path) => [path, copy])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/story`]);
});
