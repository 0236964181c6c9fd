import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../../src/core/errors.ts';
import { parseRenderVerdict } from '../../../src/core/render-verdict.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { openRenderer } from '../../helpers/rendering.ts';
import { differently, scriptData, scriptPage, shyPage } from '../../helpers/script-site.ts';
import { type Route, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const DAY = 86_400_000;
const MANUAL = { full: 'manual', incremental: 'manual' };
const QUICK = { settleMs: 100, timeoutMs: 3_000 };

/** One browser for all crawls of this file. */
let renderer: Awaited<ReturnType<typeof openRenderer>>;
beforeAll(async () => {
  renderer = await openRenderer();
});
afterAll(() => renderer?.[Symbol.asyncDispose]());

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

const lastRun = async ({ store, crawlerId }: Crawl) => (await store.listRuns(crawlerId, 1))[0];
const textOf = async ({ store, crawlerId }: Crawl, url: string) => {
  const found = await store.findDocument(crawlerId, url);
  return found?.fields.get('Content')?.[0] ?? '';
};
const reasonOf = async ({ store, crawlerId }: Crawl, url: string) =>
  (await store.findUrl(crawlerId, url))?.facts.reason;

/** Pages 1 to n of one pattern, made by scripts. */
function scriptSite(pages: number): Record<string, Route> {
  const routes: Record<string, Route> = {};
  for (let i = 1; i <= pages; i++) {
    routes[`/items/${i}`] = scriptPage(`item${i}`);
    routes[`/data/item${i}`] = scriptData(`item${i}`, i === 1 ? ['/found-by-script'] : []);
  }
  return routes;
}

test('pages made by scripts are read in a browser, and their links are followed', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/items/1', '/items/2', '/items/3']),
    '/found-by-script': page('Found by a script'),
    ...scriptSite(3),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], rendering: QUICK }, { renderer });
  await crawl.crawl();

  expect(await crawl.documents()).toEqual(
    ['/', '/found-by-script', '/items/1', '/items/2', '/items/3'].map((path) => site.origin + path),
  );
  expect(await textOf(crawl, `${site.origin}/items/2`)).toContain('item2word79');
  expect(await lastRun(crawl)).toMatchObject({ rendered: 3, open: 0, failed: 0, added: 5 });
  const inBrowser = site.requests.filter(({ headers }) => headers['sec-fetch-dest'] === 'document');
  expect(inBrowser.map(({ path }) => path).sort()).toEqual(['/items/1', '/items/2', '/items/3']);
});

test('a pattern whose first three pages gain nothing is read over HTTP alone', async () => {
  const paths = Array.from({ length: 6 }, (_, place) => `/notes/${place + 1}`);
  await using site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, shyPage(path.slice(7))])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], rendering: QUICK }, { renderer });
  await crawl.crawl();

  expect(await lastRun(crawl)).toMatchObject({ rendered: 3, added: 7 });
  const record = await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/notes/6`);
  expect(record?.facts.reason).toBe('new');
});

test('without a browser such pages are marked as thin, and are read again when there is one', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/items/1']),
    ...scriptSite(1),
    '/items/1': { ...scriptPage('item1'), headers: { etag: '"same"' } },
    '/found-by-script': page('Found by a script'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], rendering: QUICK });
  const url = `${site.origin}/items/1`;
  await crawl.crawl();
  expect(await reasonOf(crawl, url)).toBe('thin');
  expect((await lastRun(crawl))?.rendered).toBe(0);
  await crawl.sweep();

  crawl.installBrowser(renderer);
  await crawl.run('full');
  await crawl.crawl();

  expect(await textOf(crawl, url)).toContain('item1word79');
  expect(await reasonOf(crawl, url)).toBe('content-changed');
});

test('a validator that a site gives to the browser alone is not kept', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/items/1']),
    ...scriptSite(1),
    '/items/1': (request, response) => {
      const isBrowser = request.headers['sec-fetch-dest'] === 'document';
      sendPage(response, { ...scriptPage('item1'), headers: isBrowser ? { etag: '"browser"' } : {} });
    },
    '/found-by-script': page('Found by a script'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], rendering: QUICK }, { renderer });
  await crawl.crawl();

  expect((await lastRun(crawl))?.rendered).toBe(1);
  const record = await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/items/1`);
  expect(record?.facts).toMatchObject({ state: 'live', etag: undefined });
});

