import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('a run that waits too long ends, and its documents stay', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a']),
    '/a': { status: 503, headers: { 'retry-after': '3600' } },
  });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    limits: { runMinutes: 30 },
    schedule: { full: 'manual', incremental: 'manual' },
  });
  await crawl.crawl();
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ state: 'running', open: 1 });

  crawl.clock.skip(31 * 60_000);
  await crawl.crawl();

  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ state: 'finished', open: 0 });
  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});

test('a run that was missed while nothing ran is started once', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    schedule: { full: 'every 6h', incremental: 'manual' },
  });
  await crawl.crawl();

  crawl.clock.skip(5 * 3_600_000);
  await crawl.crawl();
  expect(site.count('/')).toBe(1);
  crawl.clock.skip(20 * 3_600_000);
  await crawl.crawl();
  await crawl.crawl();

  expect(site.count('/')).toBe(2);
  const runs = await crawl.store.listRuns(crawl.crawlerId, 10);
  expect(runs.map(({ kind, startedBy }) => [kind, startedBy])).toEqual([
    ['full', 'schedule'],
    ['full', 'test'],
  ]);
});
