import type { CrawlOrder, PreparedCrawl } from '../contestant.ts';
import { prepareFossick } from '../crawl-fossick.ts';

/** Fossick as it is, extraction included. */
export function prepare(order: CrawlOrder): Promise<PreparedCrawl> {
  return prepareFossick(order);
}
