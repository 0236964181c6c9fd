import { readdir, readFile, stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { SpoolFile } from '../../../src/fetch/fetcher.ts';
import { eventually } from '../../helpers/eventually.ts';
import { failureOf, openFetcher, pageRequest } from '../../helpers/fetching.ts';
import {
  badCharset,
  type Route,
  recovering,
  redirectTo,
  silent,
  stalled,
  startSiteServer,
  wrongLength,
} from '../../helpers/site-server.ts';

const text = (body: unknown) => Buffer.from(body as Uint8Array).toString('utf8');
const PAGE = `<!doctype html><title>Returns</title><p>${'Send parcels back. '.repeat(500)}`;

describe('answers', () => {
  test('a page comes with its final URL, status, headers and sizes', async () => {
    await using site = await startSiteServer({ '/a': { headers: { 'x-own': 'Yes', etag: '"1"' }, body: PAGE } });
    await using fetcher = await openFetcher();

    const found = await fetcher.fetch(pageRequest(`${site.origin}/a?b=1#part`, [site.host]));

    expect(found).toMatchObject({ url: `${site.origin}/a?b=1`, status: 200, redirects: [], bodyBytes: PAGE.length });
    expect(found.headers.get('x-own')).toBe('Yes');
    expect(found.headers.get('etag')).toBe('"1"');
    expect(text(found.body)).toBe(PAGE);
    expect(found.firstByteMs).toBeGreaterThan(0);
    expect(found.millis).toBeGreaterThanOrEqual(found.firstByteMs);
    expect(site.requests[0]?.headers).toMatchObject({
      'user-agent': 'FossickBot/0',
      'accept-encoding': 'gzip, br, deflate, zstd',
    });
    expect(site.requests[0]?.headers.referer).toBeUndefined();
  });

  test.each([201, 204, 304, 400, 401, 403, 404, 410, 418, 429, 500, 503])('status %d is a result', async (status) => {
    await using site = await startSiteServer({ '/': { status, body: status === 204 || status === 304 ? '' : 'x' } });
    await using fetcher = await openFetcher();
    const found = await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]));
    expect(found.status).toBe(status);
  });

  test('a failing page that recovers is fetched by the next visit', async () => {
    await using site = await startSiteServer({ '/': recovering({ body: 'fine' }) });
    await using fetcher = await openFetcher();
    const ask = () => fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]));
    expect((await ask()).status).toBe(503);
    expect(text((await ask()).body)).toBe('fine');
  });

  test('an unchanged page answers 304 to its validators, which no redirect target gets', async () => {
    await using site = await startSiteServer({
      '/': (request, response) => {
        const known = request.headers['if-none-match'] === '"7"';
        response.writeHead(known ? 304 : 200, { etag: '"7"' }).end(known ? '' : 'body');
      },
      '/moved': redirectTo('/'),
    });
    await using fetcher = await openFetcher();
    const validators = { etag: '"7"', lastModified: 'Fri, 20 Nov 2026 08:00:00 GMT' };

    const direct = await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host], { validators }));
    const moved = await fetcher.fetch(pageRequest(`${site.origin}/moved`, [site.host], { validators }));

    expect([direct.status, direct.body]).toEqual([304, undefined]);
    expect(site.requests[0]?.headers['if-modified-since']).toBe(validators.lastModified);
    expect([moved.status, text(moved.body)]).toEqual([200, 'body']);
  });

  test('media without text is not read', async () => {
    await using site = await startSiteServer({
      '/': { headers: { 'content-type': 'image/png' }, body: 'x'.repeat(1e6) },
    });
    await using fetcher = await openFetcher();
    const found = await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]));
    expect([found.status, found.body]).toEqual([200, undefined]);
  });

  test('bytes of a wrongly declared charset come as they are', async () => {
    await using site = await startSiteServer({ '/': badCharset('Gr\xfc\xdfe') });
    await using fetcher = await openFetcher();
    const found = await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]));
    expect(Buffer.from(found.body as Uint8Array)).toEqual(Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]));
  });

  test('what follows after the announced length is left', async () => {
    await using site = await startSiteServer({ '/': wrongLength });
    await using fetcher = await openFetcher();
    expect(text((await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]))).body)).toBe('hello');
  });

  test('connections are used again', async () => {
    await using site = await startSiteServer({ '/': { body: 'x' }, '/missing': { status: 404, body: 'no' } });
    await using fetcher = await openFetcher();
    for (let round = 0; round < 6; round++) {
      await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]));
      await fetcher.fetch(pageRequest(`${site.origin}/missing`, [site.host]));
    }
    // The pool may open a second one while the first is not yet marked as free.
    expect(site.connections()).toBeLessThanOrEqual(2);
  });
});