test.each([
  ['never', 0],
  ['always', 2],
])('with render: %s %s of two pages are read in a browser, and plain text never is', async (render, rendered) => {
  await using site = await startSiteServer({
    '/': page('Home', ['/items/1', '/plain.txt']),
    '/items/1': scriptPage('item1'),
    '/data/item1': scriptData('item1'),
    '/plain.txt': { headers: { 'content-type': 'text/plain' }, body: 'Some plain text without a tag.' },
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], render, rendering: QUICK }, { renderer });
  await crawl.crawl();

  expect(await lastRun(crawl)).toMatchObject({ rendered });
  const text = await textOf(crawl, `${site.origin}/items/1`);
  expect(text.includes('item1word79')).toBe(render === 'always');
});

test('a page whose HTML has not changed is rendered again after a quarter of the longest interval', async () => {
  await using site = await startSiteServer({
    '/': scriptPage('home'),
    '/data/home': scriptData('home'),
  });
  const settings = { seeds: [`${site.origin}/`], rendering: QUICK, interval: { maxDays: 20 }, schedule: MANUAL };
  await using crawl = await openCrawl(settings, { renderer });
  const recrawl = async (afterMs: number) => {
    crawl.clock.skip(afterMs);
    await crawl.sweep();
    await crawl.run('full');
    await crawl.crawl();
    return lastRun(crawl);
  };
  await crawl.crawl();

  expect(await recrawl(DAY)).toMatchObject({ rendered: 0, unchanged: 1 });
  site.set('/data/home', scriptData('changed'));
  expect(await recrawl(5 * DAY)).toMatchObject({ rendered: 1, changed: 1 });
  expect(await textOf(crawl, `${site.origin}/`)).toContain('changedword79');
});

test('a page that the browser cannot show is tried again, and then read over HTTP', async () => {
  await using site = await startSiteServer({ '/': shyPage('alone') });
  let renders = 0;
  const broken = {
    render: async () => {
      renders++;
      throw new AppError('fetch.unavailable', 'It crashed', { details: { reason: 'render-failed' } });
    },
  };
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL }, { renderer: broken });
  const url = `${site.origin}/`;
  await crawl.crawl();
  expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'deferred', reason: 'render-failed' });
  expect(await crawl.documents()).toEqual([]);

  for (let attempt = 0; attempt < 3; attempt++) {
    crawl.clock.skip(3_600_000);
    await crawl.crawl();
  }
  expect(renders).toBe(2);
  expect(await crawl.documents()).toEqual([url]);
  expect(await reasonOf(crawl, url)).toBe('render-failed');
});

test('answers that are no page teach nothing about a pattern', async () => {
  const http = (_request: unknown, response: Parameters<typeof sendPage>[0]) => sendPage(response, scriptPage('item1'));
  const blocked = (_request: unknown, response: Parameters<typeof sendPage>[0]) =>
    sendPage(response, { status: 403, body: 'no browsers' });
  await using site = await startSiteServer({ '/': differently(http, blocked) });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], rendering: QUICK }, { renderer });
  await crawl.crawl();

  const pattern = await crawl.store.findPattern(1);
  expect(parseRenderVerdict(pattern?.render)).toMatchObject({ verdict: 'unknown', claim: undefined, pairs: 0 });
});

test('a queued URL is read in a browser as well', async () => {
  await using site = await startSiteServer({ '/items/1': scriptPage('item1'), '/data/item1': scriptData('item1') });
  await using crawl = await openCrawl({ domains: [site.host], rendering: QUICK }, { renderer });
  await crawl.queue(`${site.origin}/items/1`);
  await crawl.crawl();

  expect(await textOf(crawl, `${site.origin}/items/1`)).toContain('item1word79');
});

test('the roles hand pages from stage to stage, within the limit of pages in browsers', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/items/1', '/items/2', '/items/3', '/items/4']),
    '/found-by-script': page('Found by a script'),
    ...scriptSite(4),
  });
  let open = 0;
  let most = 0;
  const counted = {
    render: async (...asked: Parameters<typeof renderer.render>) => {
      open++;
      most = Math.max(most, open);
      return renderer.render(...asked).finally(() => open--);
    },
  };
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], rendering: QUICK }, { renderer: counted });
  await using _roles = await crawl.startRoles();

  const documents = await eventually(async () => {
    const found = await crawl.documents();
    return found.length === 6 ? found : undefined;
  }, 30_000);
  expect(documents).toContain(`${site.origin}/found-by-script`);
  expect(most).toBeLessThanOrEqual(2);
});
