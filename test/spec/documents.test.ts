import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '../../src/observability/logger.ts';
import { eventually } from '../helpers/eventually.ts';
import { BASIC } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';
import { silentLog } from '../helpers/silent-log.ts';

// Contract: 8, cases 65 to 72.
const DOCUMENTS = '/api/v4/3/index/17/documents';
const BULK_DELETE = `${DOCUMENTS}/bulk-delete`;
const CONTENT = '/api/v3/3/content/17';
const NO_MATCH = { success: true, deleted: 0, failed: 0, reason: 'No documents match the given filters' };

const idFilter = (id: string) => ({ query: '*', filters: { Id: [id] } });

/** For what changes nothing. */
let shared: Product;
beforeAll(async () => {
  shared = await startProduct();
});
afterAll(() => shared[Symbol.asyncDispose]());

async function find(product: Product, id: string) {
  const { body } = await product.post('/api/v4/3/6/search', idFilter(id), product.siteKey);
  return body.TypedDocuments?.[0];
}

async function count(product: Product, request: object): Promise<number> {
  return (await product.post('/api/v4/3/6/search', request, product.siteKey)).body.TotalDocument;
}

test('65 documents are stored in order and found within a second', async () => {
  await using product = await startProduct();
  const fields = (name: string) => ({ Title: name, Url: `https://example.com/${name}`, Price_number: '12.50' });

  const { status, body } = await product.put(DOCUMENTS, [
    { id: 'item-a', fields: fields('alpha') },
    { id: 'item-b', type: 'FileContent', fields: fields('beta') },
  ]);

  expect(status).toBe(200);
  expect(body).toEqual([
    { document: { id: 'item-a', type: 'PageContent', fields: fields('alpha') }, reason: 'Indexed', success: true },
    { document: { id: 'item-b', type: 'FileContent', fields: fields('beta') }, reason: 'Indexed', success: true },
  ]);
  const found = await eventually(async () => {
    const hits = [await find(product, 'item-a'), await find(product, 'item-b')];
    return hits.every((hit) => hit !== undefined) && hits;
  }, 1_000);
  expect(found.map(({ Type }) => Type)).toEqual(['PageContent', 'FileContent']);
});

test('66 a partial update keeps the other fields, a replacement does not', async () => {
  await using product = await startProduct();
  const wait = `${DOCUMENTS}?refresh=wait`;
  const priced = (price: string) => ({ query: '*', filters: { Price_number: [price] } });
  await product.put(wait, [{ id: 'item-a', type: 'FileContent', fields: { Title: 'Alpha', Price_number: '77' } }]);

  const patched = await product.patch(wait, [{ id: 'item-a', fields: { Price_number: 78 } }]);

  expect(patched).toEqual({
    status: 200,
    body: [
      {
        document: { id: 'item-a', type: 'FileContent', fields: { Price_number: '78' } },
        reason: 'Updated',
        success: true,
      },
    ],
  });
  expect((await find(product, 'item-a')).Fields.Title.Value).toBe('Alpha');
  expect([await count(product, priced('77')), await count(product, priced('78'))]).toEqual([0, 1]);
  await product.put(wait, [{ id: 'item-a', fields: { Title: 'Beta' } }]);
  expect((await find(product, 'item-a')).Fields).not.toHaveProperty('Price_number');
});

test('67 one bad document refuses the whole request', async () => {
  await using product = await startProduct();

  const { status, body } = await product.put(DOCUMENTS, [
    { id: 'ok', fields: {} },
    { id: 7, fields: {} },
  ]);

  expect(status).toBe(400);
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['[1].id']);
  await product.put(`${DOCUMENTS}?refresh=wait`, [{ id: 'later', fields: {} }]);
  expect(await find(product, 'ok')).toBeUndefined();
});

