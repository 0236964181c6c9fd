import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRenderVerdict, type RenderVerdict, UNKNOWN_VERDICT } from '../../../src/core/render-verdict.ts';
import { urlPattern } from '../../../src/core/url.ts';
import { storePath } from '../../../src/storage/sqlite/write-messages.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { openRenderer } from '../../helpers/rendering.ts';
import { scriptData, scriptPage, shyPage } from '../../helpers/script-site.ts';
import { type Route, startSiteServer } from '../../helpers/site-server.ts';

const SETTINGS = {
  rendering: { settleMs: 100, timeoutMs: 3_000 },
  schedule: { full: 'manual', incremental: 'manual' },
};

let renderer: Awaited<ReturnType<typeof openRenderer>>;
beforeAll(async () => {
  renderer = await openRenderer();
});
afterAll(() => renderer?.[Symbol.asyncDispose]());

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

const verdictOf = async ({ store, crawlerId }: Crawl, url: string) => {
  const patterns = await store.listPatterns({ crawlerId, after: 0, limit: 100 });
  return parseRenderVerdict(patterns.find(({ pattern }) => pattern === urlPattern(url))?.render);
};
const renderedOf = async ({ store, crawlerId }: Crawl) => (await store.listRuns(crawlerId, 1))[0]?.rendered;

/** As other pages of the pattern would have taught. */
function teach({ dataDir }: Crawl, url: string, verdict: Partial<RenderVerdict>) {
  const db = new DatabaseSync(storePath(dataDir, { kind: 'engine', engineId: 1 }));
  const text = JSON.stringify({ ...UNKNOWN_VERDICT, ...verdict });
  db.prepare('UPDATE url_patterns SET render = ? WHERE pattern = ?').run(text, urlPattern(url));
  db.close();
}

/** As many pages without a gain as it takes until their pattern is read over HTTP. */
const PLAIN = ['/items/100', '/items/101', '/items/102'];

test('a pattern that was taken for plain is rendered after some pages that asked for a browser', async () => {
  const paths = Array.from({ length: 11 }, (_, place) => `/items/${place + 1}`);
  const routes: Record<string, Route> = { '/': page('Home', PLAIN) };
  for (const path of PLAIN) routes[path] = shyPage(path.slice(7));
  for (const path of paths) {
    routes[path] = scriptPage(path.slice(7));
    routes[`/data/${path.slice(7)}`] = scriptData(path.slice(7));
  }
  await using site = await startSiteServer(routes);
  await using crawl = await openCrawl({ ...SETTINGS, seeds: [`${site.origin}/`] }, { renderer });
  const url = `${site.origin}/items/1`;
  await crawl.crawl();
  expect(await verdictOf(crawl, url)).toMatchObject({ verdict: 'http', pairs: 3 });

  site.set('/', page('Home', [...PLAIN, ...paths.slice(0, 9)]));
  await crawl.run('full');
  await crawl.crawl();
  expect(await verdictOf(crawl, url)).toMatchObject({ verdict: 'http', passed: 9 });
  expect(await renderedOf(crawl)).toBe(0);

  site.set('/', page('Home', [...PLAIN, ...paths]));
  await crawl.run('full');
  await crawl.crawl();
  expect(await verdictOf(crawl, url)).toMatchObject({ verdict: 'browser' });
});

test('pages that asked for a browser in vain are rendered, unchanged, when their pattern turns out to need it', async () => {
  await using site = await startSiteServer({
    '/': page('Home', PLAIN),
    ...Object.fromEntries(PLAIN.map((path) => [path, shyPage(path.slice(7))])),
    '/items/1': scriptPage('1'),
    '/data/1': scriptData('1'),
  });
  await using crawl = await openCrawl({ ...SETTINGS, seeds: [`${site.origin}/`] }, { renderer });
  const recrawl = async () => {
    await crawl.run('full');
    await crawl.crawl();
    return renderedOf(crawl);
  };
  const text = async () => (await crawl.store.findDocument(crawl.crawlerId, `${site.origin}/items/1`))?.fields;
  await crawl.crawl();
  site.set('/', page('Home', [...PLAIN, '/items/1']));
  expect(await recrawl()).toBe(0);
  expect((await text())?.get('Content')?.[0] ?? '').not.toContain('1word79');

  teach(crawl, `${site.origin}/items/1`, { verdict: 'browser' });
  expect(await recrawl()).toBe(1);
  expect((await text())?.get('Content')?.[0]).toContain('1word79');
});
