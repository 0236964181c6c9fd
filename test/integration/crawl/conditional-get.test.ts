import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { type Behaviour, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

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
  crawl.clock.skip(1_000);

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
  const paths = Array.from({ length: 45 }, (_, i) => `/p${i}`);
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
  const isCaught = async () => (await crawl.store.ensureHost(17, site.origin)).trust.wrongAt !== undefined;

  // Each run checks a few answers, others than the run before.
  for (let runs = 0; runs < 20 && !(await isCaught()); runs++) {
    crawl.clock.skip(1_000);
    await crawl.run();
    await crawl.crawl();
  }
  const found = (await crawl.store.listRuns(17, 1))[0]?.changed ?? 0;
  crawl.clock.skip(1_000);
  await crawl.run();
  await crawl.crawl();

  expect(found).toBeGreaterThan(0);
  expect((await crawl.store.listRuns(17, 1))[0]).toMatchObject({ notModified: 0, changed: 45 - found });
});