describe('redirects', () => {
  test('each hop is asked, recorded and followed', async () => {
    await using site = await startSiteServer({
      '/a': redirectTo('/b#part', 301),
      '/b': redirectTo('c', 308),
      '/c': { body: 'end' },
    });
    await using fetcher = await openFetcher();
    const asked: string[] = [];
    const mayFollow = async (from: string, to: string) => {
      asked.push(`${from} > ${to}`);
      return { follow: true as const };
    };

    const found = await fetcher.fetch(pageRequest(`${site.origin}/a`, [site.host], { mayFollow }));

    expect(found).toMatchObject({
      url: `${site.origin}/c`,
      status: 200,
      redirects: [
        { from: `${site.origin}/a`, to: `${site.origin}/b`, status: 301 },
        { from: `${site.origin}/b`, to: `${site.origin}/c`, status: 308 },
      ],
    });
    expect(asked).toEqual([`${site.origin}/a > ${site.origin}/b`, `${site.origin}/b > ${site.origin}/c`]);
  });

  test('a refused hop is not fetched, and the way is told', async () => {
    await using site = await startSiteServer({ '/a': redirectTo('/b'), '/b': { body: 'no' } });
    await using fetcher = await openFetcher();
    const mayFollow = async () => ({ follow: false as const, reason: 'excluded' });
    const { error, ...failed } = await failureOf(
      fetcher.fetch(pageRequest(`${site.origin}/a`, [site.host], { mayFollow })),
    );
    expect(failed).toEqual({ code: 'fetch.too-many-redirects', reason: 'redirected-out' });
    expect(error.options.details).toMatchObject({ refusal: 'excluded', hops: [{ to: `${site.origin}/b` }] });
    expect(site.count('/b')).toBe(0);
  });

  test('redirects end at the limit', async () => {
    await using site = await startSiteServer({
      '/': (request, response) => {
        const step = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('n'));
        response.writeHead(302, { location: `/?n=${step + 1}` }).end();
      },
    });
    await using fetcher = await openFetcher();
    const failed = await failureOf(
      fetcher.fetch(pageRequest(`${site.origin}/?n=0`, [site.host], { limits: { redirects: 3 } })),
    );
    expect(failed).toMatchObject({ code: 'fetch.too-many-redirects', reason: 'too-many-redirects' });
    expect(site.requests).toHaveLength(4);
  });

  test('a loop over two pages ends at the second identical URL', async () => {
    await using site = await startSiteServer({ '/a': redirectTo('/b'), '/b': redirectTo('/a') });
    await using fetcher = await openFetcher();
    const failed = await failureOf(fetcher.fetch(pageRequest(`${site.origin}/a`, [site.host])));
    expect(failed.reason).toBe('redirect-loop');
    expect(site.requests).toHaveLength(2);
  });

  test('a redirect without a target is the answer', async () => {
    await using site = await startSiteServer({ '/': { status: 302, body: 'nowhere' } });
    await using fetcher = await openFetcher();
    expect((await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]))).status).toBe(302);
  });
});

describe('the gate', () => {
  test.each([
    ['a private address', 'http://127.0.0.2:8080/', 'blocked-address'],
    ['the metadata address', 'http://169.254.169.254/latest/meta-data/', 'blocked-address'],
    ['a port of another service', 'http://127.0.0.1:22/', 'blocked-port'],
    ['a file', 'file:///etc/hostname', 'scheme'],
    ['a name with a private record', 'http://inside.example/', 'private-name'],
  ])('a redirect to %s is refused', async (_, target, reason) => {
    await using site = await startSiteServer({ '/': redirectTo(target) });
    await using fetcher = await openFetcher({ 'inside.example': ['10.0.0.1'] });
    const failed = await failureOf(fetcher.fetch(pageRequest(`${site.origin}/`, [site.host])));
    expect(failed).toMatchObject({ code: 'fetch.blocked-address', reason });
  });

  test('a name that turns private between the check and the connection is not reached', async () => {
    await using site = await startSiteServer({ '/': { body: 'secret' } }, { address: '127.0.0.2' });
    const { createEgressGate } = await import('../../../src/fetch/gate/create-egress-gate.ts');
    const { createHttpFetcher } = await import('../../../src/fetch/http/create-http-fetcher.ts');
    let now = 0;
    let asked = 0;
    const gate = createEgressGate({
      // Time jumps with every look at it, so that each admission asks the resolver anew.
      clock: { now: () => (now += 100_000) },
      resolve: async () => [{ address: asked++ === 0 ? '93.184.215.14' : '127.0.0.2', family: 4 }],
      allowPrivateNetworks: false,
      ownPorts: new Set(),
    });
    const identity = { userAgent: 'FossickBot/0', from: undefined };
    await using fetcher = createHttpFetcher({ gate, clock: { now: () => 0 }, identity, spoolFolder: '/nonexistent' });
    const request = pageRequest(`http://rebind.example:${site.port}/`, []);

    const failed = await failureOf(fetcher.fetch(request, new AbortController().signal));

    expect(failed).toMatchObject({ code: 'fetch.blocked-address', reason: 'private-name' });
    expect(asked).toBe(2);
    expect(site.connections()).toBe(0);
  });

  test('an unknown name is told apart', async () => {
    await using fetcher = await openFetcher();
    const failed = await failureOf(fetcher.fetch(pageRequest('http://nowhere.example/', [])));
    expect(failed).toMatchObject({ code: 'fetch.unavailable', reason: 'dns-not-found' });
  });

  test('crawlers with different allow lists share no connection', async () => {
    await using site = await startSiteServer({ '/': { body: 'x' } });
    await using fetcher = await openFetcher();
    await fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]));
    const failed = await failureOf(fetcher.fetch(pageRequest(`${site.origin}/`, [])));
    expect(failed.code).toBe('fetch.blocked-address');
  });
});

