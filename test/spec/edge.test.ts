import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UNLIMITED } from '../helpers/api-settings.ts';
import { BASIC, BASIC_4, FIXTURE_DOCUMENTS, SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 1.1, 1.2, 1.5, 1.7. None of these changes the shared product.
const SEARCH = '/api/v4/3/6/search';
const DOCUMENTS = '/api/v4/3/index/17/documents';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

describe('order of checks', () => {
  const invalid = '{';
  test.each([
    ['an unknown path wins over credentials', 404, '/api/v4/3/6/nothing', undefined, invalid],
    ['credentials win over the engine', 401, '/api/v4/3/999/search', 'Bearer x', invalid],
    ['the engine wins over the body', 403, '/api/v4/3/999/search', BASIC, invalid],
    ['the feature wins over the body', 403, '/api/v4/3/7/search/answer', BASIC, invalid],
    ['the crawler wins over the body', 404, '/api/v4/3/crawler/999/paths', BASIC, invalid],
    ['the record wins over the body', 404, '/api/banners/999', BASIC, invalid],
    ['the syntax wins over the members', 400, SEARCH, BASIC, invalid],
  ])('%s', async (_case, status, path, authorization, body) => {
    const method = path.startsWith('/api/banners') ? 'PUT' : 'POST';

    expect((await product.send({ method, path, headers: { authorization }, body })).status).toBe(status);
  });

  test('the rate wins over the body, and a refused call costs nothing of the next steps', async () => {
    await using limited = await startProduct({
      settings: { rates: { ...UNLIMITED, management: { perSecond: 0.001, burst: 2 } } },
    });
    const send = (authorization: string) =>
      limited.send({ method: 'PUT', path: DOCUMENTS, headers: { authorization }, body: '{' });

    // The documents of the fixture took the first token.
    const statuses = [await send('Bearer x'), await send(BASIC_4), await send(BASIC), await send(BASIC)];

    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 400, 429]);
  });

  test('the body size wins over the content of the body', async () => {
    await using small = await startProduct({ settings: { maxBodyBytes: 100 } });
    const large = await small.send(search(`{"query":"${'x'.repeat(200)}"`));

    expect(large).toMatchObject({ status: 413, body: { code: 413, status: 'Payload Too Large' } });
    expect((await small.send(search({}))).status).not.toBe(413);
  });

  test.each([
    ['content type', { 'content-type': 'text/html' }],
    ['content encoding', { 'content-encoding': 'zstd' }],
  ])('the body size wins over the %s', async (_name, sent) => {
    await using small = await startProduct({ settings: { maxBodyBytes: 100 } });
    const send = (size: number) =>
      small.send({
        method: 'POST',
        path: SEARCH,
        headers: { authorization: SITE_KEY, ...sent },
        body: 'x'.repeat(size),
      });

    expect([(await send(101)).status, (await send(100)).status]).toEqual([413, 415]);
  });
});

describe('rates', () => {
  test.each([['/api/v4/3/6/feedback'], ['/api/v4/3/6/search/answer/click'], ['/api/v3/3/6/search/pushstat/querylog']])(
    'on %s a valid key has its own, any other header the one of the address',
    async (path) => {
      await using limited = await startProduct({
        settings: { rates: { ...UNLIMITED, tracking: { perSecond: 0.001, burst: 1 } } },
      });
      const statusOf = async (authorization: string | undefined) =>
        (await limited.send({ method: 'POST', path, headers: { authorization }, body: {} })).status;

      const unnamed = [await statusOf(undefined), await statusOf(undefined), await statusOf('Bearer x')];
      const named = [await statusOf(BASIC), await statusOf(BASIC), await statusOf(BASIC_4)];

      expect(unnamed).toEqual([400, 429, 429]);
      expect(named).toEqual([400, 429, 400]);
      expect(await statusOf(`${BASIC.slice(0, -4)}xxxx`)).toBe(429);
      expect(await statusOf(SITE_KEY)).toBe(429);
    },
  );
});

