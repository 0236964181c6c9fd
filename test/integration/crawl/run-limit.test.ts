import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { slow, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('a run that waits for a held host ends, names it, judges nothing on it, and its documents stay', async () => {
  const busy = { status: 503, headers: { 'retry-after': '3600' } };
  await using site = await startSiteServer({ '/': page('Home', ['/a', '/b']), '/a': busy, '/b': busy });
  const settings = { seeds: [`${site.origin}/`], limits: { runMinutes: 30 }, schedule: MANUAL };
  await using crawl = await openCrawl(settings);
  await crawl.crawl();
  const lastRun = async () => (await crawl.store.listRuns(crawl.crawlerId, 1))[0];
  expect(await lastRun()).toMatchObject({ state: 'running', open: 2 });

  crawl.clock.skip(31 * 60_000);
  await crawl.crawl();

  const run = await lastRun();
  expect(run).toMatchObject({ state: 'finished', open: 0 });
  expect(JSON.parse(run?.summary ?? '')).toMatchObject({
    limit: 'runMinutes',
    deferred: { rows: 2, hosts: [{ origin: site.origin, rows: 2, reason: 'rate-limited' }] },
  });
  expect(await crawl.lastVisit(`${site.origin}/a`)).toMatchObject({ outcome: 'deferred', reason: 'rate-limited' });
  expect((await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/a`))?.facts.state).toBe('known');
  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});

test('a run that has taken its bytes ends, and the summary says so', async () => {
  const paths = Array.from({ length: 60 }, (_, i) => `/p${i}`);
  await using site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, slow(50, page(`Page ${path}`))])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], limits: { runBytes: 6_000 }, schedule: MANUAL });

  await crawl.crawl();

  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  expect(run?.state).toBe('finished');
  expect(run?.visited).toBeLessThan(paths.length);
  expect(JSON.parse(run?.summary ?? '')).toMatchObject({ limit: 'runBytes', deferred: { rows: expect.any(Number) } });
  expect(await crawl.store.crawlersWithRows()).toEqual([]);
});
