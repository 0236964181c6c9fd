import type { UrlState } from '../core/crawl-words.ts';
import type { Crawler } from '../core/records.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { Run } from '../storage/run-store.ts';

export type CrawlerStatus = {
  readonly documents: number;
  readonly urls: ReadonlyMap<UrlState, number>;
  /** The newest run, also one of queued URLs. */
  readonly run: Run | undefined;
};

/** What a crawler has made so far and what it is doing. */
export async function crawlerStatus(
  deps: { readonly engineStores: Pick<EngineStores, 'of'> },
  crawler: Crawler,
): Promise<CrawlerStatus> {
  const store = await deps.engineStores.of(crawler.engineId);
  const [run] = await store.listRuns(crawler.id, 1);
  return { documents: await store.countDocuments(crawler.id), urls: await store.countUrls(crawler.id), run };
}