describe('67 what is no list of documents', () => {
  test.each([
    ['an object', { documents: [] }, ''],
    ['an unknown type', [{ id: 'v', type: 'Video', fields: {} }], '[0].type'],
    ['no id', [{ fields: {} }], '[0].id'],
    ['an empty id', [{ id: '', fields: {} }], '[0].id'],
    ['an id of 2,049 characters', [{ id: 'x'.repeat(2_049), fields: {} }], '[0].id'],
    ['no fields', [{ id: 'a' }], '[0].fields'],
    ['fields as a list', [{ id: 'a', fields: [] }], '[0].fields'],
    ['a nested object', [{ id: 'a', fields: { Title: {} } }], '[0].fields.Title'],
    ['a nested array', [{ id: 'a', fields: { Title: [['x']] } }], '[0].fields.Title[0]'],
    ['a null value in a list', [{ id: 'a', fields: { Title: ['x', null] } }], '[0].fields.Title[1]'],
    ['a long field name', [{ id: 'a', fields: { ['n'.repeat(257)]: 'x' } }], '[0].fields'],
    ['an empty field name', [{ id: 'a', fields: { '': 'x' } }], '[0].fields'],
    ['no object', ['a'], '[0]'],
  ])('%s', async (_case, body, path) => {
    for (const write of [shared.put, shared.patch]) {
      const answer = await write(DOCUMENTS, body);

      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].path).toBe(path);
      expect(answer.body.message).toBe(answer.body.errors[0].message);
    }
  });
});

test('68 an unknown id is not created by an update', async () => {
  const { status, body } = await shared.patch(`${DOCUMENTS}?refresh=wait`, [{ id: 'nobody', fields: { Title: 'x' } }]);

  expect(status).toBe(200);
  expect(body).toMatchObject([{ document: { id: 'nobody' }, reason: 'Document not found', success: false }]);
  expect(await find(shared, 'nobody')).toBeUndefined();
});

test('69 a document is deleted by its encoded id, once', async () => {
  await using product = await startProduct();
  const id = 'https://example.com/a b?x=1&y=ü#z';
  await product.put(DOCUMENTS, [{ id, fields: {} }]);
  const path = `${DOCUMENTS}?documentid=${encodeURIComponent(id)}`;

  expect(await product.delete(path)).toEqual({
    status: 200,
    body: { success: true, deleted: 1, failed: 0, reason: null },
  });
  expect(await product.delete(path)).toEqual({
    status: 200,
    body: { success: true, deleted: 0, failed: 0, reason: expect.any(String) },
  });
  for (const query of ['', '?documentId=', '?documentId=%20', '?id=x']) {
    expect((await product.delete(`${DOCUMENTS}${query}`)).status).toBe(400);
  }
});

test('a deletion ignores the parameters of other calls', async () => {
  await using product = await startProduct();
  await product.put(DOCUMENTS, [{ id: 'a', fields: {} }]);

  const answer = await product.delete(`${DOCUMENTS}?documentId=a&echo=perhaps`);

  expect(answer).toMatchObject({ status: 200, body: { deleted: 1 } });
});

test('69 a plus in the query string is a blank, and a body is ignored', async () => {
  await using product = await startProduct();
  await product.put(DOCUMENTS, [{ id: 'a b', fields: {} }]);

  const answer = await product.send({
    method: 'DELETE',
    path: `${DOCUMENTS}?documentId=a+b`,
    headers: { authorization: BASIC, 'content-type': 'nonsense' },
    body: '{',
  });

  expect(answer).toMatchObject({ status: 200, body: { deleted: 1 } });
});

test.each([
  [{}],
  [[]],
  [null],
  [{ Category: { operator: 'Zap', values: ['x'] } }],
  [{ Category: { values: ['x'] } }],
  [{ Category: { operator: 'Eq', values: [] } }],
  [{ Category: { operator: 'Eq' } }],
  [{ Category: { operator: 'Eq', values: 'x' } }],
  [{ Category: { operator: 'Lt', values: ['1', '2'] } }],
  [{ Category: { operator: 'Exists', values: ['x'] } }],
  [{ Category: 'x' }],
  [{ Category: null }],
])('70 bulk-delete of %j is refused and deletes nothing', async (body) => {
  expect((await shared.post(BULK_DELETE, body)).status).toBe(400);
  expect(await count(shared, { query: '*' })).toBe(6);
});

test.each([
  [{ Category: { operator: 'Eq', values: ['None'] } }],
  [{ Category: { operator: 'Eq', values: ['Manuals'] }, Price_number: { operator: 'Lt', values: ['50'] } }],
])('71 bulk-delete of %j matches nothing', async (body) => {
  expect(await shared.post(BULK_DELETE, body)).toEqual({ status: 200, body: NO_MATCH });
});

