import { openCrawl, page } from './crawl.ts';
import { type Route, type SiteServer, startSiteServer } from './site-server.ts';

export const MANUAL = { full: 'manual', incremental: 'manual' } as const;
export const HOUR = 3_600_000;
/** A little more than `confirmAfterMs` and the minute for which counts are kept. */
const UNTIL_RECHECK_MS = 2 * HOUR + 60_000;

/** A site of a home page and `count` others (`/p0`, `/p1`, …) that was crawled once. */
export async function crawledSite(
  count: number,
  settings: Readonly<Record<string, unknown>> = {},
  routes: Readonly<Record<string, Route>> = {},
) {
  await using stack = new AsyncDisposableStack();
  const paths = Array.from({ length: count }, (_, i) => `/p${i}`);
  const pages = Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)]));
  const site: SiteServer = stack.use(await startSiteServer({ '/': page('Home', paths), ...pages, ...routes }));
  const crawl = stack.use(await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL, ...settings }));
  await crawl.crawl();
  crawl.clock.skip(HOUR + 1_000);
  const owned = stack.move();
  return {
    site,
    crawl,
    paths,
    url: (path: string) => `${site.origin}${path}`,
    /** A full run, until nothing is due any more. */
    round: async () => {
      await crawl.run();
      await crawl.crawl();
    },
    /** Second looks come by themselves when their time has come. */
    recheck: async () => {
      crawl.clock.skip(UNTIL_RECHECK_MS);
      await crawl.crawl();
    },
    stateOf: async (path: string) => (await crawl.store.findUrl(crawl.crawlerId, `${site.origin}${path}`))?.facts.state,
    /** Id → title and text, of all documents. */
    texts: async () => {
      const documents = await crawl.store.listDocuments({ crawlerId: crawl.crawlerId, after: 0, limit: 10_000 });
      return new Map(
        documents.map(({ id, fields }) => [id, [...(fields.get('Title') ?? []), ...(fields.get('Content') ?? [])]]),
      );
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
