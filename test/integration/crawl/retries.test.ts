import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { dropped, halfBody, type Route, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test.each([
  ['a 500', { status: 500 }],
  ['a closed connection', dropped],
  ['half a body', halfBody],
] satisfies [string, Route][])('%s is tried again after its back-off, within six attempts', async (_name, failure) => {
  await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': failure });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  expect(site.count('/a')).toBe(1);

  crawl.clock.skip(29_000);
  await crawl.crawl();
  expect(site.count('/a')).toBe(1);
  for (let attempt = 0; attempt < 8; attempt++) {
    crawl.clock.skip(1_200_000);
    await crawl.redis.control.flushall();
    await crawl.crawl();
  }

  expect(site.count('/a')).toBe(6);
  expect((await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/a`))?.facts.state).toBe('failed');
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ state: 'finished', failed: 1 });
});

test('an outage removes nothing', async () => {
  const paths = Array.from({ length: 5 }, (_, i) => `/p${i}`);
  await using site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  for (const path of ['/', ...paths]) site.set(path, { status: 500, body: 'down' });
  crawl.clock.skip(1_000);

  await crawl.run();
  for (let hours = 0; hours < 4; hours++) {
    await crawl.crawl();
    crawl.clock.skip(3_600_000);
    await crawl.redis.control.flushall();
  }

  expect(await crawl.documents()).toHaveLength(paths.length + 1);
});