describe('abort', () => {
  test.each<[string, Route]>([
    ['before the headers', silent],
    ['in the body', stalled],
    ['in a redirect target', redirectTo('/silent')],
  ])('%s is honoured at once', async (_, route) => {
    await using site = await startSiteServer({ '/': route, '/silent': silent });
    await using fetcher = await openFetcher();
    const controller = new AbortController();
    const fetching = failureOf(fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]), controller.signal));
    await eventually(() => site.requests.length > 0);

    const abortedAt = performance.now();
    controller.abort();
    const failed = await fetching;

    expect(failed).toMatchObject({ code: 'fetch.unavailable', reason: 'shutdown' });
    expect(performance.now() - abortedAt).toBeLessThan(1_000);
  });

  test('an aborted signal fetches nothing', async () => {
    await using site = await startSiteServer({ '/': { body: 'x' } });
    await using fetcher = await openFetcher();
    const failed = await failureOf(fetcher.fetch(pageRequest(`${site.origin}/`, [site.host]), AbortSignal.abort()));
    expect(failed.reason).toBe('shutdown');
    expect(site.requests).toEqual([]);
  });
});

describe('files', () => {
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 0x20)]);

  test.each<[string, string, Buffer]>([
    ['a PDF by its bytes', 'application/octet-stream', pdf],
    ['a PDF that calls itself HTML', 'text/html', pdf],
    [
      'an office document',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      Buffer.from('PK\x03\x04rest'),
    ],
    ['a file by its media type', 'application/pdf', Buffer.from('damaged')],
  ])('%s goes to the spool folder', async (_, type, body) => {
    await using site = await startSiteServer({ '/f': { headers: { 'content-type': type }, body } });
    await using fetcher = await openFetcher();

    const found = await fetcher.fetch(pageRequest(`${site.origin}/f`, [site.host], { limits: { pageBytes: 1_000 } }));

    const file = found.body as SpoolFile;
    expect(await readdir(fetcher.spoolFolder)).toEqual([file.name]);
    expect(file.name.startsWith(file.sha256)).toBe(true);
    expect((await readFile(file.path)).equals(body)).toBe(true);
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect([file.bytes, found.bodyBytes]).toEqual([body.length, body.length]);
  });

  test.each([
    ['an error page under the media type of a file', 'page', 'application/pdf', '<html>Please log in'],
    ['plain text', 'page', 'text/plain', 'text'],
    ['a feed', 'feed', 'application/gzip', 'PK\x03\x04'],
  ] as const)('%s stays in memory', async (_, purpose, type, body) => {
    await using site = await startSiteServer({ '/f': { headers: { 'content-type': type }, body } });
    await using fetcher = await openFetcher();
    const found = await fetcher.fetch(pageRequest(`${site.origin}/f`, [site.host], { purpose }));
    expect(text(found.body)).toBe(body);
  });

  test('a file over its limit leaves nothing in the spool folder', async () => {
    await using site = await startSiteServer({ '/f': { body: pdf } });
    await using fetcher = await openFetcher();
    const limits = { fileBytes: 200_000 };
    const failed = await failureOf(fetcher.fetch(pageRequest(`${site.origin}/f`, [site.host], { limits })));
    expect(failed).toMatchObject({ code: 'fetch.too-large', reason: 'too-large' });
    expect(await readdir(fetcher.spoolFolder)).toEqual([]);
  });

  test('a file has more time than a page', async () => {
    await using site = await startSiteServer({
      '/f': (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/pdf' });
        response.write(pdf);
        setTimeout(() => response.end('end'), 700);
      },
    });
    await using fetcher = await openFetcher();
    const found = await fetcher.fetch(pageRequest(`${site.origin}/f`, [site.host], { limits: { pageMs: 300 } }));
    expect(found.bodyBytes).toBe(pdf.length + 3);
  });
});