describe('headers', () => {
  test.each([
    ['a harmless request id is kept', 'abc-1._Z', 'abc-1._Z'],
    ['another one is replaced', 'a b', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['a long one is replaced', 'x'.repeat(65), expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ])('%s', async (_case, sent, expected) => {
    const { headers, body } = await product.send({ path: '/api/nothing', headers: { 'x-request-id': sent } });

    expect(headers['x-request-id']).toEqual(expected);
    expect(body.requestId).toBe(headers['x-request-id']);
  });

  test('answers are not kept by caches', async () => {
    const answer = await product.send(search({ query: '*' }));

    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  });

  test('the server does not say what it is', async () => {
    const { headers } = await product.send({ path: '/health/live' });

    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])('JSON over 1 KB goes to a caller that accepts %s as %s', async (accepted, encoding) => {
    const { headers } = await product.send({
      method: 'PUT',
      path: DOCUMENTS,
      headers: { authorization: BASIC, 'accept-encoding': accepted },
      body: FIXTURE_DOCUMENTS,
    });

    expect(headers['content-encoding']).toBe(encoding);
  });

  test('small answers are not compressed', async () => {
    const { headers } = await product.send({ path: '/health/live', headers: { 'accept-encoding': 'gzip' } });

    expect(headers['content-encoding']).toBeUndefined();
  });

  test('HEAD has the headers of GET and no body', async () => {
    const get = await product.send({
      path: '/api/v3/3/6/websites/publicsettings',
      headers: { authorization: SITE_KEY },
    });
    const head = await product.send({
      method: 'HEAD',
      path: '/api/v3/3/6/websites/publicsettings',
      headers: { authorization: SITE_KEY },
    });

    expect(head).toMatchObject({ status: 200, body: '', headers: { etag: get.headers['etag'] } });
  });

  test('a header section over 16 KB is refused', async () => {
    expect((await product.send({ path: '/health/live', headers: { a: 'x'.repeat(17_000) } })).status).toBe(431);
  });
});

describe('CORS', () => {
  const origin = 'https://shop.example';
  const other = 'https://other.example';

  test('listed origins are echoed, others get nothing', async () => {
    await using listed = await startProduct({ settings: { corsAllowedOrigins: [origin] } });

    expect((await listed.send({ path: SEARCH, headers: { origin } })).headers).toMatchObject({
      'access-control-allow-origin': origin,
      vary: 'Origin',
    });
    const refused = await listed.send({ path: SEARCH, headers: { origin: other } });
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
    expect(refused.headers).toMatchObject({ vary: 'Origin' });
  });

  test('an engine narrows the origins', async () => {
    await using narrowed = await startProduct();
    await narrowed.narrowOrigins(6, [origin]);

    expect((await narrowed.send({ path: SEARCH, headers: { origin } })).headers['access-control-allow-origin']).toBe(
      origin,
    );
    expect((await narrowed.send({ path: SEARCH, headers: { origin: other } })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
    expect((await narrowed.send({ path: '/api/v4/3/7/search' })).headers['access-control-allow-origin']).toBe('*');
  });

  test('an engine narrows the origins of the installation and cannot add to them', async () => {
    await using narrowed = await startProduct({ settings: { corsAllowedOrigins: [origin, 'https://two.example'] } });
    const allowed = async (sent: string) =>
      (await narrowed.send({ path: SEARCH, headers: { origin: sent } })).headers['access-control-allow-origin'];

    await narrowed.narrowOrigins(6, [origin, other]);
    expect([await allowed(origin), await allowed(other), await allowed('https://two.example')]).toEqual([
      origin,
      undefined,
      undefined,
    ]);
    await narrowed.narrowOrigins(6, ['*']);
    expect([await allowed(origin), await allowed(other)]).toEqual([origin, undefined]);
  });

  test('management paths open up only when configured', async () => {
    await using open = await startProduct({ settings: { corsManagement: true } });

    expect((await open.send({ path: DOCUMENTS, headers: { origin } })).headers['access-control-allow-origin']).toBe(
      '*',
    );
    const closed = await product.send({ method: 'OPTIONS', path: DOCUMENTS, headers: { origin } });
    expect(closed.status).toBe(204);
    expect(closed.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test.each([['/api/nothing'], ['/anything'], ['/api/%zz'], ['/health/live']])(
    'OPTIONS %s is answered',
    async (path) => {
      expect((await product.send({ method: 'OPTIONS', path })).status).toBe(204);
    },
  );

  test('only header names are echoed', async () => {
    const answer = await product.send({
      method: 'OPTIONS',
      path: SEARCH,
      headers: { 'access-control-request-headers': 'x-a; <b>' },
    });

    expect(answer.headers['access-control-allow-headers']).toBe('authorization, content-type');
  });
});

describe('bodies on the wire', () => {
  test('a compressed body is read', async () => {
    const answer = await product.send({
      method: 'PUT',
      path: DOCUMENTS,
      headers: { authorization: BASIC, 'content-encoding': 'gzip' },
      body: gzipSync('[]'),
    });

    expect(answer).toMatchObject({ status: 200, body: [] });
  });

  test('a body without a length is read', async () => {
    const answer = await product.send({
      method: 'PUT',
      path: DOCUMENTS,
      headers: { authorization: BASIC, 'transfer-encoding': 'chunked', 'content-length': undefined },
      body: '[]',
    });

    expect(answer).toMatchObject({ status: 200, body: [] });
  });

  test('what is no HTTP is answered with the one body', async () => {
    const socket = connect(product.port, '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');

    const answer = await text(socket);

    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ code: 400, status: 'Bad Request' });
  });

  test.each([
    ['no host', 'GET /api/nothing HTTP/1.1\r\n', 400],
    ['two hosts', 'GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n', 400],
    ['an unknown expectation', 'GET /api/nothing HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n', 404],
  ])('a request with %s has the one body and a request id', async (_what, head, code) => {
    const socket = connect(product.port, '127.0.0.1');
    socket.end(`${head}Connection: close\r\n\r\n`);

    const answer = await text(socket);

    const requestId = /^x-request-id: (\S+)\r$/im.exec(answer)?.[1];
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ code, requestId });
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${code} `));
  });

  test('HTTP/1.0 needs no host', async () => {
    const socket = connect(product.port, '127.0.0.1');
    socket.end('GET /health/live HTTP/1.0\r\n\r\n');

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('two lengths are refused', async () => {
    const socket = connect(product.port, '127.0.0.1');
    socket.end('POST /api/v4/3/6/search HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}');

    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

function search(body: unknown) {
  return { method: 'POST', path: SEARCH, headers: { authorization: SITE_KEY }, body };
}
