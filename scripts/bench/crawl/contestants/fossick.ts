import type { CrawlOrder, PreparedCrawl } from '../contestant.ts';
import { prepareFossick } from '../crawl-fossick.ts';
import { leanExtract } from '../lean-extract.ts';

/** Fossick up to the record of visits, with as little extraction as the floor does. */
export function prepare(order: CrawlOrder): Promise<PreparedCrawl> {
  return prepareFossick(order, { extract: leanExtract });
}
