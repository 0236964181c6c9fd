import type { CrawlOrder, PreparedCrawl } from '../contestant.ts';
import { prepareFossick } from '../crawl-fossick.ts';
import { leanExtract } from '../lean-extract.ts';
import { runPlainLoop } from '../plain-loop.ts';

/** The same without Crawlee's loop. */
export function prepare(order: CrawlOrder): Promise<PreparedCrawl> {
  return prepareFossick(order, { extract: leanExtract, runPageLoop: runPlainLoop });
}
