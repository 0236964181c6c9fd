import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { reExtract } from '../../../src/crawl/re-extract.ts';
import { compileCrawlRules } from '../../../src/crawl/rules/crawl-rules.ts';
import { storePath } from '../../../src/storage/sqlite/write-messages.ts';
import { openCrawl } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { sectionSite } from '../../helpers/section-site.ts';
import { type SiteServer, sendPage, startSiteServer } from '../../helpers/site-server.ts';
import { type TemplatePage, templateSite } from '../../helpers/template-site.ts';
import { html, ownText } from '../../helpers/trap-site.ts';

const NEVER = new AbortController().signal;

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

async function serve(pages: readonly TemplatePage[]) {
  const routes = pages.map(({ path, html: body }) => [path, { body }] as const);
  const home = html(
    'Home',
    ownText(7),
    pages.map(({ path }) => path),
  );
  return startSiteServer({ ...Object.fromEntries(routes), '/': home });
}

const open = (site: SiteServer) =>
  openCrawl({
    seeds: [`${site.origin}/`],
    schedule: { full: 'manual', incremental: 'manual' },
  });

/** Pages with something of their frame in their text or beside it; pages that miss something of their own. */
async function faults({ store, crawlerId }: Crawl, { origin }: SiteServer, pages: readonly TemplatePage[]) {
  const found = { framed: [] as string[], cut: [] as string[] };
  for (const { path, repeated, own } of pages) {
    const document = await store.findDocument(crawlerId, origin + path);
    const content = firstValue(document?.fields ?? new Map(), 'Content');
    const all = `${content}\n${document?.structure?.surroundings}`;
    if (repeated.some((text) => all.includes(text))) found.framed.push(path);
    if (!own.every((text) => content.includes(text))) found.cut.push(path);
  }
  return found;
}

const keptOf = ({ store, crawlerId }: Crawl) => store.listPendingPages({ crawlerId, after: 0, limit: 100 });

test('pages that were read before their site was known are chosen again by the end of the run, without a fetch', async () => {
  const pages = templateSite(5);
  await using site = await serve(pages);
  await using crawl = await open(site);

  await crawl.crawl();

  expect(await faults(crawl, site, pages)).toEqual({ framed: [], cut: [] });
  expect(pages.map(({ path }) => site.count(path))).toEqual(pages.map(() => 1));
  // With more pages they would be chosen once more.
  expect((await keptOf(crawl)).length).toBeGreaterThanOrEqual(pages.length);
  const record = await crawl.store.findUrl(crawl.crawlerId, site.origin + (pages[0]?.path ?? ''));
  const document = await crawl.store.findDocument(crawl.crawlerId, site.origin + (pages[0]?.path ?? ''));
  expect(record?.facts.contentChars).toBe(firstValue(document?.fields ?? new Map(), 'Content').length);

  const seq = await crawl.store.lastSeq();
  await crawl.run();
  await crawl.crawl();
  expect(await crawl.store.lastSeq()).toBe(seq);
});

test('of a site with more pages nothing is kept', async () => {
  const pages = templateSite(6, 24);
  await using site = await serve(pages);
  await using crawl = await open(site);

  await crawl.crawl();

  expect(await faults(crawl, site, pages)).toEqual({ framed: [], cut: [] });
  expect(await keptOf(crawl)).toEqual([]);
});

test('pages that were read before their section was known are chosen again at the end of the run, without a fetch', async () => {
  const pages = sectionSite(3);
  await using site = await serve(pages);
  await using crawl = await open(site);

  await crawl.crawl();

  expect(await faults(crawl, site, pages)).toEqual({ framed: [], cut: [] });
  expect(pages.map(({ path }) => site.count(path))).toEqual(pages.map(() => 1));
  expect(await keptOf(crawl)).toEqual([]);
});

/** Its slice ends with the last page, and has read none again. */
async function visitAll(crawl: Crawl, site: SiteServer, pages: readonly TemplatePage[]): Promise<void> {
  const starts = new AbortController();
  const last = pages.at(-1);
  if (last === undefined) throw new Error('No pages');
  site.set(last.path, (_request, response) => {
    starts.abort();
    sendPage(response, { body: last.html });
  });
  await crawl.run();
  await crawl.sweep();
  await crawl.slice(1, {}, starts.signal);
}

