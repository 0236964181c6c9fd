import { describe, expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';

/** Contract: 9. */
const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('the answer has one row per element: Ok for every absolute http(s) URL, Invalid for all else', async () => {
  await using site = await startSiteServer({});
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  const long = `https://example.com/${'a'.repeat(4_100)}`;

  const rows = await crawl.queue(
    ...['https://example.com/', 'http://127.0.0.1/x', 'ftp://example.com/', 'x', '', '  ', 'https://', long, 7, null],
  );

  expect(rows.map(({ status }) => status)).toEqual([
    ...['Ok', 'Ok', 'Invalid', 'Invalid', 'Invalid', 'Invalid', 'Invalid', 'Invalid', 'Invalid', 'Invalid'],
  ]);
  expect(rows.map(({ url }) => url).slice(-2)).toEqual(['7', 'null']);
});

test('a queued URL is fetched once, its document made, its links not followed', async () => {
  await using site = await startSiteServer({ '/new': page('New', ['/linked']), '/linked': page('Linked') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/none`], schedule: MANUAL });
  await crawl.crawl();

  await crawl.queue(`${site.origin}/new`, `${site.origin}/new#part`);
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/new`]);
  expect([site.count('/new'), site.count('/linked')]).toEqual([1, 0]);
});

describe('a URL that was crawled before', () => {
  async function crawled() {
    const site = await startSiteServer({
      '/': page('Home', ['/a']),
      '/a': { ...page('Alpha'), headers: { etag: '"1"' } },
    });
    const crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
    await crawl.crawl();
    const url = `${site.origin}/a`;
    return {
      site,
      crawl,
      url,
      async [Symbol.asyncDispose]() {
        await crawl[Symbol.asyncDispose]();
        await site[Symbol.asyncDispose]();
      },
    };
  }

  test('is replaced when it has changed, without asking the server whether it has', async () => {
    await using shared = await crawled();
    const { site, crawl, url } = shared;
    site.set('/a', page('Changed'));

    await crawl.queue(url);
    await crawl.crawl();

    expect((await crawl.store.findDocument(crawl.crawlerId, url))?.fields.get('Title')).toEqual(['Changed']);
    expect(site.requests.at(-1)?.headers['if-none-match']).toBeUndefined();
  });

  test.each([404, 410])('is removed at once by a %i', async (status) => {
    await using shared = await crawled();
    const { site, crawl, url } = shared;
    site.set('/a', { status });

    await crawl.queue(url);
    await crawl.crawl();

    expect(await crawl.store.findDocument(crawl.crawlerId, url)).toBeUndefined();
    expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'removed' });
  });

  test.each([500, 503, 403, 401, 400])('stays when it answers %i', async (status) => {
    await using shared = await crawled();
    const { site, crawl, url } = shared;
    site.set('/a', { status });

    await crawl.queue(url);
    await crawl.crawl();

    expect(await crawl.store.findDocument(crawl.crawlerId, url)).toBeDefined();
  });

  test('leads to its target when it redirects', async () => {
    await using shared = await crawled();
    const { site, crawl, url } = shared;
    site.set('/a', redirectTo('/moved', 301));
    site.set('/moved', page('Moved'));

    await crawl.queue(url);
    await crawl.crawl();

    expect(await crawl.documents()).toContain(`${site.origin}/moved`);
  });

  test('is removed when it was pushed and is gone', async () => {
    await using shared = await crawled();
    const { site, crawl } = shared;
    const id = `${site.origin}/pushed`;
    const fields = new Map([['Title', ['Pushed']]]);
    await crawl.store.putDocuments(17, [{ id, kind: 'PageContent', origin: 'pushed', language: 'en', fields }], 1);

    await crawl.queue(id);
    await crawl.crawl();

    expect(await crawl.store.findDocument(17, id)).toBeUndefined();
  });
});

test('a URL that waits in a run comes first and is fetched once', async () => {
  const paths = Array.from({ length: 30 }, (_, i) => `/p${i}`);
  await using site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });

  await crawl.queue(`${site.origin}/p29`);
  await crawl.crawl();

  expect(site.count('/p29')).toBe(1);
  expect(site.requests.findIndex(({ path }) => path === '/p29')).toBeLessThan(5);
});
