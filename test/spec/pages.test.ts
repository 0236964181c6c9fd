import { expect, test } from 'vitest';
import { captureLog } from '../helpers/captured-log.ts';
import { startProduct } from '../helpers/product.ts';
import { webFolders } from '../helpers/web-folders.ts';

test('assets and the sample site are served, nothing above them is', async () => {
  await using folders = await webFolders();
  await using product = await startProduct(folders);

  expect(await product.send({ path: '/assets/page.js' })).toMatchObject({
    status: 200,
    body: 'start();',
    headers: { 'cache-control': expect.stringContaining('immutable'), 'content-security-policy': expect.any(String) },
  });
  expect(await product.send({ path: '/sample/' })).toMatchObject({ status: 200, body: '<h1>Sample</h1>' });
  for (const path of [
    '/assets/../../secret.txt',
    '/sample/%2e%2e/secret.txt',
    '/sample/..%2fsecret.txt',
    '/secret.txt',
  ]) {
    expect(await product.send({ path })).toMatchObject({ status: 404, body: { code: 404 } });
  }
});

test.each([
  { name: 'a path with a backslash', path: '/assets/..%5cx', headers: {}, status: 404 },
  { name: 'a path below the sample site with a backslash', path: '/sample/a%5cb', headers: {}, status: 404 },
  { name: 'a range behind the end', path: '/sample/index.html', headers: { range: 'bytes=99999999-' }, status: 416 },
  { name: 'a range that cannot be read', path: '/sample/index.html', headers: { range: 'bytes=abc' }, status: 200 },
  { name: 'another version', path: '/sample/index.html', headers: { 'if-match': '"x"' }, status: 412 },
  {
    name: 'an older version',
    path: '/assets/page.js',
    headers: { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    status: 412,
  },
])('a request for a file by $name is answered $status', async ({ path, headers, status }) => {
  const { log, lines } = captureLog();
  await using folders = await webFolders();
  await using product = await startProduct({ ...folders, log });

  const answer = await product.send({ path, headers });

  expect(answer.status).toBe(status);
  if (status !== 200) expect(answer.body).toMatchObject({ code: status });
  // An indexer that begins behind the first documents tells that it makes the index.
  expect(lines.filter(({ message }) => !/^index repair/.test(String(message)))).toEqual([]);
});

test.each(['/admin', '/admin/', '/admin/sites/6', '/admin/v1s'])(
  '%s is the admin web, and runs nothing of others',
  async (path) => {
    await using folders = await webFolders();
    await using product = await startProduct({ ...folders, settings: { searchPage: false } });

    const { status, headers, body } = await product.send({ path });

    expect({ status, body }).toEqual({ status: 200, body: '<!doctype html><title>Admin</title>' });
    expect(headers['cache-control']).toBe('no-cache');
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]),
    );
    expect(policy.join()).not.toMatch(/unsafe|https?:|\*/);
  },
);

test('what is not there below the admin API is no page, and nothing above the assets of the admin web is served', async () => {
  await using folders = await webFolders();
  await using product = await startProduct(folders);

  expect(await product.send({ path: '/admin/assets/page.js' })).toMatchObject({
    status: 200,
    body: 'start();',
    headers: { 'cache-control': expect.stringContaining('immutable'), 'content-security-policy': expect.any(String) },
  });
  for (const path of [
    '/admin/v1',
    '/admin/v1/',
    '/admin/v1/nothing',
    '/admin/%76%31/x',
    '/admin/assets/../index.html',
  ]) {
    expect(await product.send({ path })).toMatchObject({ status: 404, body: { code: 404 } });
  }
});

test('the client is one module for pages of any origin', async () => {
  await using folders = await webFolders();
  await using product = await startProduct({ ...folders, settings: { searchPage: false } });

  const { status, headers, body } = await product.send({ path: '/client.js' });

  expect({ status, body }).toEqual({ status: 200, body: 'export const search = 1;' });
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'no-cache',
    'content-type': 'text/javascript; charset=utf-8',
  });
  const again = await product.send({ path: '/client.js', headers: { 'if-none-match': headers.etag } });
  expect(again).toMatchObject({ status: 304, headers: { 'access-control-allow-origin': '*' } });
});

test('the client of a version is kept for a year, and gives way to the present one', async () => {
  await using folders = await webFolders();
  await using product = await startProduct(folders);

  expect(await product.send({ path: '/client/1.2.3/client.js' })).toMatchObject({
    status: 200,
    body: 'export const search = 1;',
    headers: { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=31536000, immutable' },
  });
  expect(await product.send({ path: '/client/1.0.0/client.js' })).toMatchObject({
    status: 302,
    headers: { location: '/client.js', 'access-control-allow-origin': '*', 'cache-control': 'no-cache' },
  });
});

test('without built pages there is nothing at the root', async () => {
  await using product = await startProduct();

  expect((await product.send({ path: '/' })).status).toBe(404);
});

test('health tells whether the process lives and is ready', async () => {
  await using product = await startProduct();

  expect(await product.get('/health/live')).toEqual({ status: 200, body: { status: 'live' } });
  expect(await product.get('/health/ready')).toEqual({
    status: 200,
    body: { status: 'ready', checks: { stores: true } },
  });
  product.readiness.checks = { stores: true, accepting: false };
  product.readiness.ready = false;
  expect(await product.get('/health/ready')).toMatchObject({ status: 503, body: { status: 'not ready' } });
});

test('metrics count requests by route and status', async () => {
  await using product = await startProduct();
  await product.send({ path: '/api/v4/3/6/search' });

  const authorization = 'Bearer operator-token-of-tests';
  const { status, body } = await product.send({ path: '/metrics', headers: { authorization } });

  expect(status).toBe(200);
  expect(body).toContain('fossick_http_request_duration_seconds_count{route="wrong-method",status="405"} 1');
  expect(body).toContain(
    'fossick_http_request_duration_seconds_count{route="/api/v4/:customerId/index/:crawlerId/documents",status="200"} 1',
  );
});

test('metrics on the public port need the operator token, also from this machine', async () => {
  await using product = await startProduct();

  expect(await product.send({ path: '/metrics' })).toMatchObject({ status: 401 });
  const authorization = 'Bearer another-token';
  expect(await product.send({ path: '/metrics', headers: { authorization } })).toMatchObject({ status: 401 });
});

test('guesses at the operator token are slowed down on the metrics, and their status stays 401', async () => {
  const pausesMs: number[] = [];
  await using product = await startProduct({ pauseAfterFailure: async (ms) => void pausesMs.push(ms) });
  const statusOf = async (authorization: string) => {
    const { status } = await product.send({ path: '/metrics', headers: { authorization } });
    return status;
  };

  const statuses: number[] = [];
  for (let guess = 0; guess < 20; guess++) statuses.push(await statusOf(`Bearer guess-${guess}`));

  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(pausesMs).toHaveLength(15);
  expect(await statusOf('Bearer operator-token-of-tests')).toBe(200);
  expect(pausesMs).toHaveLength(15);
});
