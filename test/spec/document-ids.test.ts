import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 8.1, 8.2. Ids are opaque: kept and compared as they were sent.
const DOCUMENTS = '/api/v4/3/index/17/documents';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

async function find(id: string) {
  const { body } = await product.post('/api/v4/3/6/search', { query: '*', filters: { Id: [id] } }, product.siteKey);
  return body.TypedDocuments[0];
}

const put = (id: string) => product.put(`${DOCUMENTS}?refresh=wait`, [{ id, fields: {} }]);
const remove = (encodedId: string) => product.delete(`${DOCUMENTS}?documentId=${encodedId}&refresh=wait`);

test.each([
  ...['a\u0000b', 'tab\t', '"', '\\', '%41', '%', 'a+b', '&=#?', '../..', ' lead', 'trail ', '*', '<b>', '__proto__'],
  ...['null', 'A', 'a', '\u00e9', 'e\u0301', 'İ', 'ß', '\ufeffmark', '\u202e', '\u{1f600}', 'x'.repeat(2_048)],
])('the id %j is found and deleted as sent', async (id) => {
  const { body } = await put(id);

  expect(body[0]).toMatchObject({ success: true, document: { id } });
  expect((await find(id)).Id).toBe(id);
  expect((await remove(encodeURIComponent(id))).body).toMatchObject({ deleted: 1, reason: null });
  expect(await find(id)).toBeUndefined();
});

test('an id of a query string that is not UTF-8 deletes nothing', async () => {
  await put('\ufffdx');

  const answer = await remove('%ffx');

  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: '' }] } });
  expect((await remove('%EF%BF%BDx')).body).toMatchObject({ deleted: 1 });
});

test.each([
  ['https://example.com/x', 'https://example.com/x'],
  ['HTTP://example.com', 'HTTP://example.com'],
  ['https:///x', ''],
  ['http:x', ''],
  ['ftp://example.com/', ''],
  ['/x', ''],
  ['x', ''],
])('a document %s without Url has the Url %j', async (id, url) => {
  await put(id);

  expect((await find(id)).Fields.Url.Value).toBe(url);
});
