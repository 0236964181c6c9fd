import { expect, test } from 'vitest';
import type { RecordedVisit } from '../../src/storage/engine/visits.ts';
import { CRAWLER, facts, openFrontier, pageDocument, urlOf, visited } from '../helpers/frontier.ts';

type Frontier = Awaited<ReturnType<typeof openFrontier>>;

/** Adds and visits pages; resolves with their ids by path. */
async function visit(frontier: Frontier, pages: Readonly<Record<string, Partial<RecordedVisit>>>, at = 1_000) {
  await frontier.add(Object.keys(pages), { enqueue: 'always' }, at);
  const lane = await frontier.lane('crawl-1', 1);
  const rows = await frontier.take(lane, 100, at);
  await frontier.record(
    lane,
    rows.map((row) => visited(row, { document: { put: pageDocument(row.url) }, ...pages[new URL(row.url).pathname] })),
    at,
  );
  await frontier.store.freeLane(lane);
  return new Map(rows.map((row) => [new URL(row.url).pathname, row.urlId]));
}

const content = (contentHash: string, more = {}) => ({
  record: facts({ contentHash, similarity: '-1', contentChars: 500, ...more }),
});
const waiting = async (frontier: Frontier, at = 9_000) =>
  (await frontier.take(await frontier.lane('crawl-1', 1), 100, at)).map(({ url }) => new URL(url).pathname).sort();

test('promise 1: only live records are seen, by content and in steps', async () => {
  await using frontier = await openFrontier();
  const ids = await visit(frontier, {
    '/a': content('-7'),
    '/b': content('-7'),
    '/c': content('-7', { state: 'gone' }),
    '/d': content('8', { contentChars: 10 }),
  });
  const { store } = frontier;

  const same = await store.sameContent(CRAWLER, '-7');
  expect(same.map(({ url }) => url).sort()).toEqual([urlOf('/a'), urlOf('/b')]);
  const first = await store.contentAfter({ crawlerId: CRAWLER, minChars: 200, after: 0, limit: 1 });
  const rest = await store.contentAfter({ crawlerId: CRAWLER, minChars: 200, after: first[0]?.id ?? 0, limit: 9 });
  expect([...first, ...rest].map(({ id }) => id)).toEqual([ids.get('/a'), ids.get('/b')]);
  expect(rest[0]).toMatchObject({ content: [0xffffffff, 0xfffffff9], similarity: [0xffffffff, 0xffffffff] });
});

test('promise 2: collapsed records point to their keeper and lose their documents, unless they have changed', async () => {
  await using frontier = await openFrontier();
  const ids = await visit(frontier, { '/a': content('7'), '/b': content('7'), '/c': content('9') });
  const { store, runId } = frontier;
  const duplicates = ['/b', '/c'].map((path) => ({
    urlId: ids.get(path) ?? 0,
    url: urlOf(path),
    keeperId: ids.get('/a') ?? 0,
  }));

  expect(await store.collapseDuplicates({ crawlerId: CRAWLER, runId, now: 2_000, duplicates })).toBe(1);

  const documents = await store.listDocuments({ crawlerId: CRAWLER, after: 0, limit: 9 });
  expect(documents.map(({ id }) => id)).toEqual([urlOf('/a'), urlOf('/c')]);
  const listed = await store.listDuplicates({ crawlerId: CRAWLER, after: 0, limit: 9 });
  expect(listed).toEqual([{ id: ids.get('/b'), url: urlOf('/b'), duplicateOf: urlOf('/a') }]);
});

test('promise 3: a visit that wakes them makes duplicates due, and what names a page as canonical', async () => {
  await using frontier = await openFrontier();
  const target = { url: urlOf('/a'), origin: 'canonical', depth: 1, priority: 1, flags: 0, enqueue: 'if-new' } as const;
  const ids = await visit(frontier, {
    '/a': content('7'),
    '/b': { target, record: facts({ state: 'alias', reason: 'canonical' }), document: undefined },
    '/c': { target, record: facts({ state: 'alias', reason: 'redirect' }), document: undefined },
    '/d': { target, record: facts({ state: 'duplicate', reason: 'duplicate' }), document: undefined },
  });
  const urlId = ids.get('/a') ?? 0;

  await visit(frontier, { '/a': { ...content('8'), wakes: { urlId, which: 'duplicates' } } }, 2_000);
  expect(await waiting(frontier, 3_000)).toEqual(['/d']);
  await frontier.store.freeLane(await frontier.lane('crawl-1', 1));
  await frontier.add(['/a'], { enqueue: 'always' }, 20_000);
  await visit(frontier, { '/a': { ...content('9'), wakes: { urlId, which: 'all' } } }, 20_000);
  const woken = await waiting(frontier, 30_000);
  expect(woken).toContain('/b');
  expect(woken).not.toContain('/c');
});

test('promise 4: a page that keeps its document still points to the URL that too many name', async () => {
  await using frontier = await openFrontier();
  const target = { url: urlOf('/a'), origin: 'canonical', depth: 1, priority: 1, flags: 0, enqueue: 'if-new' } as const;
  const shared = { record: facts({ reason: 'canonical-shared', similarity: '5' }) };
  const ids = await visit(frontier, { '/a': content('7'), '/b': { ...shared, target } });

  await visit(frontier, { '/b': shared }, 2_000);

  expect(await frontier.store.declaringUrls(ids.get('/a') ?? 0)).toMatchObject([
    { id: ids.get('/b'), url: urlOf('/b'), reason: 'canonical-shared', similarity: '5' },
  ]);
});
