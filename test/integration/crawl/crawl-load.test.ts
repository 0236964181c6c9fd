import { expect, test } from 'vitest';
import { readCrawlLoad } from '../../../src/crawl/crawl-load.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('the load of the crawlers tells busy slices, held hosts, the oldest row that is due, and runs by state', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a', '/b']),
    '/a': { status: 429 },
    '/b': { status: 429 },
  });
  const schedule = { full: 'manual', incremental: 'manual' };
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule });
  const load = async () => readCrawlLoad(crawl.lookDeps);
  await crawl.sweep();
  crawl.clock.skip(30_000);
  expect((await load()).oldestDueSeconds.get('page')).toBeGreaterThanOrEqual(30);

  await crawl.crawl();
  const lane = { crawlerId: 17, stage: 'page', lane: 3, holder: 'test', now: crawl.clock.now() } as const;
  await crawl.store.takeLane(lane);

  const { slicesBusy, hostsHeld, oldestDueSeconds, runs } = await load();
  expect(slicesBusy).toEqual(new Map([['page', 1]]));
  expect(hostsHeld).toEqual(new Map([['rate-limited', 1]]));
  expect(oldestDueSeconds.get('page')).toBe(0);
  expect(runs).toEqual([{ kind: 'full', state: 'running', count: 1 }]);
});
