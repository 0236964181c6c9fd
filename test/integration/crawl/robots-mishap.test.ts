import { expect, test } from 'vitest';
import { crawledSite } from '../../helpers/crawled-site.ts';
import { reportFigure } from '../../helpers/scorecard.ts';

test('a robots.txt that forbids everything during one run costs that run only: the next full run visits all', async () => {
  await using shared = await crawledSite(20);
  const { site, crawl, paths } = shared;
  const text = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });
  const documents = await crawl.documents();
  site.set('/robots.txt', text('User-agent: *\nDisallow: /\n'));
  crawl.clock.skip(2 * 3_600_000);
  await crawl.run();
  await crawl.crawl();
  expect(await crawl.documents()).toEqual(documents);
  const before = await crawl.visitsOf(site.origin, ...paths);
  site.set('/robots.txt', text('User-agent: *\nAllow: /\n'));

  crawl.clock.skip(2 * 3_600_000);
  await crawl.run();
  await crawl.crawl();

  const after = await crawl.visitsOf(site.origin, ...paths);
  const visited = after.filter((visits, place) => visits > (before[place] ?? 0)).length;
  const states = await Promise.all(paths.map((path) => crawl.store.findUrl(crawl.crawlerId, shared.url(path))));
  expect(visited).toBe(paths.length);
  expect(states.every((record) => record?.facts.state === 'live')).toBe(true);
  reportFigure('crawling.robots-mishap', `${visited} of ${paths.length} pages visited by the next full run`);
});
