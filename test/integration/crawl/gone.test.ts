import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite, HOUR } from '../../helpers/crawled-site.ts';
import { reportFigure } from '../../helpers/scorecard.ts';
import { sendPage } from '../../helpers/site-server.ts';

const DAY = 24 * HOUR;

test('410 is confirmed after half of the time', async () => {
  await using shared = await crawledSite(10);
  shared.site.set('/p3', { status: 410 });
  await shared.round();

  shared.crawl.clock.skip(HOUR + 60_000);
  await shared.crawl.crawl();

  expect(await shared.stateOf('/p3')).toBe('gone');
});

test('a page that is gone and that nothing names is visited again after a day, and its document is made anew', async () => {
  await using shared = await crawledSite(10);
  shared.site.set('/p3', { status: 410 });
  shared.site.set(
    '/',
    page(
      'Home',
      shared.paths.filter((path) => path !== '/p3'),
    ),
  );
  await shared.round();
  await shared.recheck();
  const visits = shared.site.count('/p3');
  await shared.round();
  expect(shared.site.count('/p3')).toBe(visits);
  shared.site.set('/p3', page('Page /p3'));

  shared.crawl.clock.skip(DAY + 60_000);
  await shared.round();

  expect(await shared.crawl.documents()).toContain(shared.url('/p3'));
  expect(await shared.stateOf('/p3')).toBe('live');
});

/** A site of which one page is gone for good, and that a sitemap lists where nothing links to its pages. */
async function siteWithGonePage(from: string) {
  const shared = await crawledSite(10, from === 'sitemap' ? { sitemaps: 'auto' } : {});
  const { site, paths, url } = shared;
  const urls = paths.map((path) => `<url><loc>${url(path)}</loc></url>`).join('');
  if (from === 'sitemap') {
    site.set('/', page('Home'));
    const headers = { 'content-type': 'application/xml', etag: '"1"' };
    site.set('/sitemap.xml', (request, response) => {
      const isKnown = request.headers['if-none-match'] === '"1"';
      sendPage(response, isKnown ? { status: 304, headers } : { headers, body: `<urlset>${urls}</urlset>` });
    });
  }
  site.set('/p3', { status: 404 });
  await shared.round();
  await shared.recheck();
  expect(await shared.stateOf('/p3')).toBe('gone');
  return shared;
}

test.each(['links', 'sitemap'])('a page that is back and named by %s is found by the next full run', async (from) => {
  await using shared = await siteWithGonePage(from);
  shared.site.set('/p3', page('Page /p3'));

  await shared.round();

  expect(await shared.crawl.documents()).toContain(shared.url('/p3'));
  expect(await shared.stateOf('/p3')).toBe('live');
  reportFigure('crawling.page-back', `named by ${from}: found by the next full run`);
});

test.each(['links', 'sitemap'])('a page that stays gone costs a full run one request: %s', async (from) => {
  await using shared = await siteWithGonePage(from);
  const before = shared.site.count('/p3');

  for (let run = 1; run <= 3; run++) {
    await shared.round();
    expect(shared.site.count('/p3') - before).toBe(run);
  }
});

test('a page that is back and that another page links to anew is found by the same run', async () => {
  await using shared = await crawledSite(10);
  const { site, paths } = shared;
  site.set('/p3', { status: 404 });
  site.set(
    '/',
    page(
      'Home',
      paths.filter((path) => path !== '/p3'),
    ),
  );
  await shared.round();
  await shared.recheck();
  expect(await shared.stateOf('/p3')).toBe('gone');
  site.set('/p3', page('Page /p3'));
  site.set('/p5', page('Page /p5', ['/p3']));

  await shared.round();

  expect(await shared.stateOf('/p3')).toBe('live');
});

test('a page that has been gone for longer than its removal can be undone waits for its time', async () => {
  await using shared = await siteWithGonePage('links');
  const { crawl, site } = shared;
  await crawl.store.expireRemovals(crawl.crawlerId, crawl.clock.now() + 1, 100);
  const visits = site.count('/p3');

  await shared.round();

  expect(site.count('/p3')).toBe(visits);
});
