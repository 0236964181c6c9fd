import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOf } from '../../src/accounts/manage-keys.ts';
import { UNLIMITED } from '../helpers/api-settings.ts';
import { BASIC, basicOf, SITE_KEY, siteKeyOf } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 1, cases 1 to 14. None of these changes the shared product.
const SEARCH = '/api/v4/3/6/search';
const DOCUMENTS = '/api/v4/3/index/17/documents';
const ALL = { query: '*', page: 1, perPage: 10 };

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

test('1 a preflight is answered without credentials', async () => {
  const answer = await product.send({
    method: 'OPTIONS',
    path: SEARCH,
    headers: { origin: 'https://shop.example', 'access-control-request-headers': 'authorization,content-type' },
  });

  expect(answer).toMatchObject({
    status: 204,
    body: '',
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-max-age': '86400',
    },
  });
  expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
});

test('2 a refusal has the one body and is readable for other origins', async () => {
  const { status, headers, body } = await product.send({
    method: 'POST',
    path: SEARCH,
    headers: { origin: 'https://shop.example' },
    body: ALL,
  });

  expect(status).toBe(401);
  expect(body).toEqual({
    message: expect.any(String),
    status: 'Unauthorized',
    code: 401,
    messages: [body.message, `Support reference: ${body.requestId}`],
    requestId: headers['x-request-id'],
    errorCode: 'auth.invalid',
  });
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
    'www-authenticate': 'Basic realm="search"',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
});

test.each(
  ['v3', 'v4'].flatMap((version) =>
    [SITE_KEY, BASIC].flatMap((auth) => [auth, auth.replace(/^\w+/, lower)].map((header) => [version, header])),
  ),
)('3 a search on %s with %s', async (version, auth) => {
  const { status, body } = await product.post(`/api/${version}/3/6/search`, ALL, auth);

  expect({ status, total: body.TotalDocument }).toEqual({ status: 200, total: 6 });
});

test.each([
  ['SiteKey Mzo2OnNlYXJjaGtleQ=='],
  ['SiteKey Mzo2'],
  ['Bearer abc'],
  ['Basic %%%'],
  ['Basic Mzo2OlNlYXJjaEtleQ=='],
  [siteKeyOf(3, 7)],
])('4 %s is not valid', async (auth) => {
  expect((await product.post(SEARCH, ALL, auth)).status).toBe(401);
});

test('5 an engine of another customer looks like one that does not exist', async () => {
  const foreign = await product.post('/api/v4/3/8/search', ALL);
  const missing = await product.post('/api/v4/3/999/search', ALL);

  expect([foreign.status, missing.status]).toEqual([403, 403]);
  expect(foreign.body.message).toBe(missing.body.message);
  expect((await product.post('/api/v4/4/8/search', ALL)).status).toBe(401);
});

test.each([
  ['PUT', DOCUMENTS],
  ['POST', '/api/v4/3/crawler/17/paths'],
  ['GET', '/api/banners/site/6'],
  ['POST', '/api/synonymsgroup'],
])('6 a SiteKey may not %s %s', async (method, path) => {
  const answer = await product.send({ method, path, headers: { authorization: SITE_KEY } });

  expect(answer.status).toBe(403);
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
});

test.each(
  ['19', '999', 'abc'].flatMap((crawler) => [
    ['PUT', `/api/v4/3/index/${crawler}/documents`],
    ['PATCH', `/api/v4/3/index/${crawler}/documents`],
    ['DELETE', `/api/v4/3/index/${crawler}/documents?documentId=x`],
    ['POST', `/api/v4/3/index/${crawler}/documents/bulk-delete`],
    ['POST', `/api/v4/3/crawler/${crawler}/paths`],
  ]),
)('7 %s %s is not found', async (method, path) => {
  expect((await product.send({ method, path, headers: { authorization: BASIC } })).status).toBe(404);
});

test.each([
  ['answer', { question: 'How long does a panel last?' }],
  ['answer/stream', { question: 'How long does a panel last?' }],
  ['summarize', { query: 'solar', sources: [{ id: 'item-6' }] }],
  ['summarize/stream', { query: 'solar', sources: [{ id: 'item-6' }] }],
])('8 %s needs an engine with AI', async (name, body) => {
  expect((await product.post(`/api/v4/3/7/search/${name}`, body)).status).toBe(403);
});

test.each([['/API/V4/3/6/Search/'], ['/api/v4/3/6//search']])('9 %s is the search', async (path) => {
  expect((await product.post(path, ALL)).status).toBe(200);
});

test('9 another method names those that are allowed', async () => {
  expect(await product.send({ path: SEARCH })).toMatchObject({
    status: 405,
    headers: { allow: 'POST', 'access-control-allow-origin': '*' },
    body: { code: 405, status: 'Method Not Allowed' },
  });
});

test.each([
  ['POST', '/api/v4/3/6/search/pushstat/querylog'],
  ['POST', '/api/v3/3/6/search/answer'],
  ['PUT', '/api/v3/3/index/17/documents'],
  ['GET', '/api/v4/banners/1'],
])('10 %s %s does not exist', async (method, path) => {
  const answer = await product.send({ method, path, headers: { authorization: BASIC } });

  expect(answer).toMatchObject({ status: 404, body: { code: 404, status: 'Not Found' } });
});

test.each([['{'], [''], ['[]'], ['"x"'], ['null'], ['{"query":"x",}']])('11 the body %j is refused', async (raw) => {
  const answer = await product.send({ method: 'POST', path: SEARCH, headers: { authorization: SITE_KEY }, body: raw });

  expect(answer).toMatchObject({ status: 400, body: { code: 400, message: expect.any(String) } });
});

test('12 unknown members are ignored', async () => {
  const { status, body } = await product.post(
    SEARCH,
    { query: 'solar', pageSize: 1, skip: 2, brandNew: { a: [1] } },
    SITE_KEY,
  );

  expect({ status, hits: body.TypedDocuments?.length }).toEqual({ status: 200, hits: 3 });
});

test('13 credentials of the other region are not valid', async () => {
  const credentials = basicOf(10_000_001, 'key');
  await using european = await startProduct({ settings: { region: 'eu' } });
  await using everywhere = await startProduct();
  for (const product of [european, everywhere]) {
    await product.changeRecords(
      { kind: 'put-customer', id: 10_000_001, name: 'Far' },
      { kind: 'add-key', customerId: 10_000_001, name: 'main', sha256: digestOf('key'), last4: '' },
    );
  }

  expect((await european.post('/api/v4/10000001/6/search', ALL, credentials)).status).toBe(401);
  expect((await everywhere.post('/api/v4/10000001/6/search', ALL, credentials)).status).toBe(403);
});

test('14 too many calls are refused with the time to wait', async () => {
  await using limited = await startProduct({
    settings: { rates: { ...UNLIMITED, search: { perSecond: 1, burst: 1 } } },
  });

  const answers = await Promise.all(Array.from({ length: 5 }, () => limited.send(searchOf(SITE_KEY))));

  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers, body } of refused) {
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(headers).toMatchObject({ 'ratelimit-limit': '1', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' });
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*' });
    expect(body).toMatchObject({ code: 429, status: 'Too Many Requests', requestId: headers['x-request-id'] });
  }
  expect((await limited.send(searchOf(BASIC))).status).not.toBe(429);
});

function searchOf(authorization: string) {
  return { method: 'POST', path: SEARCH, headers: { authorization }, body: ALL };
}

function lower(word: string): string {
  return word.toLowerCase();
}
