import { expect, test } from 'vitest';
import { startAdminApi } from '../../helpers/admin-api.ts';

/** An engine with one crawler and two documents, indexed. */
async function startWithDocuments() {
  const api = await startAdminApi();
  const { body: customer } = await api.post('/customers', { name: 'Example' });
  const { body: engine } = await api.post('/engines', { customer: customer.id, name: 'Docs' });
  const { body: crawler } = await api.post('/crawlers', { engine: engine.id, name: 'Site' });
  const store = await api.deps.engineStores.of(engine.id);
  const page = (id: string, title: string, category: string) => ({
    id,
    kind: 'PageContent' as const,
    language: 'en',
    origin: 'pushed' as const,
    fields: new Map([
      ['Title', [title]],
      ['Category', [category]],
    ]),
  });
  await store.putDocuments(crawler.id, [page('a', 'VACUUM', 'Guides'), page('b', 'Wind', 'News')], 1);
  const index = async (after: number) => {
    const writer = api.deps.searchIndex.writer(engine.id);
    writer.apply(await store.changesAfter(after, { rows: 10, bytes: 1e6 }));
    await writer.refresh();
  };
  await index(0);
  const explain = (body: object) => api.post(`/engines/${engine.id}/explain`, body);
  return { api, explain, crawler, store, index, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

test('a hit is explained with its place and score', async () => {
  await using engine = await startWithDocuments();

  const { status, body } = await engine.explain({ id: 'a', search: { query: 'vacuum' } });

  expect(status).toBe(200);
  expect(body).toMatchObject({ isHit: true, rank: 1, pin: null, reason: null, rid: 1, indexSeq: 2, documentSeq: 1 });
  expect(body.score).toMatchObject({ name: 'score', parts: [{ name: 'relevance' }] });
});

test('a document that is no hit is told why, with the values it has', async () => {
  await using engine = await startWithDocuments();
  const reason = async (body: object) => (await engine.explain(body)).body.reason;

  expect(await reason({ id: 'b', search: { query: 'vacuum' } })).toMatchObject({
    cause: 'words',
    clause: { kind: 'word', text: 'vacuum' },
  });
  expect(await reason({ id: 'b', search: { query: '*', filters: { Category: ['Guides'] } } })).toMatchObject({
    cause: 'filter',
    condition: { field: 'Category' },
    values: ['News'],
  });
  expect(await reason({ id: 'z', crawler: engine.crawler.id, search: { query: '*' } })).toMatchObject({
    cause: 'unknown',
  });
});

test('a document that was deleted is told from one that never was', async () => {
  await using engine = await startWithDocuments();
  await engine.store.deleteDocuments(engine.crawler.id, ['a'], 2);
  await engine.index(2);
  const reason = async (id: string) => (await engine.explain({ id, search: { query: '*' } })).body.reason;

  expect(await reason('a')).toMatchObject({ cause: 'deleted' });
  expect(await reason('z')).toMatchObject({ cause: 'unknown' });
});

test('a document that is stored but not indexed yet is told so', async () => {
  await using engine = await startWithDocuments();
  const fields = new Map([['Title', ['New']]]);
  await engine.store.putDocuments(
    engine.crawler.id,
    [{ id: 'c', kind: 'PageContent', origin: 'pushed', language: 'en', fields }],
    2,
  );

  const { body } = await engine.explain({ id: 'c', search: { query: 'new' } });

  expect(body).toMatchObject({ isHit: false, indexSeq: 2, documentSeq: 3, reason: { cause: 'waiting' } });
});

test.each<[what: string, body: object, path: string]>([
  ['no id', { search: { query: 'a' } }, 'id'],
  ['no search', { id: 'a' }, 'search'],
  ['an unknown member', { id: 'a', search: { query: 'a' }, page: 2 }, 'page'],
  ['a wrong search', { id: 'a', search: { query: 'a', page: 'x' } }, 'page'],
])('%s is refused', async (_what, body, path) => {
  await using engine = await startWithDocuments();

  const answer = await engine.explain(body);

  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body.errors)).toContain(path);
});
