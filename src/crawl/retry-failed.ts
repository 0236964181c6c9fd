import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import type { Reason } from '../core/crawl-words.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { Wake } from '../core/wake.ts';
import { type EngineStores, usableStore } from '../storage/engine-store.ts';
import { streamUrls } from './browse-urls.ts';
import { queueUrls } from './queue-urls.ts';

type Deps = { readonly engineStores: Pick<EngineStores, 'of'>; readonly clock: Clock; readonly wake: Wake };

export type RetryFilter = {
  readonly reason: Reason | undefined;
  /** Origin, or host with or without port. */
  readonly host: string | undefined;
};

/** What one call queues; the rest is for the next one. */
const MOST_URLS = 10_000;

/**
 * Has URLs visited again whose last visit failed, ahead of scheduled work. Resolves with how many; durable then.
 * @throws AppError `record.conflict` for a crawler that is not active, which would drop them
 */
export async function retryFailed(
  deps: Deps,
  { crawler, filter }: { readonly crawler: Crawler; readonly filter: RetryFilter },
  signal: AbortSignal,
): Promise<number> {
  const { id: crawlerId, engineId } = crawler;
  if (!crawler.active) throw new AppError('record.conflict', `Crawler ${crawlerId} is not active: activate it first`);
  const urls: string[] = [];
  for await (const rows of streamUrls(deps, { engineId, crawlerId, filter: { ...filter, state: 'failed' } }, signal)) {
    urls.push(...rows.map(({ url }) => url));
    if (urls.length >= MOST_URLS) break;
  }
  for (let at = 0; at < Math.min(urls.length, MOST_URLS); at += URLS_PER_WRITE) {
    await queueUrls(deps, crawler, urls.slice(at, Math.min(at + URLS_PER_WRITE, MOST_URLS)));
    await yieldToEventLoop();
  }
  return Math.min(urls.length, MOST_URLS);
}

const URLS_PER_WRITE = 1_000;

/** What waits for a crawler, and what did not come. */
export type CrawlerQueue = {
  readonly crawler: Crawler;
  /** Rows of the frontier. */
  readonly waiting: number;
  /** URLs whose last visit failed, counted up to 10,000. */
  readonly failed: number;
  /** Hosts that are left alone. */
  readonly heldHosts: number;
  readonly heldRemovals: number;
};

const MOST_COUNTED = 10_000;

/** Some 0.2 ms per crawler. Crawlers whose store cannot be used are another's matter: they have nothing. */
export async function readQueues(
  { engineStores, clock }: Omit<Deps, 'wake'>,
  crawlers: readonly Crawler[],
): Promise<readonly CrawlerQueue[]> {
  const queues: CrawlerQueue[] = [];
  for (const crawler of crawlers) {
    const { id: crawlerId } = crawler;
    const store = await usableStore(engineStores, crawler.engineId);
    if (store === undefined) continue;
    const held = await store.countHeldHosts(crawlerId, clock.now());
    queues.push({
      crawler,
      waiting: (await store.livingRunsOf(crawlerId)).reduce((sum, { open }) => sum + open, 0),
      failed: await store.countUrlsUpTo({ crawlerId, state: 'failed', limit: MOST_COUNTED }),
      heldHosts: [...held].reduce((sum, [, count]) => sum + count, 0),
      heldRemovals: (await store.countHeldRemovals([crawlerId])).get(crawlerId) ?? 0,
    });
    await yieldToEventLoop();
  }
  return queues;
}
