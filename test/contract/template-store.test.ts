import { describe, expect, test } from 'vitest';
import type { NewDocument } from '../../src/core/document.ts';
import type { RecordedVisit } from '../../src/storage/frontier-store.ts';
import { MAX_UNVOTED_PAGES, type PageTemplates, rankOfPage, SAMPLED_PAGES } from '../../src/storage/template-store.ts';
import { CRAWLER, facts, openFrontier, urlOf, visited } from '../helpers/frontier.ts';

type Frontier = Awaited<ReturnType<typeof openFrontier>>;

const hashOf = (number: number) => number.toString(16).padStart(16, '0');
const blocksOf = (...numbers: readonly number[]): PageTemplates => ({
  blocks: numbers.map(hashOf),
  unvoted: undefined,
});

function document(url: string, content: string): NewDocument {
  const fields = new Map([['Content', [content]]]);
  return { id: url, kind: 'PageContent', fields, origin: 'crawled', language: 'en' };
}

const live = (more: Partial<RecordedVisit> = {}): Partial<RecordedVisit> => ({
  record: facts({ state: 'live', reason: 'new', contentHash: '1', similarity: '1', contentChars: 3 }),
  ...more,
});

/** Visits these pages; `of` = what is recorded of each. */
async function visit(
  frontier: Frontier,
  paths: readonly string[],
  of: (path: string, urlId: number) => Partial<RecordedVisit>,
  at = 1_000,
) {
  const ids = await frontier.add(paths, { enqueue: 'always' }, at);
  const lane = await frontier.lane('crawl-1', 1, at);
  const rows = await frontier.take(lane, paths.length, at);
  const visits = rows.map((row) => visited(row, of(new URL(row.url).pathname, row.urlId)));
  for (let from = 0; from < visits.length; from += 16) await frontier.record(lane, visits.slice(from, from + 16), at);
  await frontier.store.freeLane(lane);
  return ids;
}

const put = (path: string, templates: PageTemplates | undefined, content = path): Partial<RecordedVisit> =>
  live({ document: { put: document(urlOf(path), content) }, templates });

const unvotedOf = ({ store }: Frontier) => store.unvotedPages({ crawlerId: CRAWLER, after: 0, limit: 5_000 });

test('promise 1: the pages of lowest rank are known, in whatever order they come', async () => {
  await using frontier = await openFrontier();
  const paths = Array.from({ length: 100 }, (_, at) => `/page/${at}`);

  const early = await visit(frontier, paths.slice(0, 70), (path, id) => put(path, blocksOf(id)));
  const late = await visit(frontier, paths.slice(70).reverse(), (path, id) => put(path, blocksOf(id)));

  const { id: hostId } = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
  const lowest = [...early, ...late].sort((a, b) => rankOfPage(a) - rankOfPage(b)).slice(0, SAMPLED_PAGES);
  expect(await frontier.store.sampledPages(hostId)).toEqual(
    lowest.map((urlId) => ({ urlId, blocks: [hashOf(urlId)] })),
  );
  expect(await frontier.store.sampledPages(hostId + 1)).toEqual([]);
});

test('promise 1: a visit replaces what is known of its page', async () => {
  await using frontier = await openFrontier();
  const [urlId] = await visit(frontier, ['/a'], (path) => put(path, blocksOf(1, 2)));

  await visit(frontier, ['/a'], (path) => put(path, blocksOf(2, 0xfedcba98)), 2_000);

  const { id: hostId } = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
  expect(await frontier.store.sampledPages(hostId)).toEqual([{ urlId, blocks: [hashOf(2), '00000000fedcba98'] }]);
});

test('promise 2: blocks of a visit without a document are not recorded', async () => {
  await using frontier = await openFrontier();
  await visit(frontier, ['/a'], () => live({ templates: { blocks: [hashOf(1)], unvoted: '[]' } }));

  const { id: hostId } = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
  expect(await frontier.store.sampledPages(hostId)).toEqual([]);
  expect(await unvotedOf(frontier)).toEqual([]);
});

