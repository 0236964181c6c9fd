import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { type Behaviour, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const POLITENESS = { delayMs: 40, ratePerSecond: 1_000 };
const SERVICE_MS = 50;

/** Pages that a server of so many workers makes one after the other. */
function worked(workers: number, path: string): Behaviour {
  return (_request, response) => {
    busy++;
    const at = performance.now();
    const free = queue.length < workers ? at : (queue.at(-workers) ?? at);
    const end = Math.max(at, free) + SERVICE_MS;
    queue.push(end);
    setTimeout(() => {
      queue.shift();
      busy--;
      sendPage(response, page(`Page ${path}`));
    }, end - at);
  };
}
const queue: number[] = [];
let busy = 0;

const paths = Array.from({ length: 40 }, (_, i) => `/p${i}`);

test('the pace quickens with good answers, is kept in the store, and is where the next slice starts', async () => {
  await using site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, worked(2, path)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL, politeness: POLITENESS });
  await crawl.crawl();
  const observedPace = async () => (await crawl.store.ensureHost(crawl.crawlerId, site.origin)).pace;
  const first = await observedPace();

  expect(busy).toBe(0);
  // How many slots depends on how even the answers of this machine are just now: test/contract/host-slots.test.ts.
  expect(first?.slots).toBeLessThan(6);
  expect(first?.spacingMs).toBeLessThan(40);
  expect(first?.firstByteMs).toBeGreaterThan(SERVICE_MS * 0.9);

  await crawl.redis.control.flushall();
  await crawl.queue(`${site.origin}/p0`);
  await crawl.slice(0);
  expect((await crawl.sliceDeps.hostSlots.observedPace([site.origin])).get(site.origin)).toEqual(first);
});

test('a fixed pace stays as it was set', async () => {
  const few = paths.slice(0, 12);
  await using site = await startSiteServer({
    '/': page('Home', few),
    ...Object.fromEntries(few.map((path) => [path, page(`Page ${path}`)])),
  });
  const politeness = { pace: 'fixed', delayMs: 60, slots: 4 };
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL, politeness });

  await crawl.crawl();

  const starts = site.requests.map(({ at }) => at);
  expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(12 * 60);
  expect((await crawl.store.ensureHost(crawl.crawlerId, site.origin)).pace).toMatchObject({ slots: 4, spacingMs: 60 });
});
