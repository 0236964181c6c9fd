import type { UrlState } from '../core/crawl-words.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import { normalizeUrl } from '../core/url.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { LoggedVisit, Run, UrlRecord } from '../storage/run-store.ts';
import { compileCrawlRules } from './crawl-rules.ts';
import { REASON_TEXTS, type ReasonText } from './reasons.ts';

export type CrawlerStatus = {
  /** The newest run, also one of queued URLs. */
  readonly run: Run | undefined;
  /** Newest first. */
  readonly runs: readonly Run[];
  readonly documents: number;
  readonly urls: ReadonlyMap<UrlState, number>;
  readonly lastVisits: readonly LoggedVisit[];
};

export type UrlStatus = {
  readonly record: UrlRecord;
  /** Of the record's reason. */
  readonly text: ReasonText;
  /** Newest first. */
  readonly visits: readonly LoggedVisit[];
};

const RUNS = 5;
const VISITS = 20;
const VISITS_OF_URL = 8;

/** What a crawler is doing and has done. */
export async function crawlerStatus(
  deps: { readonly engineStores: Pick<EngineStores, 'of'> },
  crawler: Crawler,
): Promise<CrawlerStatus> {
  const store = await deps.engineStores.of(crawler.engineId);
  const runs = await store.listRuns(crawler.id, RUNS);
  return {
    run: runs[0],
    runs,
    documents: await store.countDocuments(crawler.id),
    urls: await store.countUrls(crawler.id),
    lastVisits: await store.listVisits({ crawlerId: crawler.id, limit: VISITS }),
  };
}

/**
 * What is known of one URL; undefined when the crawler has never seen it.
 * @throws AppError `request.invalid` when the text is no http or https URL
 */
export async function urlStatus(
  deps: { readonly engineStores: Pick<EngineStores, 'of'> },
  crawler: Crawler,
  text: string,
): Promise<UrlStatus | undefined> {
  const url = normalizeUrl(text, compileCrawlRules(crawler).urlRules);
  if (url === undefined) throw new AppError('request.invalid', 'url must be an absolute http or https URL');
  const store = await deps.engineStores.of(crawler.engineId);
  const record = await store.findUrl(crawler.id, url);
  if (record === undefined) return undefined;
  const visits = await store.listVisits({ crawlerId: crawler.id, urlId: record.id, limit: VISITS_OF_URL });
  return { record, text: REASON_TEXTS[record.facts.reason], visits };
}