test('a run that ends before early pages were read again waits for a slice that reads them', async () => {
  const pages = sectionSite(3);
  await using site = await serve(pages);
  await using crawl = await open(site);
  await visitAll(crawl, site, pages);
  const isFinished = async () => (await crawl.store.livingRunsOf(crawl.crawlerId)).length === 0;

  const wanted = await crawl.sweep();

  expect(wanted).toMatchObject([{ stage: 'page', lane: 0 }]);
  expect(await isFinished()).toBe(false);
  expect(await crawl.slice(0)).toMatchObject({ wantsSweep: true });
  expect(await crawl.sweep()).toEqual([]);
  expect(await isFinished()).toBe(true);
  expect(await faults(crawl, site, pages)).toEqual({ framed: [], cut: [] });
});

test('after five minutes it is finished all the same, and the next slice reads them', async () => {
  const pages = sectionSite(3);
  await using site = await serve(pages);
  await using crawl = await open(site);
  await visitAll(crawl, site, pages);
  const states = async () => (await crawl.store.listRuns(crawl.crawlerId, 1)).map(({ state }) => state);
  await crawl.sweep();
  expect(await states()).toEqual(['finishing']);
  crawl.clock.skip(5 * 60_000);

  await crawl.sweep();

  expect(await states()).toEqual(['finished']);
  await crawl.slice(0);
  expect(await faults(crawl, site, pages)).toEqual({ framed: [], cut: [] });
});

test('a kept page whose bytes are damaged keeps the text that it has, and the run ends', async () => {
  const pages = sectionSite(3);
  await using site = await serve(pages);
  await using crawl = await open(site);
  await visitAll(crawl, site, pages);
  expect((await keptOf(crawl)).length).toBeGreaterThan(0);
  using file = new DatabaseSync(storePath(crawl.dataDir, { kind: 'engine', engineId: 1 }));
  file.exec("UPDATE pending_pages SET body = x'00'");

  await crawl.crawl();

  expect(await keptOf(crawl)).toEqual([]);
  expect(await crawl.store.livingRunsOf(crawl.crawlerId)).toEqual([]);
});

test('while a run goes on, one page more is no reason to read all pages of a small site again; its end is', async () => {
  const [more, held, ...pages] = templateSite(8, 14);
  if (more === undefined || held === undefined) throw new Error('No pages');
  await using site = await serve(pages);
  await using crawl = await open(site);
  await crawl.crawl();
  const sizes = async () => new Map((await keptOf(crawl)).map(({ url, sampleSize }) => [url, sampleSize]));
  const before = await sizes();
  expect(before.size).toBeGreaterThan(10);
  let answer: (() => void) | undefined;
  site.set(more.path, { body: more.html });
  site.set(held.path, (_request, response) => {
    answer = () => sendPage(response, { body: held.html });
  });
  await crawl.queue(...[more, held].map(({ path }) => site.origin + path));
  const slice = crawl.slice(0);
  await eventually(async () => {
    const record = await crawl.store.findUrl(crawl.crawlerId, site.origin + more.path);
    return record?.facts.state === 'live' && answer !== undefined;
  });
  const rules = compileCrawlRules(await crawl.crawler());
  const choose = () => reExtract({ ...crawl.sliceDeps, store: crawl.store }, { ...crawl, rules }, NEVER);

  const chosen = await choose();

  expect(chosen).toBe(0);
  answer?.();
  await slice;
  await crawl.crawl();
  const after = await sizes();
  for (const [url, size] of before) expect(after.get(url), url).toBeGreaterThan(size);
});

test('a site of few pages is left as it is, and its pages are kept for a week', async () => {
  const pages = templateSite(7, 9);
  await using site = await serve(pages);
  await using crawl = await open(site);

  await crawl.crawl();

  expect((await faults(crawl, site, pages)).framed).toHaveLength(9);
  expect((await keptOf(crawl)).length).toBeGreaterThanOrEqual(9);

  crawl.clock.skip(8 * 86_400_000);
  await crawl.run();
  await crawl.crawl();
  expect(await keptOf(crawl)).toEqual([]);
});