test('71 bulk-delete removes what fits every predicate', async () => {
  await using product = await startProduct();

  const answer = await product.post(`${BULK_DELETE}?refresh=wait`, {
    Category: { OPERATOR: 'eq', Values: ['Guides', 'News'] },
    Price_number: { operator: 'lt', values: [40] },
  });

  expect(answer).toEqual({ status: 200, body: { success: true, deleted: 3, failed: 0, reason: null } });
  expect(await count(product, { query: '*' })).toBe(3);
});

test('72 the older push and delete', async () => {
  await using product = await startProduct();
  const url = 'https://example.com/flat';

  const pushed = await product.post(`${CONTENT}/push`, [{ Title: 'Flat', Url: url, Type: 'PageContent', Rank: 5 }]);

  expect(pushed).toEqual({
    status: 200,
    body: {
      success: true,
      indexed: 1,
      failed: 0,
      reason: null,
      documents: [{ id: url, success: true, reason: 'Indexed' }],
    },
  });
  const { Fields } = await eventually(() => find(product, url));
  expect(Fields.Rank.Value).toBe('5');
  expect(Fields).not.toHaveProperty('Type');
  expect(await product.post(`${CONTENT}/delete`, [{ [url]: 'PageContent' }])).toMatchObject({
    status: 200,
    body: { deleted: 1, success: true },
  });
});

test('72 the older push and delete wait for the index when asked, too', async () => {
  await using product = await startProduct();
  const isFound = async () => (await find(product, 'waited')) !== undefined;

  await product.post(`${CONTENT}/push?refresh=wait`, [{ Id: 'waited', Title: 'x' }]);
  expect(await isFound()).toBe(true);
  await product.post(`${CONTENT}/delete?refresh=wait`, [{ waited: 'PageContent' }]);
  expect(await isFound()).toBe(false);
});

test('72 a delete whose kind differs from the stored one is done and logged', async () => {
  const warned: unknown[] = [];
  const log: Log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) };
  await using logged = await startProduct({ log });
  await logged.post(`${CONTENT}/push`, [{ Id: 'other-kind', Title: 'A page' }]);

  const { body } = await logged.post(`${CONTENT}/delete`, [{ 'other-kind': 'FileContent' }]);

  expect(body).toMatchObject({ success: true, deleted: 1 });
  expect(warned).toEqual([[{ crawlerId: 17, differing: 1 }, 'deleted documents of another kind']]);
});

test('72 a pushed object takes its id from Id, Url or a new UUID', async () => {
  await using product = await startProduct();

  const { body } = await product.post(`${CONTENT}/push`, [
    { ID: 'own', Url: 'https://example.com/x', Title: 'a' },
    { Title: 'b' },
  ]);

  expect(body.documents).toEqual([
    { id: 'own', success: true, reason: 'Indexed' },
    { id: expect.stringMatching(/^[0-9a-f-]{36}$/), success: true, reason: 'Indexed' },
  ]);
});

test.each([
  ['push', [{}]],
  ['push', [{ Id: 7 }]],
  ['push', [{ Id: 'a', Type: 'Video' }]],
  ['push', { Title: 'x' }],
  ['delete', [{ a: 'Video' }]],
  ['delete', { a: 'PageContent' }],
])('72 %s of %j is refused', async (name, body) => {
  expect((await shared.post(`${CONTENT}/${name}`, body)).status).toBe(400);
});

