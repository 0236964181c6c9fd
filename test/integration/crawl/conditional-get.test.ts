import { expect, test } from 'vitest';
import { isChecked } from '../../../src/crawl/rules/lastmod-trust.ts';
import { NO_TRUST } from '../../../src/storage/host-trust.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { type Behaviour, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const DAY = 86_400_000;

test('a second run asks with validators, and an answer of 304 changes nothing', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a']),
    '/a': (request, response) => {
      if (request.headers['if-none-match'] === '"1"') sendPage(response, { status: 304 });
      else sendPage(response, { ...page('Alpha'), headers: { etag: '"1"' } });
    },
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  const seq = await crawl.store.lastSeq();
  await skipToUnchecked(crawl, [`${site.origin}/a`]);

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.store.lastSeq()).toBe(seq);
  expect(await crawl.lastVisit(`${site.origin}/a`)).toMatchObject({ outcome: 'not-modified', httpStatus: 304 });
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ visited: 2, notModified: 1 });
});

test('the date of the last change is sent back as it came', async () => {
  const date = 'Mon, 01 Jan 2024 10:00:00 GMT';
  await using site = await startSiteServer({ '/': { ...page('Home'), headers: { 'last-modified': date } } });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  crawl.clock.skip(1_000);

  await crawl.run();
  await crawl.crawl();

  expect(site.requests.at(-1)?.headers['if-modified-since']).toBe(date);
});

test('a host whose 304 was wrong is asked without validators from then on', async () => {
  const paths = Array.from({ length: 20 }, (_, i) => `/p${i}`);
  let text = 'First';
  const frozen: Behaviour = (request, response) => {
    if (request.headers['if-none-match'] !== undefined) sendPage(response, { status: 304 });
    else sendPage(response, { ...page(`${text} ${request.url}`), headers: { etag: '"always"' } });
  };
  await using site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, frozen])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  text = 'Second';
  await skipToChecked(
    crawl,
    paths.map((path) => `${site.origin}${path}`),
  );

  await crawl.run();
  await crawl.crawl();
  const found = (await crawl.store.listRuns(crawl.crawlerId, 1))[0]?.changed ?? 0;
  crawl.clock.skip(1_000);
  await crawl.run();
  await crawl.crawl();

  expect(found).toBeGreaterThan(0);
  expect(found).toBeLessThan(20);
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ notModified: 0, changed: 20 - found });
});

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

/** To a time at which at least one of the URLs is among those whose 304 is checked. */
async function skipToChecked(crawl: Crawl, urls: readonly string[]): Promise<void> {
  while ((await checkedOf(crawl, urls)) === 0) crawl.clock.skip(30 * DAY);
}

async function skipToUnchecked(crawl: Crawl, urls: readonly string[]): Promise<void> {
  crawl.clock.skip(1_000);
  while ((await checkedOf(crawl, urls)) > 0) crawl.clock.skip(30 * DAY);
}

async function checkedOf(crawl: Crawl, urls: readonly string[]): Promise<number> {
  const records = await Promise.all(urls.map((url) => crawl.store.findUrl(crawl.crawlerId, url)));
  return records.filter((record) => isChecked(NO_TRUST, { urlId: record?.id ?? 0, runId: 0 }, crawl.clock.now()))
    .length;
}
