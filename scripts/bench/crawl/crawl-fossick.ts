import type { SliceDeps } from '../../../src/crawl/run-slice.ts';
import { openCrawl } from '../../../test/helpers/crawl.ts';
import type { CrawlOrder, PreparedCrawl } from './contestant.ts';

/**
 * The product's slices on the product's adapters: stores on disk with fsync, host slots in a Redis of their own, the
 * egress gate. Only the queue in front of them is left out.
 */
export async function prepareFossick(
  { seed, origins, concurrency }: CrawlOrder,
  changes: Partial<SliceDeps> = {},
): Promise<PreparedCrawl> {
  const domains = origins.map((origin) => new URL(origin).host);
  const crawl = await openCrawl({ seeds: [seed], domains });
  const helperCpuMs = async () => {
    const info = await crawl.redis.control.info('cpu');
    const seconds = [...info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)].map(([, value]) => Number(value));
    return seconds.reduce((sum, value) => sum + value, 0) * 1_000;
  };
  return {
    helperCpuMs,
    crawl: async () => {
      for (let wanted = await crawl.sweep(); wanted.length > 0; wanted = await crawl.sweep()) {
        await Promise.all(
          wanted.map(({ lane }) =>
            crawl.slice(lane, { concurrency: { page: concurrency, render: 1, file: 1 }, ...changes }),
          ),
        );
      }
      return crawl.store.countDocuments(crawl.crawlerId);
    },
    [Symbol.asyncDispose]: () => crawl[Symbol.asyncDispose](),
  };
}
