import { readdir } from 'node:fs/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { failureOf, openFetcher, pageRequest } from '../../helpers/fetching.ts';
import {
  brokenHttp,
  dropped,
  gzipBomb,
  halfBody,
  openChunks,
  type Route,
  redirectTo,
  silent,
  slow,
  stalled,
  startSiteServer,
} from '../../helpers/site-server.ts';

const text = (body: unknown) => Buffer.from(body as Uint8Array).toString('utf8');
const PAGE = `<!doctype html><title>Returns</title><p>${'Send parcels back. '.repeat(500)}`;

describe('codings', () => {
  const plain = Buffer.from(PAGE);
  const big = Buffer.from(Array.from({ length: 60_000 }, (_, i) => `${(i * 7_919) % 104_729} `).join(''));
  test.each<[string, Buffer, Buffer]>([
    ['gzip', gzipSync(plain), plain],
    ['x-gzip', gzipSync(plain), plain],
    ['br', brotliCompressSync(plain), plain],
    ['deflate', deflateSync(plain), plain],
    ['deflate', deflateRawSync(plain), plain],
    ['zstd', zstdCompressSync(plain), plain],
    ['gzip, br', brotliCompressSync(gzipSync(plain)), plain],
    ['identity', plain, plain],
    ['gzip', gzipSync(big), big],
    ['br', brotliCompressSync(big), big],
    ['deflate', deflateRawSync(big), big],
    ['zstd', zstdCompressSync(big), big],
    ['gzip, gzip', gzipSync(gzipSync(big)), big],
    ['GZIP', gzipSync(Buffer.alloc(0)), Buffer.alloc(0)],
    ['gzip', Buffer.alloc(0), Buffer.alloc(0)],
  ])('%s is decoded', async (coding, body, expected) => {
    await using site = await startSiteServer({ '/': { headers: { 'content-encoding': coding }, body } });
    await using fetcher = await openFetcher();
    const found = await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]));
    expect(Buffer.compare(found.body as Uint8Array, expected)).toBe(0);
    expect([found.wireBytes, found.bodyBytes]).toEqual([body.length, expected.length]);
  });
});

