import type { Crawler, Engine } from '../core/records.ts';
import type { AccountSnapshots } from './engine-snapshot.ts';

export type CrawlerAccess = { readonly crawler: Crawler; readonly engine: Engine };

/** The crawler with its engine; undefined when there is none, or when it is another customer's. */
export async function findCrawler(
  deps: { readonly accounts: Pick<AccountSnapshots, 'read'> },
  customerId: number,
  crawlerId: number,
): Promise<CrawlerAccess | undefined> {
  const { enginesById, crawlersById } = await deps.accounts.read();
  const crawler = crawlersById.get(crawlerId);
  if (crawler?.customerId !== customerId) return undefined;
  const engine = enginesById.get(crawler.engineId);
  return engine && { crawler, engine };
}