describe('limits and forms', () => {
  test('values become text, empty ones are left out of a new document and removed from an old one', async () => {
    await using product = await startProduct();
    const fields = { n: 10.5, b: true, list: ['a', 1, false], none: null, empty: [], blank: '' };

    const put = await product.put(DOCUMENTS, [{ id: 'a', fields }]);
    const patch = await product.patch(DOCUMENTS, [{ id: 'a', fields: { n: null } }]);

    expect(put.body[0].document.fields).toEqual({ n: '10.5', b: 'true', list: ['a', '1', 'false'], blank: '' });
    expect(patch.body[0].document.fields).toEqual({ n: [] });
  });

  test('refresh is wait in any case, or absent', async () => {
    expect((await shared.put(`${DOCUMENTS}?Refresh=WAIT`, [])).status).toBe(200);
    for (const refresh of ['', 'true', 'now']) {
      const query = `?documentId=nobody&refresh=${refresh}`;
      const answers = [
        await shared.put(`${DOCUMENTS}${query}`, []),
        await shared.patch(`${DOCUMENTS}${query}`, []),
        await shared.delete(`${DOCUMENTS}${query}`),
        await shared.post(`${BULK_DELETE}${query}`, { Category: { operator: 'Eq', values: ['None'] } }),
        await shared.post(`${CONTENT}/push${query}`, []),
        await shared.post(`${CONTENT}/delete${query}`, []),
      ];
      expect(answers.map(({ status, body }) => [status, body.errors[0].path])).toEqual(Array(6).fill([400, 'refresh']));
    }
  });

  test.each([
    ['numbers', '7'],
    ['texts', 'x'],
    ['dates', '2026-01-10'],
    ['points', '55.5,12.5'],
  ])('a field may have as many %s as the text limit lets in', async (name, value) => {
    await using product = await startProduct();
    const fields = { Title: 'Many', [`Many_${name}`]: Array(180_000).fill(value) };

    const { status, body } = await product.put(`${DOCUMENTS}?refresh=wait&echo=false`, [{ id: 'many', fields }]);

    expect({ status, success: body[0]?.success }).toEqual({ status: 200, success: true });
    expect(await count(product, { query: '*', filters: { Title: ['Many'] }, fields: ['Title'] })).toBe(1);
    expect(await count(product, { query: 'many', facets: [`Many_${name}`], fields: ['Title'] })).toBe(1);
  });

  test('echo=false leaves the fields out of the answer', async () => {
    await using product = await startProduct();

    const { body } = await product.put(`${DOCUMENTS}?ECHO=false`, [{ id: 'a', fields: { Title: 'x' } }]);

    expect(body[0].document.fields).toEqual({});
  });

  test('names of prototypes are ordinary field names', async () => {
    await using product = await startProduct();
    const document = '[{"id":"a","fields":{"__proto__":"x","constructor":"y","toString":"z"}}]';

    const { body } = await product.put(DOCUMENTS, document);

    expect(Object.entries(body[0].document.fields)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['toString', 'z'],
    ]);
  });

  test('a document over the text limit fails alone and keeps its older version', async () => {
    await using product = await startProduct({ maxDocumentBytes: 1_000 });
    await product.put(DOCUMENTS, [{ id: 'a', fields: { Title: 'old' } }]);

    const { status, body } = await product.put(`${DOCUMENTS}?refresh=wait`, [
      { id: 'a', fields: { Title: 'x'.repeat(1_001) } },
      { id: 'b', fields: { Title: 'new' } },
    ]);

    expect(status).toBe(200);
    expect(body).toMatchObject([{ reason: 'Document too large', success: false }, { success: true }]);
    expect((await find(product, 'a')).Fields.Title.Value).toBe('old');
  });

  test('a patch that would make a document larger than the text limit fails alone', async () => {
    await using product = await startProduct({ maxDocumentBytes: 1_000 });
    await product.put(DOCUMENTS, [{ id: 'a', fields: { Title: 'x'.repeat(600) } }]);

    const { status, body } = await product.patch(`${DOCUMENTS}?refresh=wait`, [
      { id: 'a', fields: { Content: 'y'.repeat(401) } },
      { id: 'a', fields: { Content: 'y'.repeat(400) } },
      { id: 'a', fields: { Title: 'x' } },
    ]);

    expect(status).toBe(200);
    expect(body).toMatchObject([
      { reason: 'Document too large', success: false },
      { reason: 'Updated', success: true },
      { reason: 'Updated', success: true },
    ]);
    expect((await find(product, 'a')).Fields.Content.Value).toBe('y'.repeat(400));
  });

  test('too many documents and too many bytes are too large', async () => {
    await using product = await startProduct({ settings: { maxDocumentsPerRequest: 10, maxDocumentsBytes: 5_000 } });
    const documents = Array.from({ length: 11 }, (_, i) => ({ id: `n${i}`, fields: {} }));

    expect((await product.put(DOCUMENTS, documents)).status).toBe(413);
    expect((await product.put(DOCUMENTS, [{ id: 'a', fields: { Title: 'x'.repeat(5_000) } }])).status).toBe(413);
    expect((await product.put(DOCUMENTS, documents.slice(1))).status).toBe(200);
  });

  test('nothing sent is nothing stored', async () => {
    expect(await shared.put(DOCUMENTS, [])).toEqual({ status: 200, body: [] });
  });
});
