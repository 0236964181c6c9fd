import { importPeer } from '../../install-peers.ts';
import type { CrawlOrder, PreparedCrawl } from '../contestant.ts';

type Page = (selector: string) => { text(): string; attr(name: string): string | undefined };
type Context = {
  readonly $: Page;
  readonly pushData: (data: object) => Promise<void>;
  readonly enqueueLinks: (options: { readonly strategy: string }) => Promise<unknown>;
};
type Crawlee = {
  readonly CheerioCrawler: new (
    options: object,
  ) => { run(urls: readonly string[]): Promise<{ readonly requestsFinished: number }> };
  readonly LogLevel: { readonly OFF: number };
  readonly log: { setLevel(level: number): void };
};

/** Crawlee's `CheerioCrawler` as shipped: queue and data set on disk, its own concurrency. */
export async function prepare({ seed, folder, concurrency }: CrawlOrder): Promise<PreparedCrawl> {
  process.env['CRAWLEE_STORAGE_DIR'] = folder;
  const { CheerioCrawler, log, LogLevel } = await importPeer<Crawlee>('@crawlee/cheerio');
  log.setLevel(LogLevel.OFF);
  const crawler = new CheerioCrawler({
    maxConcurrency: concurrency,
    requestHandler: async ({ $, pushData, enqueueLinks }: Context) => {
      const text = $('main').text().replace(/\s+/g, ' ').trim();
      const description = $('meta[name=description]').attr('content');
      await pushData({ title: $('title').text(), description, text });
      await enqueueLinks({ strategy: 'all' });
    },
  });
  return {
    crawl: async () => (await crawler.run([seed])).requestsFinished,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