describe('faults', () => {
  const garbage = Buffer.from('this is no compressed body at all');
  const bigGzip = gzipSync(Buffer.from(Array.from({ length: 80_000 }, (_, i) => `${(i * 7_919) % 104_729} `).join('')));
  const encoded = (coding: string, body: Uint8Array): Route => ({ headers: { 'content-encoding': coding }, body });
  const overlong: Route = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '900000000' });
    response.write('begin');
  };
  const sizes = { pageBytes: 100_000, fileBytes: 200_000 };
  const times = { connectMs: 300, firstByteMs: 300, pageMs: 600, fileMs: 900 };

  test.each<[string, Route, string, string]>([
    ['no answer', silent, 'fetch.unavailable', 'timeout'],
    ['an answer that comes too late', slow(5_000, { body: 'x' }), 'fetch.unavailable', 'timeout'],
    ['a body that stops', stalled, 'fetch.unavailable', 'timeout'],
    ['a dropped connection', dropped, 'fetch.unavailable', 'reset'],
    ['half a body', halfBody, 'fetch.unavailable', 'truncated'],
    ['chunks without an end', openChunks, 'fetch.unavailable', 'truncated'],
    ['what is no HTTP', brokenHttp, 'fetch.unavailable', 'protocol'],
    ['a compressed body that is none', encoded('gzip', garbage), 'fetch.unavailable', 'bad-encoding'],
    ['an unknown coding', encoded('compress', garbage), 'fetch.unavailable', 'bad-encoding'],
    ['three layers', encoded('gzip, gzip, gzip', garbage), 'fetch.unavailable', 'bad-encoding'],
    ['a cut gzip body', encoded('gzip', gzipSync(PAGE).subarray(0, 100)), 'fetch.unavailable', 'truncated'],
    ['a cut long gzip body', encoded('gzip', bigGzip.subarray(0, 90_000)), 'fetch.too-large', 'too-large'],
    ['a length over the limit', overlong, 'fetch.too-large', 'too-large'],
    ['a body over the limit', { body: 'x'.repeat(100_001) }, 'fetch.too-large', 'too-large'],
    [
      'a compressed body over the limit',
      encoded('gzip', gzipSync('x'.repeat(100_001))),
      'fetch.too-large',
      'too-large',
    ],
    ['headers over the limit', { headers: { 'x-long': 'x'.repeat(70_000) } }, 'fetch.too-large', 'too-large'],
    ['a redirect loop', redirectTo('/'), 'fetch.too-many-redirects', 'redirect-loop'],
    ['a redirect to no URL', redirectTo('http://[broken'), 'fetch.unavailable', 'protocol'],
  ])('%s', async (_, route, code, reason) => {
    await using site = await startSiteServer({ '/': route });
    await using fetcher = await openFetcher();
    const limits = reason === 'timeout' ? { ...sizes, ...times } : sizes;
    expect(await failureOf(fetcher.fetch(pageRequest(`${site.origin}/`, [site.host], { limits })))).toMatchObject({
      code,
      reason,
    });
    expect(await readdir(fetcher.spoolFolder)).toEqual([]);
  });

  test.each([
    ['a small bomb', gzipBomb(8 * 1024 * 1024), {}, 'bomb'],
    ['a big bomb', gzipBomb(128 * 1024 * 1024), {}, 'too-large'],
    ['a big bomb under a high limit', gzipBomb(128 * 1024 * 1024), { pageBytes: 60e6, fileBytes: 60e6 }, 'bomb'],
    ['a bomb within a bomb', encoded('gzip, gzip', gzipSync(gzipSync(Buffer.alloc(200e6)))), {}, 'bomb'],
    ['a bomb over a small limit', gzipBomb(8 * 1024 * 1024), { fileBytes: 1_000, pageBytes: 1_000 }, 'too-large'],
  ])('%s is not inflated', async (_, route, small, reason) => {
    await using site = await startSiteServer({ '/': route });
    await using fetcher = await openFetcher();
    const before = process.memoryUsage().rss;
    const failed = await failureOf(fetcher.fetch(pageRequest(`${site.origin}/`, [site.host], { limits: small })));
    expect(failed).toMatchObject({ code: 'fetch.too-large', reason });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  test('a chunked body without its end is not a page, also when the connection was to close', async () => {
    await using site = await startSiteServer({
      '/': (request) => {
        request.socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n');
      },
    });
    await using fetcher = await openFetcher();
    const failed = await failureOf(fetcher.fetch(pageRequest(`${site.origin}/`, [site.host], { limits: sizes })));
    expect(failed).toMatchObject({ code: 'fetch.unavailable', reason: 'truncated' });
  });

  test('a closed port is refused', async () => {
    const site = await startSiteServer({});
    await site[Symbol.asyncDispose]();
    await using fetcher = await openFetcher();
    const failed = await failureOf(fetcher.fetch(pageRequest(`${site.origin}/`, [site.host])));
    expect(failed).toMatchObject({ code: 'fetch.unavailable', reason: 'refused' });
  });

  test('a second address is tried when the first is closed', async () => {
    await using site = await startSiteServer({ '/': { body: 'here' } }, { address: '127.0.0.2' });
    await using fetcher = await openFetcher({ 'site.example': ['127.0.0.3', '127.0.0.2'] });
    const entry = `site.example:${site.port}`;
    const found = await fetcher.fetch(pageRequest(`http://${entry}/`, [entry]));
    expect(text(found.body)).toBe('here');
  });

  test('plain HTTP under https is a TLS failure', async () => {
    await using site = await startSiteServer({ '/': { body: 'x' } });
    await using fetcher = await openFetcher();
    const failed = await failureOf(fetcher.fetch(pageRequest(`https://${site.host}/`, [site.host], { limits: sizes })));
    expect(failed).toMatchObject({ code: 'fetch.unavailable', reason: 'tls' });
  });
});
