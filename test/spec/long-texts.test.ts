import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 1.9, 11. A text at the limit of a document is searched like any other: nothing may cost its square.
const DOCUMENTS = '/api/v4/3/index/17/documents?refresh=wait&echo=false';
const CHARS = 1_900_000;

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

test.each([
  ['Title', 'quince '],
  ['Title', 'the quince '],
  ['Content', 'quince '],
  ['Content', '- quince\n'],
  ['Content', 'quince. '],
  ['Title', '漢字'],
])('%s of %j throughout', async (field, part) => {
  const text = part.repeat(CHARS / Buffer.byteLength(part));
  await product.put(DOCUMENTS, [{ id: 'long', fields: { [field]: text } }]);
  const query = part.startsWith('漢') ? '漢字' : part.replace(/[^a-z ]/g, '');

  const { status, body } = await product.post('/api/v4/3/6/search', { query, highlight: true, fields: ['Id'] });

  expect({ status, ids: body.TypedDocuments?.map(({ Id }: { Id: string }) => Id) }).toEqual({
    status: 200,
    ids: ['long'],
  });
});
