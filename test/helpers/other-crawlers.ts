import { activateCrawler } from '../../src/crawl/activate-crawler.ts';
import { runSlice, type SliceDeps } from '../../src/crawl/run-slice.ts';
import { sweepCrawler } from '../../src/crawl/sweep-crawl.ts';
import type { openCrawl } from './crawl.ts';
import { eventually } from './eventually.ts';
import { silentLog } from './silent-log.ts';

type Crawl = Awaited<ReturnType<typeof openCrawl>>;
type Other = { readonly id: number; readonly engineId: number; readonly customerId: number };

/** One more active crawler in the installation of a test, of an engine and customer of its own. */
export async function addCrawler(crawl: Crawl, other: Other, config: Readonly<Record<string, unknown>>) {
  const { id, engineId, customerId } = other;
  const { accounts, clock, sliceDeps } = crawl;
  const { engineStores, hostHolds, wake } = sliceDeps;
  const engine = { name: `Engine ${engineId}`, language: 'en', settings: {} as never, publicSettings: {} as never };
  await accounts.changeRecords(
    'test',
    [
      { kind: 'put-customer', id: customerId, name: `Customer ${customerId}` },
      { kind: 'put-engine', id: engineId, customerId, ...engine },
      { kind: 'put-crawler', id, engineId, name: `Crawler ${id}`, config },
    ],
    0,
  );
  await activateCrawler({ accounts, engineStores, clock, wake }, { crawlerId: id, actor: 'test' });
  const crawler = await eventually(async () => {
    const found = await sliceDeps.findCrawler(id);
    return found?.active === true && found;
  });
  const store = await engineStores.of(engineId);
  const never = new AbortController().signal;
  return {
    crawler,
    store,
    sweep: () => sweepCrawler({ engineStores, hostHolds, clock, log: silentLog, timezone: 'UTC' }, crawler, never),
    slice: (changes: Partial<SliceDeps> = {}) =>
      runSlice({ ...sliceDeps, ...changes }, { engineId, crawlerId: id, stage: 'page', lane: 1 }, never),
    countDocuments: () => store.countDocuments(id),
  };
}
