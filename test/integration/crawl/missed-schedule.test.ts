import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const HOUR = 3_600_000;

test('a run that was missed while nothing ran is started once', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    schedule: { full: 'every 6h', incremental: 'manual' },
  });
  await crawl.crawl();

  crawl.clock.skip(5 * HOUR);
  await crawl.crawl();
  expect(site.count('/')).toBe(1);
  crawl.clock.skip(20 * HOUR);
  await crawl.crawl();
  await crawl.crawl();

  expect(site.count('/')).toBe(2);
  const runs = await crawl.store.listRuns(crawl.crawlerId, 10);
  expect(runs.map(({ kind, startedBy }) => [kind, startedBy])).toEqual([
    ['full', 'schedule'],
    ['full', 'test'],
  ]);
});

test('many runs of queued URLs hide no scheduled one', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    schedule: { full: 'every 6h', incremental: 'manual' },
  });
  await crawl.crawl();
  const { crawlerId, store } = crawl;
  const { activation, configVersion } = await crawl.crawler();
  for (let i = 0; i < 60; i++) {
    await store.queueUrls({ crawlerId, activation, configVersion, urls: [`${site.origin}/gone`], now: i });
    await store.stopRuns(crawlerId, activation + 1, i);
  }

  await crawl.crawl();

  expect(await store.scheduledRuns(crawlerId, 10)).toHaveLength(1);
});
