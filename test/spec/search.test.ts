import { afterAll, beforeAll, expect, test } from 'vitest';
import { D1, D3, D5, SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 2, cases 15, 16, 27, 28, 31, 32. Searches change nothing.
const SEARCH = '/api/v4/3/6/search';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

function search(body: object, path = SEARCH) {
  return product.post(path, body, SITE_KEY);
}

test('15 a search answers with every member, each once', async () => {
  const { status, body } = await search({ query: 'solar' });
  const again = await search({ query: 'solar' });

  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual([
    'Banners',
    'Facets',
    'FixedQuery',
    'GenerativeAnswerAvailable',
    'QueryId',
    'Quicklinks',
    'RangeFacets',
    'RelatedSearchDocuments',
    'ResponseTime',
    'Suggestions',
    'Synonyms',
    'TopHits',
    'TotalDocument',
    'TypedDocuments',
  ]);
  expect(body.TypedDocuments.map(({ Id }: { Id: string }) => Id).sort()).toEqual([D1, D3, D5].sort());
  expect(body).toMatchObject({ TotalDocument: 3, FixedQuery: '', Banners: [] });
  expect(body.QueryId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(again.body.QueryId).not.toBe(body.QueryId);
});

test('15 a hit has every member', async () => {
  const { body } = await search({ query: 'solar' });

  for (const [index, hit] of body.TypedDocuments.entries()) {
    expect(Object.keys(hit).sort()).toEqual([
      'FieldNames',
      'Fields',
      'Highlight',
      'Id',
      'ResultIndex',
      'Score',
      'Sortings',
      'TitleHasHighlight',
      'Type',
    ]);
    expect(hit.ResultIndex).toBe(index + 1);
    expect(hit.Fields.Id.Value).toBe(hit.Id);
    expect(Object.keys(hit.Fields.Title).sort()).toEqual(['Field', 'Highlights', 'IsArray', 'Value', 'Values']);
  }
});

test.each([
  [{ Category: ['News'] }, 1],
  [{ Category: null }, 3],
])('16 the facets %j narrow results and not the counts', async (facets, total) => {
  const { body } = await search({ query: 'solar', facets });

  expect(body.TotalDocument).toBe(total);
  expect(body.Facets.Category.Items.map(({ Key, Count }: { Key: string; Count: number }) => [Key, Count])).toEqual([
    ['Guides', 1],
    ['Manuals', 1],
    ['News', 1],
  ]);
});

test.each([
  ['300 characters', 'x'.repeat(300), 200],
  ['301 characters', 'x'.repeat(301), 400],
  ['300 emoji', '😀'.repeat(300), 200],
])('27 a query of %s', async (_case, query, status) => {
  expect((await search({ query })).status).toBe(status);
});

test.each([
  [10, 1000, 'v4', 200],
  [10_001, 1, 'v4', 400],
  [0, 10, 'v4', 400],
  [0, 10, 'v3', 200],
  [1, 0, 'v4', 400],
  [-1, 10, 'v3', 400],
])('28 page %i with %i per page on %s', async (page, perPage, version, status) => {
  const answer = await search({ query: '*', page, perPage }, `/api/${version}/3/6/search`);

  expect(answer.status).toBe(status);
  if (page === 10_001) expect(answer.body.message).toContain('10,000');
});

test.each([['*'], [''], ['  ']])('31 the query %j matches all', async (query) => {
  expect((await search({ query })).body.TotalDocument).toBe(6);
});

test.each([[{}], [{ query: 5 }], [{ query: null }]])('31 the request %j is refused', async (body) => {
  const { status, body: answer } = await search(body);

  expect(status).toBe(400);
  expect(answer.errors).toEqual([{ path: 'query', message: answer.message }]);
});

test('32 named fields come with Id and Url', async () => {
  const { body } = await search({ query: 'solar', fields: ['Title'] });

  for (const { Fields, FieldNames } of body.TypedDocuments) {
    expect(Object.keys(Fields).sort()).toEqual(['Id', 'Title', 'Url']);
    expect(FieldNames).toEqual(Object.keys(Fields));
  }
});

test('camel case starts member names lower, and leaves field names and values', async () => {
  const { body } = await search({ query: 'solar' }, `${SEARCH}?casing=camel`);

  expect(body.typedDocuments[0].fields.Title.value).toEqual(expect.any(String));
  expect(Object.keys(body).filter((name) => /^[A-Z]/.test(name))).toEqual([]);
});
