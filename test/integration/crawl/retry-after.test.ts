import { describe, expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { type Route, recovering, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const MINUTE = 60_000;
/** Longer than any hold. */
const LIMITS = { runMinutes: 10_000 };

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

function heldMs({ sliceDeps, clock }: Crawl, origin: string): number {
  const now = clock.now();
  return (sliceDeps.hostHolds.ofHost(origin, now)?.until ?? now) - now;
}

async function waitsMs({ store, crawlerId, clock }: Crawl, url: string): Promise<number> {
  const record = await store.findUrl(crawlerId, url);
  const place = await store.placeOf(record?.id ?? 0);
  return (place?.waiting?.dueAt ?? 0) - clock.now();
}

test.each([
  ['a 503 with seconds', { status: 503, headers: { 'retry-after': '120' } }, 120_000],
  [
    'a 429 with a date',
    { status: 429, headers: { 'retry-after': new Date(Date.now() + 300_000).toUTCString() } },
    300_000,
  ],
  ['a 429 without a time', { status: 429 }, MINUTE],
  ['a 503 that asks for days', { status: 503, headers: { 'retry-after': '999999' } }, 60 * MINUTE],
] satisfies [string, Route, number][])(
  '%s makes the URL wait as long, an hour at most, and does not hold its host',
  async (_name, busy, forMs) => {
    await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': recovering(page('Alpha'), busy) });
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL, limits: LIMITS });
    await crawl.crawl();
    expect(heldMs(crawl, site.origin)).toBe(0);
    const held = await waitsMs(crawl, `${site.origin}/a`);
    expect(held).toBeGreaterThan(forMs - 30_000);
    expect(held).toBeLessThanOrEqual(forMs);

    crawl.clock.skip(held - 1_000);
    await crawl.redis.control.flushall();
    await crawl.crawl();
    expect(site.count('/a')).toBe(1);

    crawl.clock.skip(2_000);
    await crawl.crawl();
    expect(await crawl.documents()).toContain(`${site.origin}/a`);
    expect(site.count('/a')).toBe(2);
  },
);

test('a host that asks for a second is waited for by the same slice', async () => {
  const busy = { status: 503, headers: { 'retry-after': '1' } };
  await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': recovering(page('Alpha'), busy) });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.sweep();

  const { end } = await crawl.slice();

  expect(end).toBe('idle');
  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/a`]);
  const [first, second] = site.requests.filter(({ path }) => path === '/a').map(({ at }) => at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1_000);
});

describe('a host that does not recover', () => {
  const paths = Array.from({ length: 20 }, (_, i) => `/p${i}`);

  test.each([
    ['asks for no time', { status: 429 }],
    ['asks for the same time again', { status: 503, headers: { 'retry-after': '60' } }],
  ] satisfies [string, Route][])(
    'and %s is held twice as long each time, whatever was under way when it was held',
    async (_name, busy) => {
      await using site = await startSiteServer({
        '/': page('Home', paths),
        ...Object.fromEntries(paths.map((path) => [path, busy])),
      });
      await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });

      const holds = [];
      for (let i = 0; i < 4; i++) {
        await crawl.crawl();
        const held = heldMs(crawl, site.origin);
        holds.push(Math.round(held / MINUTE));
        crawl.clock.skip(held + 1);
        await crawl.redis.control.flushall();
      }

      expect(holds).toEqual([1, 2, 4, 8]);
    },
  );

  test('makes its only URL wait twice as long each time', async () => {
    await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': { status: 503 } });
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });

    const waits = [];
    for (let i = 0; i < 4; i++) {
      await crawl.crawl();
      const wait = await waitsMs(crawl, `${site.origin}/a`);
      waits.push(Math.round(wait / MINUTE));
      crawl.clock.skip(wait + 1);
    }

    expect(waits).toEqual([1, 2, 4, 8]);
    expect(heldMs(crawl, site.origin)).toBe(0);
  });

  test('is held after ten failures in a row; then one probe decides', async () => {
    await using site = await startSiteServer({
      '/': page('Home', paths),
      ...Object.fromEntries(paths.map((path) => [path, { status: 500 }])),
    });
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
    const failed = () => paths.reduce((sum, path) => sum + site.count(path), 0);
    const passHold = async () => {
      crawl.clock.skip(heldMs(crawl, site.origin) + 1);
      await crawl.redis.control.flushall();
    };
    await crawl.crawl();
    expect(crawl.sliceDeps.hostHolds.of(site.origin)).toMatchObject([{ urlTemplate: '', reason: 'server-error' }]);
    expect(Math.round(heldMs(crawl, site.origin) / MINUTE)).toBe(1);
    const first = failed();
    expect(first).toBeGreaterThanOrEqual(10);
    expect(first).toBeLessThanOrEqual(18);

    await passHold();
    await crawl.crawl();
    expect(failed()).toBe(first + 1);
    expect(Math.round(heldMs(crawl, site.origin) / MINUTE)).toBe(2);

    for (const path of paths) site.set(path, page(`Page ${path}`));
    await passHold();
    crawl.clock.skip(10 * MINUTE);
    await crawl.crawl();
    expect(await crawl.documents()).toHaveLength(paths.length + 1);
  });
});
