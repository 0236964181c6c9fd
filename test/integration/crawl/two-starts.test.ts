import { expect, test } from 'vitest';
import { activateCrawler } from '../../../src/crawl/activate-crawler.ts';
import { startRun } from '../../../src/crawl/start-run.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const SCHEDULED = { kind: 'full', startedBy: 'schedule', whenBusy: 'skip' } as const;

test('a run that two have found due at the same time is one run', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  const crawler = await crawl.crawler();
  const start = () => startRun(crawl.sliceDeps, crawler, SCHEDULED);

  const started = await Promise.all([start(), start()]);

  expect(started.filter((run) => run !== undefined)).toHaveLength(1);
  expect(await crawl.store.livingRunsOf(crawl.crawlerId)).toHaveLength(1);
});

test('an activation that is overtaken by a deactivation leaves no run behind', async () => {
  await using crawl = await openCrawl({ seeds: ['https://site.example/'], schedule: MANUAL }, { active: false });
  const { accounts, sliceDeps, crawlerId } = crawl;
  const overtaken: typeof accounts = {
    ...accounts,
    changeRecords: async (...change) => {
      const ids = await accounts.changeRecords(...change);
      await crawl.deactivate();
      return ids;
    },
  };

  const crawler = await activateCrawler({ ...sliceDeps, accounts: overtaken }, { crawlerId, actor: 'test' });

  expect(crawler.active).toBe(false);
  expect(await crawl.store.livingRunsOf(crawlerId)).toEqual([]);
});
