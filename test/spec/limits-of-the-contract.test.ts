import { afterAll, beforeAll, expect, test } from 'vitest';
import { SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 2.1, 2.9. What visitors of other engines know and this interface has no words for (decision 152): what
// happens in its place.
const PAGES = [
  { id: 'tunnel', Title: 'The tunnel', Content: 'Below the lock leads a tunnel for barges.' },
  { id: 'boats', Title: 'Boats', Content: 'Boats are kept on the left bank.' },
];
const OTHERS = Array.from({ length: 30 }, (_, i) => ({
  id: `other-${i}`,
  Title: `Notes ${i}`,
  Content: `Kept by the yard in winter ${i}.`,
}));

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const documents = [...PAGES, ...OTHERS].map(({ id, ...fields }) => ({ id, fields: { Language: 'en', ...fields } }));
  const put = await product.put('/api/v4/3/index/17/documents?refresh=wait', documents);
  expect(put.status).toBe(200);
});
afterAll(() => product[Symbol.asyncDispose]());

type Hit = { readonly Id: string; readonly Highlight: Readonly<Record<string, string>> };

async function search(query: string, more: object = {}) {
  const body = { query, highlight: true, ...more };
  const answer = await product.post('/api/v4/3/6/search', body, SITE_KEY);
  expect(answer.status).toBe(200);
  const hits: readonly Hit[] = answer.body.TypedDocuments;
  const { FixedQuery, TotalDocument } = answer.body;
  return { FixedQuery, TotalDocument, hits, ids: hits.map(({ Id }) => Id).sort() };
}

test('a misspelt word beside one that matches is searched with near words: marks show which, `FixedQuery` says nothing', async () => {
  const { FixedQuery, ids, hits } = await search('tunel boats');

  expect(FixedQuery).toBe('');
  expect(ids).toEqual(['boats', 'tunnel']);
  expect(hits.find(({ Id }) => Id === 'tunnel')?.Highlight['Title']).toBe('The <b>tunnel</b>');
});

test('a search takes no word as a beginning, whatever its context: autocomplete does', async () => {
  expect((await search('tunn', { searchContext: 'SAYT' })).ids).not.toContain('boats');
  const { ids, TotalDocument } = await search('bar', { searchContext: 'SAYT' });
  const plain = await search('bar');
  expect({ ids, TotalDocument }).toEqual({ ids: plain.ids, TotalDocument: plain.TotalDocument });
  expect(ids).not.toContain('tunnel');

  const typed = await product.get('/api/v4/3/6/autocomplete?query=bar', SITE_KEY);

  expect(JSON.stringify(typed.body)).toContain('The tunnel');
});
