import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 1.4, unknown members.
const SEARCH = '/api/v4/3/6/search';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const BODY = {
  query: '*',
  filter: { Category: ['a'] },
  PERPAGE: 3,
  topHitsFields: [{ field: 'Category', sizes: 2 }],
  rangeFacets: { Price: { fieldName: 'Price_number', ranges: [{ from: 1, upTo: 2 }] } },
  advancedPostFilter: { operator: 'And', filters: [{ field: 'Category', value: ['a'], comparisonOperator: 'Exists' }] },
  filters: { anything: ['is a field'] },
  nonsense: 1,
};

test('unknown members are ignored unless the request is strict', async () => {
  const lenient = await product.post(SEARCH, BODY, product.siteKey);
  const strict = await product.post(`${SEARCH}?Strict=TRUE`, BODY, product.siteKey);

  expect(lenient.status).toBe(200);
  expect(strict.status).toBe(400);
  expect(strict.body.errors).toEqual([
    { path: 'filter', message: '"filter" is not known; did you mean filters?' },
    { path: 'topHitsFields[0].sizes', message: '"topHitsFields[0].sizes" is not known; did you mean size?' },
    { path: 'rangeFacets.Price.ranges[0].upTo', message: '"rangeFacets.Price.ranges[0].upTo" is not known' },
    {
      path: 'advancedPostFilter.filters[0].value',
      message: '"advancedPostFilter.filters[0].value" is not known; did you mean values?',
    },
    { path: 'nonsense', message: '"nonsense" is not known' },
  ]);
});

test('a strict request without unknown members is answered as any other', async () => {
  const body = { query: 'solar', perPage: 1, postFilterOperator: 'AND', filters: { Category: ['x'] }, sort: {} };

  expect((await product.post(`${SEARCH}?strict=true`, body, product.siteKey)).status).toBe(200);
  expect((await product.post(`${SEARCH}?strict=false`, BODY, product.siteKey)).status).toBe(200);
});

test('fields of documents have any name, their members have not', async () => {
  const document = { id: 'strict-1', fields: { Anything: 'goes' } };
  const path = '/api/v4/3/index/17/documents?strict=true';

  expect((await product.put(path, [document])).status).toBe(200);
  expect((await product.put(path, [{ ...document, field: {} }])).body.errors).toEqual([
    { path: '[0].field', message: '"[0].field" is not known; did you mean fields?' },
  ]);
  await product.delete('/api/v4/3/index/17/documents?documentId=strict-1');
});

test('known and unknown faults are told together', async () => {
  const { body } = await product.post(`${SEARCH}?strict=true`, { query: 7, page1: 1 }, product.siteKey);

  expect(body.errors).toEqual([
    { path: 'page1', message: '"page1" is not known; did you mean page?' },
    { path: 'query', message: '"query" must be text and has at most 300 characters' },
  ]);
});

test.each([
  ['/api/v4/3/6/search', 'POST', { query: 1 }, 400, 'request.invalid'],
  ['/api/v4/3/6/nothing', 'POST', {}, 404, 'route.not-found'],
  ['/api/v4/3/6/search', 'GET', undefined, 405, 'request.wrong-method'],
])('the error of %s by %s has its stable code', async (path, method, body, status, errorCode) => {
  const answer = await product.send({ path, method, body, headers: { authorization: product.siteKey } });

  expect(answer).toMatchObject({ status, body: { code: status, errorCode } });
});
