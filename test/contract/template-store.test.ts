import { describe, expect, test } from 'vitest';
import type { NewDocument } from '../../src/core/document.ts';
import { FOLDER_PAGES, MAX_FOLDER_PAGES } from '../../src/storage/engine/folder-pages.ts';
import {
  MAX_PENDING_OF_HOST,
  MAX_PENDING_PAGES,
  type PageTemplates,
  type PendingPage,
  rankOfPage,
  SAMPLED_PAGES,
} from '../../src/storage/engine/templates.ts';
import type { RecordedVisit } from '../../src/storage/engine/visits.ts';
import { CRAWLER, facts, openFrontier, urlOf, visited } from '../helpers/frontier.ts';

type Frontier = Awaited<ReturnType<typeof openFrontier>>;

const bytes = (body: string) => ({ source: '{"of":"it"}', body: Buffer.from(body), sampleSize: 3 });
const hashOf = (number: number) => number.toString(16).padStart(16, '0');
const blocksOf = (...numbers: readonly number[]): PageTemplates => ({
  blocks: numbers.map(hashOf),
  folder: undefined,
  kept: undefined,
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
  const lane = await frontier.lane('crawl-1', 1);
  const rows = await frontier.take(lane, paths.length, at);
  const visits = rows.map((row) => visited(row, of(new URL(row.url).pathname, row.urlId)));
  for (let from = 0; from < visits.length; from += 16) await frontier.record(lane, visits.slice(from, from + 16), at);
  await frontier.store.freeLane(lane);
  return ids;
}

const put = (path: string, templates: PageTemplates | undefined, content = path): Partial<RecordedVisit> =>
  live({ document: { put: document(urlOf(path), content) }, templates });

const keptOf = ({ store }: Frontier) => store.listPendingPages({ crawlerId: CRAWLER, after: 0, limit: 5_000 });

test('promise 1: the pages of lowest rank are known, in whatever order they come', async () => {
  await using frontier = await openFrontier();
  const paths = Array.from({ length: 100 }, (_, at) => `/page/${at}`);

  const early = await visit(frontier, paths.slice(0, 70), (path, id) => put(path, blocksOf(id)));
  const late = await visit(frontier, paths.slice(70).reverse(), (path, id) => put(path, blocksOf(id)));

  const { id: hostId } = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
  const lowest = [...early, ...late].sort((a, b) => rankOfPage(a) - rankOfPage(b)).slice(0, SAMPLED_PAGES);
  expect((await frontier.store.templatesOf([hostId]))[0]?.sampled).toEqual(
    lowest.map((urlId) => ({ urlId, blocks: [hashOf(urlId)] })),
  );
  expect((await frontier.store.templatesOf([hostId + 1]))[0]?.sampled).toEqual([]);
});

test('promise 1: a visit replaces what is known of its page', async () => {
  await using frontier = await openFrontier();
  const [urlId] = await visit(frontier, ['/a'], (path) => put(path, blocksOf(1, 2)));

  await visit(frontier, ['/a'], (path) => put(path, blocksOf(2, 0xfedcba98)), 2_000);

  const { id: hostId } = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
  expect((await frontier.store.templatesOf([hostId]))[0]?.sampled).toEqual([
    { urlId, blocks: [hashOf(2), '00000000fedcba98'] },
  ]);
});

const inFolder = (folder: string, ...numbers: readonly number[]): PageTemplates => ({
  ...blocksOf(...numbers),
  folder,
});
const packed = (...numbers: readonly number[]) => Buffer.from(numbers.map(hashOf).join(''), 'hex');
const byRank = (a: number, b: number) => rankOfPage(a) - rankOfPage(b);
const foldersOf = async ({ store }: Frontier) => {
  const { id: hostId } = await store.ensureHost(CRAWLER, 'https://site.example');
  return ((await store.templatesOf([hostId]))[0]?.inFolders ?? []).map(({ blocks, ...page }) => ({
    ...page,
    blocks: Buffer.from(blocks),
  }));
};

test('promise 2: of each folder the pages of lowest rank are known', async () => {
  await using frontier = await openFrontier();
  const paths = Array.from({ length: 2 * FOLDER_PAGES }, (_, at) => `/page/${at}`);

  const some = await visit(frontier, paths.slice(0, 30), (_, id) => put('/', inFolder('/a/', id)));
  const others = await visit(frontier, paths.slice(30), (_, id) => put('/', inFolder('/a/', id)));
  const [alone = 0] = await visit(frontier, ['/other'], (_, id) => put('/', inFolder('/a/b/', id)));

  const lowest = [...some, ...others].sort(byRank).slice(0, FOLDER_PAGES);
  expect(await foldersOf(frontier)).toEqual([
    ...lowest.map((urlId) => ({ urlId, folder: '/a/', blocks: packed(urlId) })),
    { urlId: alone, folder: '/a/b/', blocks: packed(alone) },
  ]);
});

test('promise 2: a visit replaces what is known of its page', async () => {
  await using frontier = await openFrontier();
  const [urlId] = await visit(frontier, ['/a'], () => put('/a', inFolder('/', 1, 2)));

  await visit(frontier, ['/a'], () => put('/a', inFolder('/', 3)), 2_000);

  expect(await foldersOf(frontier)).toEqual([{ urlId, folder: '/', blocks: packed(3) }]);
});

test('promise 2: of all folders of a host no more pages are known than the limit, those of the lowest ranks', async () => {
  await using frontier = await openFrontier();
  const paths = Array.from({ length: MAX_FOLDER_PAGES + 20 }, (_, at) => `/page/${at}`);

  const ids = await visit(frontier, paths, (path, id) => put(path, inFolder(`${path}/`, id)));

  const known = (await foldersOf(frontier)).map(({ urlId }) => urlId);
  expect(known.sort(byRank)).toEqual([...ids].sort(byRank).slice(0, MAX_FOLDER_PAGES));
});

test('promise 3: blocks of a visit without a document are not recorded', async () => {
  await using frontier = await openFrontier();
  await visit(frontier, ['/a'], () => live({ templates: { blocks: [hashOf(1)], folder: '/', kept: bytes('[]') } }));

  const { id: hostId } = await frontier.store.ensureHost(CRAWLER, 'https://site.example');
  expect((await frontier.store.templatesOf([hostId]))[0]?.sampled).toEqual([]);
  expect((await frontier.store.templatesOf([hostId]))[0]?.inFolders).toEqual([]);
  expect(await keptOf(frontier)).toEqual([]);
});

test('promise 4: pages are kept as they came until they are dropped or visited', async () => {
  await using frontier = await openFrontier();
  const waits = (path: string) => put(path, { blocks: [], folder: undefined, kept: bytes(`${path} é`) });
  const ids = await visit(frontier, ['/a', '/b', '/c', '/d'], waits);

  const [a, ...others] = await keptOf(frontier);
  expect(a).toEqual({ urlId: ids[0], hostId: expect.any(Number), url: urlOf('/a'), at: 1_000, sampleSize: 3 });
  expect(others.map(({ url }) => url)).toEqual(['/b', '/c', '/d'].map(urlOf));
  const asked = [1_000, 999].map((at) => ({ urlId: ids[0] ?? 0, at }));
  const [read, other] = await frontier.store.readPendingPages(asked);
  expect([read?.source, Buffer.from(read?.body ?? []).toString()]).toEqual(['{"of":"it"}', '/a é']);
  expect(other).toBeUndefined();
  const listed = await frontier.store.listPendingPages({ crawlerId: CRAWLER, after: ids[1] ?? 0, limit: 1 });
  expect(listed.map(({ url }) => url)).toEqual([urlOf('/c')]);

  await visit(frontier, ['/a'], (path) => put(path, blocksOf(1)), 2_000);
  await visit(frontier, ['/b'], (path) => put(path, { blocks: [], folder: undefined, kept: bytes('new') }), 2_000);
  await visit(frontier, ['/d'], (path) => put(path, undefined), 2_000);
  await frontier.store.dropPendingPages([ids[2] ?? 0]);

  expect((await keptOf(frontier)).map(({ url, at }) => [url, at])).toEqual([[urlOf('/b'), 2_000]]);
});

test('promise 4: no more pages of a host are kept than its limit, and of a crawler than its own', async () => {
  await using frontier = await openFrontier();
  const pathsOf = (name: string, count: number) => Array.from({ length: count }, (_, at) => `/${name}/${at}`);
  const keep = (path: string) => put(path, { blocks: [], folder: undefined, kept: bytes('1') });
  await visit(frontier, pathsOf('page', MAX_PENDING_OF_HOST + 20), keep);
  expect(await keptOf(frontier)).toHaveLength(MAX_PENDING_OF_HOST);

  const { id: hostId } = await frontier.store.ensureHost(CRAWLER, 'https://other.example');
  const others = pathsOf('other', MAX_PENDING_PAGES - MAX_PENDING_OF_HOST + 20);
  await visit(frontier, others, (path) => ({ ...keep(path), hostId }));

  expect(await keptOf(frontier)).toHaveLength(MAX_PENDING_PAGES);
});

describe('promise 5: a page that is chosen again', () => {
  const again = ({ urlId, at, url }: PendingPage, content: string) => ({
    urlId,
    at,
    sampleSize: 12,
    document: document(url, content),
    contentHash: '-5',
    similarity: '7',
    contentChars: content.length,
  });
  const rechoose = ({ store }: Frontier, ...pages: ReturnType<typeof again>[]) =>
    store.rechoose({ crawlerId: CRAWLER, now: 3_000, pages });
  async function kept(frontier: Frontier) {
    await visit(frontier, ['/a'], (path) =>
      put(path, { blocks: [], folder: undefined, kept: bytes('1') }, 'text and menu'),
    );
    const [page] = await keptOf(frontier);
    if (page === undefined) throw new Error('No page is kept');
    return page;
  }

  test('gets its document and its record together', async () => {
    await using frontier = await openFrontier();
    const page = await kept(frontier);
    const before = await frontier.store.lastSeq();

    expect(await rechoose(frontier, again(page, 'text'))).toEqual([true]);

    const found = await frontier.store.findDocument(CRAWLER, urlOf('/a'));
    const record = await frontier.store.findUrl(CRAWLER, urlOf('/a'));
    expect(found?.fields.get('Content')).toEqual(['text']);
    expect(await frontier.store.lastSeq()).toBe(before + 1);
    expect(record?.facts).toMatchObject({ contentHash: '-5', similarity: '7', contentChars: 4 });
    expect((await keptOf(frontier)).map(({ sampleSize }) => sampleSize)).toEqual([12]);
  });

  test('and stays the same takes no seq', async () => {
    await using frontier = await openFrontier();
    const page = await kept(frontier);
    const before = await frontier.store.lastSeq();

    expect(await rechoose(frontier, again(page, 'text and menu'))).toEqual([true]);

    expect(await frontier.store.lastSeq()).toBe(before);
  });

  test.each<{ name: string; change: (frontier: Frontier) => Promise<unknown> }>([
    {
      name: 'was visited meanwhile',
      change: (frontier) =>
        visit(
          frontier,
          ['/a'],
          (path) => put(path, { blocks: [], folder: undefined, kept: bytes('2') }, 'newer'),
          2_000,
        ),
    },
    {
      name: 'was visited and chosen for good',
      change: (frontier) => visit(frontier, ['/a'], (path) => put(path, undefined, 'newer'), 2_000),
    },
    {
      name: 'has lost its document',
      change: ({ store }) => store.deleteDocuments(CRAWLER, [urlOf('/a')], 2_000),
    },
    {
      name: 'has had another text pushed over it',
      change: ({ store }) =>
        store.putDocuments(
          CRAWLER,
          [
            {
              ...{ id: urlOf('/a'), kind: 'PageContent', origin: 'pushed', language: 'en' },
              fields: new Map([['Content', ['pushed']]]),
            },
          ],
          2_000,
        ),
    },
  ])('stays as it is when it $name', async ({ change }) => {
    await using frontier = await openFrontier();
    const page = await kept(frontier);
    await visit(frontier, ['/b'], (path) => put(path, { blocks: [], folder: undefined, kept: bytes('1') }));
    const other = (await keptOf(frontier)).at(-1) ?? page;
    await change(frontier);
    const before = await frontier.store.lastSeq();

    expect(await rechoose(frontier, again(page, 'text'), again(other, 'its own'))).toEqual([false, true]);

    expect(await frontier.store.lastSeq()).toBe(before + 1);
    expect((await frontier.store.findUrl(CRAWLER, urlOf('/a')))?.facts.contentHash).not.toBe('-5');
    expect((await frontier.store.findUrl(CRAWLER, urlOf('/b')))?.facts.contentHash).toBe('-5');
  });
});
