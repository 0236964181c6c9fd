import { expect, test } from 'vitest';
import type { SliceDeps } from '../../../src/crawl/run-slice.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const PACE = { pace: 'fixed', delayMs: 0, slots: 8, ratePerSecond: 1_000 } as const;
/** Fewer than the rows of a host that bears so many fetches at once, for a slice that can start these. */
const PAGES = 14;
/** The first of the pages with which a slice waits: it has learned by then what the host bears. */
const WAITS_FROM = 4;

test('a slice that can start few visits leaves the rest of a host to another lane', async () => {
  const paths = Array.from({ length: PAGES }, (_, i) => `/p${i}`);
  await using site = await startSiteServer(Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])));
  await using crawl = await openCrawl({
    seeds: paths.map((path) => `${site.origin}${path}`),
    politeness: PACE,
    sitemaps: 'off',
  });
  await crawl.sweep();
  const otherFetched = Promise.withResolvers<void>();
  const fetchedBy = { first: 0, other: 0 };
  const slice = (lane: number, name: keyof typeof fetchedBy, before: () => Promise<void>) => {
    const { fetcher, concurrency } = crawl.sliceDeps;
    const fetch: SliceDeps['fetcher']['fetch'] = async (request, signal) => {
      if (request.purpose === 'page') {
        fetchedBy[name]++;
        await before();
      }
      return fetcher.fetch(request, signal);
    };
    return crawl.slice(lane, {
      fetcher: { fetch },
      concurrency: { ...concurrency, page: 1 },
      holder: `crawl-${lane}`,
    });
  };
  // Waits with its fourth page, and all that it has leased, until the other has one.
  const first = slice(1, 'first', async () => {
    if (fetchedBy.first >= WAITS_FROM) await otherFetched.promise;
  });
  await eventually(() => fetchedBy.first === WAITS_FROM);

  const other = slice(2, 'other', async () => otherFetched.resolve());

  await Promise.all([first, other]);
  expect(fetchedBy.first + fetchedBy.other).toBe(PAGES);
  for (const path of paths) expect([path, site.count(path)]).toEqual([path, 1]);
});

test('a slice whose hosts all have to wait visits one that comes anew', async () => {
  await using stack = new AsyncDisposableStack();
  const hosts = await Promise.all(
    Array.from({ length: 6 }, async () => stack.use(await startSiteServer({ '*': page('A page') }))),
  );
  const [late, ...early] = hosts;
  if (late === undefined) throw new Error('No host');
  await using crawl = await openCrawl({
    seeds: early.flatMap(({ origin }) => [`${origin}/a`, `${origin}/b`]),
    domains: hosts.map(({ origin }) => new URL(origin).host),
    politeness: { pace: 'fixed', delayMs: 60_000 },
    sitemaps: 'off',
    robots: 'ignore',
  });
  await crawl.sweep();
  const stop = new AbortController();
  const concurrency = { ...crawl.sliceDeps.concurrency, page: 1 };
  const slice = crawl.slice(1, { concurrency }, stop.signal);
  await eventually(() => early.every((site) => site.requests.length === 1));

  await crawl.queue(`${late.origin}/`);

  await eventually(() => late.requests.length === 1);
  stop.abort();
  await slice;
  expect(early.map((site) => site.requests.length)).toEqual(early.map(() => 1));
});
