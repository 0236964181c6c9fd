import { expect, test } from 'vitest';
import { crawlerStatus } from '../../../src/crawl/crawler-status.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { crawledSite, HOUR } from '../../helpers/crawled-site.ts';
import { reportFigure } from '../../helpers/scorecard.ts';
import { type Route, startSiteServer } from '../../helpers/site-server.ts';

type Shared = Awaited<ReturnType<typeof crawledSite>>;

async function closedSite(route: Route) {
  const shared = await crawledSite(10);
  for (const path of ['/', ...shared.paths]) shared.site.set(path, route);
  await shared.round();
  return shared;
}

async function statusOf({ crawl }: Pick<Shared, 'crawl'>) {
  return crawlerStatus(crawl.lookDeps, await crawl.crawler());
}

test.each<[string, Route]>([
  ['not-found', { status: 404 }],
  ['noindex', page('Home', [], '<meta name="robots" content="noindex">')],
])(
  'a site that answers %s for all pages is told to be closed, with what lets its documents go',
  async (reason, route) => {
    await using shared = await closedSite(route);

    const [first] = (await statusOf(shared)).warnings;
    expect(first).toContain(
      `The site of crawler 17 seems closed: 11 of 11 pages answer ${reason}, and their documents stay`,
    );
    for (let hours = 0; hours < 36; hours += 3) await shared.recheck();

    const { warnings, removals, documents } = await statusOf(shared);
    expect(warnings[0]).toContain('fossick crawler approve-removals 17 --all (if it is closed for good)');
    expect([documents, removals.get('held')]).toEqual([11, 11]);
    reportFigure('crawling.site-closed', `${removals.get('held')} of 11 documents wait for the operator, 0 left`);
  },
);

test('the outcomes of a run add up to its visits when every page is missing', async () => {
  await using shared = await closedSite({ status: 404 });

  const [run] = await shared.crawl.store.scheduledRuns(shared.crawl.crawlerId, 1);

  expect(run).toMatchObject({ visited: 11, suspected: 11 });
});

test('a site that is back after a day is told of no more, and none of its documents waits', async () => {
  await using shared = await closedSite({ status: 404 });
  for (let hours = 0; hours < 36; hours += 3) await shared.recheck();
  shared.site.set('/', page('Home', shared.paths));
  for (const path of shared.paths) shared.site.set(path, page(`Page ${path}`));
  shared.crawl.clock.skip(HOUR);

  await shared.round();

  const { warnings, removals, documents } = await statusOf(shared);
  expect([warnings, documents, removals.get('held')]).toEqual([[], 11, undefined]);
});

test.each(['links', 'sitemap'])('pages beyond the limit of a run are counted and told: %s', async (from) => {
  const paths = Array.from({ length: 40 }, (_, i) => `/p${i}`);
  await using site = await startSiteServer({
    '/': page('Home', from === 'links' ? paths : []),
    ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])),
  });
  const urls = paths.map((path) => `<url><loc>${site.origin}${path}</loc></url>`).join('');
  site.set('/map.xml', { headers: { 'content-type': 'application/xml' }, body: `<urlset>${urls}</urlset>` });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    limits: { pages: 12 },
    ...(from === 'sitemap' && { sitemaps: [`${site.origin}/map.xml`] }),
  });
  for (let run = 0; run < 2; run++) {
    await crawl.crawl();
    const [last] = await crawl.store.scheduledRuns(crawl.crawlerId, 1);
    expect(JSON.parse(last?.summary ?? '{}').left).toEqual({ 'page-limit': 29 });
    await crawl.run();
  }

  const { warnings } = await statusOf({ crawl });

  expect(warnings[0]).toContain('left about 29 pages out');
  reportFigure('crawling.page-limit', '29 of 29 pages beyond the limit counted');
});