test('promise 3: pages wait with their blocks until they are dropped or visited', async () => {
  await using frontier = await openFrontier();
  const waits = (path: string) => put(path, { blocks: [], unvoted: JSON.stringify([path, 'é']) });
  const ids = await visit(frontier, ['/a', '/b', '/c', '/d'], waits);

  const [a, b, c, d] = await unvotedOf(frontier);
  expect(a).toMatchObject({ urlId: ids[0], url: urlOf('/a'), at: 1_000, blocks: '["/a","é"]' });
  expect([b, c, d].map((page) => page?.url)).toEqual(['/b', '/c', '/d'].map(urlOf));
  const listed = await frontier.store.unvotedPages({ crawlerId: CRAWLER, after: ids[1] ?? 0, limit: 1 });
  expect(listed.map(({ url }) => url)).toEqual([urlOf('/c')]);

  await visit(frontier, ['/a'], (path) => put(path, blocksOf(1)), 2_000);
  await visit(frontier, ['/b'], (path) => put(path, { blocks: [], unvoted: '"new"' }), 2_000);
  await visit(frontier, ['/d'], (path) => put(path, undefined), 2_000);
  await frontier.store.dropUnvoted([ids[2] ?? 0]);

  expect((await unvotedOf(frontier)).map(({ url, at, blocks }) => [url, at, blocks])).toEqual([
    [urlOf('/b'), 2_000, '"new"'],
  ]);
});

test('promise 3: no more pages of a crawler wait than the limit', async () => {
  await using frontier = await openFrontier();
  const paths = Array.from({ length: MAX_UNVOTED_PAGES + 20 }, (_, at) => `/page/${at}`);
  await visit(frontier, paths, (path) => put(path, { blocks: [], unvoted: '1' }));

  expect(await unvotedOf(frontier)).toHaveLength(MAX_UNVOTED_PAGES);
});

describe('promise 4: a page that is chosen again', () => {
  const again = (page: { urlId: number; at: number; url: string }, content: string) => ({
    ...page,
    crawlerId: CRAWLER,
    document: document(page.url, content),
    ...{ contentHash: '-5', similarity: '7', contentChars: content.length, now: 3_000 },
  });
  async function waiting(frontier: Frontier) {
    await visit(frontier, ['/a'], (path) => put(path, { blocks: [], unvoted: '1' }, 'text and menu'));
    const [page] = await unvotedOf(frontier);
    if (page === undefined) throw new Error('No page waits');
    return page;
  }

  test('gets its document and its record together', async () => {
    await using frontier = await openFrontier();
    const page = await waiting(frontier);
    const before = await frontier.store.lastSeq();

    expect(await frontier.store.rechoose(again(page, 'text'))).toBe(true);

    const found = await frontier.store.findDocument(CRAWLER, urlOf('/a'));
    const record = await frontier.store.findUrl(CRAWLER, urlOf('/a'));
    expect(found?.fields.get('Content')).toEqual(['text']);
    expect(await frontier.store.lastSeq()).toBe(before + 1);
    expect(record?.facts).toMatchObject({ contentHash: '-5', similarity: '7', contentChars: 4 });
  });

  test('and stays the same takes no seq', async () => {
    await using frontier = await openFrontier();
    const page = await waiting(frontier);
    const before = await frontier.store.lastSeq();

    expect(await frontier.store.rechoose(again(page, 'text and menu'))).toBe(true);

    expect(await frontier.store.lastSeq()).toBe(before);
  });

  test.each<{ name: string; change: (frontier: Frontier) => Promise<unknown> }>([
    {
      name: 'was visited meanwhile',
      change: (frontier) => visit(frontier, ['/a'], (path) => put(path, { blocks: [], unvoted: '2' }, 'newer'), 2_000),
    },
    {
      name: 'was visited and chosen for good',
      change: (frontier) => visit(frontier, ['/a'], (path) => put(path, undefined, 'newer'), 2_000),
    },
    {
      name: 'has lost its document',
      change: ({ store }) => store.deleteDocuments(CRAWLER, [urlOf('/a')], 2_000),
    },
  ])('stays as it is when it $name', async ({ change }) => {
    await using frontier = await openFrontier();
    const page = await waiting(frontier);
    await change(frontier);
    const before = await frontier.store.lastSeq();

    expect(await frontier.store.rechoose(again(page, 'text'))).toBe(false);

    expect(await frontier.store.lastSeq()).toBe(before);
    expect((await frontier.store.findUrl(CRAWLER, urlOf('/a')))?.facts.contentHash).not.toBe('-5');
  });
});
