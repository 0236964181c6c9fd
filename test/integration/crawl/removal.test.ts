import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const HOUR = 3_600_000;
const paths = Array.from({ length: 10 }, (_, i) => `/p${i}`);

async function crawled() {
  const site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])),
  });
  const crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  crawl.clock.skip(1_000);
  return {
    site,
    crawl,
    async [Symbol.asyncDispose]() {
      await crawl[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

test('a page that is gone leaves at the second look, hours later, which comes by itself', async () => {
  await using shared = await crawled();
  const { site, crawl } = shared;
  site.set('/p3', { status: 404 });

  await crawl.run();
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(11);
  expect(await crawl.lastVisit(`${site.origin}/p3`)).toMatchObject({ outcome: 'suspected', reason: 'not-found' });
  crawl.clock.skip(HOUR);
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(11);
  crawl.clock.skip(HOUR + 60_000);
  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(10);
  expect((await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/p3`))?.facts.state).toBe('gone');
});

test('many pages that are gone leave together, at the same second look', async () => {
  const many = Array.from({ length: 80 }, (_, i) => `/p${i}`);
  await using site = await startSiteServer({
    '/': page('Home', many),
    ...Object.fromEntries(many.map((path) => [path, page(`Page ${path}`)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  for (const path of many.slice(0, 8)) site.set(path, { status: 404 });
  crawl.clock.skip(1_000);
  await crawl.run();
  await crawl.crawl();

  crawl.clock.skip(2 * HOUR + 60_000);
  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(73);
});

test('a page that is back at the second look stays', async () => {
  await using shared = await crawled();
  const { site, crawl } = shared;
  site.set('/p3', { status: 404 });
  await crawl.run();
  await crawl.crawl();
  site.set('/p3', page('Page /p3'));

  crawl.clock.skip(2 * HOUR + 60_000);
  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(11);
  expect((await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/p3`))?.facts.state).toBe('live');
});

test('a site whose pages are mostly missing is not believed', async () => {
  await using shared = await crawled();
  const { site, crawl } = shared;
  for (const path of paths.slice(0, 8)) site.set(path, { status: 404 });

  for (let look = 0; look < 4; look++) {
    await crawl.run();
    await crawl.crawl();
    crawl.clock.skip(3 * HOUR);
  }

  expect(await crawl.documents()).toHaveLength(11);
});

test('a page that nothing links to any more stays', async () => {
  await using shared = await crawled();
  const { site, crawl } = shared;
  site.set('/', page('Home without links'));

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(11);
});
