import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect as connectTo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { DEFAULT_PAGE_BUDGET, type EgressProxy, type ProxySession } from '../../src/fetch/egress-proxy.ts';
import { DEFAULT_FETCH_LIMITS, OPEN_ACCESS } from '../../src/fetch/fetcher.ts';
import { eventually } from '../helpers/eventually.ts';
import { openTo } from '../helpers/fetching.ts';
import { openEgressProxy } from '../helpers/rendering.ts';
import { startSiteServer } from '../helpers/site-server.ts';

const passFor = (proxy: EgressProxy, ...allow: readonly string[]) =>
  proxy.openSession({ access: { ...OPEN_ACCESS, allow: openTo(allow) }, limits: DEFAULT_FETCH_LIMITS });

const authorization = ({ username, password }: Pick<ProxySession, 'username' | 'password'>) => ({
  'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

function ask(proxy: EgressProxy, url: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  const { hostname, port } = new URL(proxy.server);
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = httpRequest({ hostname, port, path: url, method, headers, agent: false }, async (response) => {
      const read = await text(response).catch(() => 'cut');
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: read });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Status of the CONNECT, and the socket. */
function connect(proxy: EgressProxy, target: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(proxy.server);
  return new Promise<{ readonly status: number; readonly socket: Socket }>((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method: 'CONNECT', path: target, headers, agent: false });
    sent.on('connect', (response, socket) => resolve({ status: response.statusCode ?? 0, socket }));
    sent.on('error', reject);
    sent.end();
  });
}

test('1: only the credentials of a pass with an open page get out', async () => {
  await using site = await startSiteServer({ '/': { body: 'page' } });
  await using proxy = await openEgressProxy();
  using pass = passFor(proxy, site.host);
  const url = `${site.origin}/`;

  expect((await ask(proxy, url)).status).toBe(407);
  expect((await ask(proxy, url, authorization({ username: pass.username, password: 'guess' }))).status).toBe(407);
  expect((await connect(proxy, site.host, {})).status).toBe(407);
  expect((await ask(proxy, url, authorization(pass))).status).toBe(403);
  using _page = pass.openPage(DEFAULT_PAGE_BUDGET);
  expect(await ask(proxy, url, authorization(pass))).toMatchObject({ status: 200, body: 'page' });
  expect(site.connections()).toBe(1);
});

test('a browser that resets a connection that was refused ends nothing', async () => {
  await using proxy = await openEgressProxy();
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtException', onUncaught);
  using _watch = { [Symbol.dispose]: () => process.off('uncaughtException', onUncaught) };
  const { hostname, port } = new URL(proxy.server);

  const socket = connectTo(Number(port), hostname);
  socket.write('CONNECT site.example:443 HTTP/1.1\r\nHost: site.example\r\n\r\n');
  await once(socket, 'data');
  socket.resetAndDestroy();
  await once(socket, 'close');

  expect((await ask(proxy, 'http://site.example/')).status).toBe(407);
  expect(uncaught).toEqual([]);
});

test('1: a pass that was given back opens nothing any more', async () => {
  await using site = await startSiteServer({});
  await using proxy = await openEgressProxy();
  const pass = passFor(proxy, site.host);
  pass.openPage(DEFAULT_PAGE_BUDGET);
  pass[Symbol.dispose]();

  expect((await ask(proxy, `${site.origin}/`, authorization(pass))).status).toBe(407);
});

test.each(['http', 'connect'])('2, 5: a refused address is a bare 403 without a connection: %s', async (way) => {
  await using canary = await startSiteServer({}, { address: '127.0.0.9' });
  await using site = await startSiteServer({});
  await using proxy = await openEgressProxy({ 'inside.example': ['127.0.0.9'] });
  using pass = passFor(proxy, site.host);
  using page = pass.openPage(DEFAULT_PAGE_BUDGET);
  for (const host of [canary.host, `inside.example:${canary.port}`]) {
    const headers = authorization(pass);
    const answer = way === 'http' ? await ask(proxy, `http://${host}/`, headers) : await connect(proxy, host, headers);
    expect(answer.status).toBe(403);
    if ('body' in answer) expect(answer.body).toBe('');
  }
  expect(canary.connections()).toBe(0);
  expect([...page.read().failures.values()]).toEqual(['blocked-address', 'private-name']);
});

test('2: a tunnel leads to the site, and its bytes count', async () => {
  await using site = await startSiteServer({ '/': { body: 'through a tunnel' } });
  await using proxy = await openEgressProxy();
  using pass = passFor(proxy, site.host);
  using page = pass.openPage(DEFAULT_PAGE_BUDGET);
  const { status, socket } = await connect(proxy, site.host, authorization(pass));
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

  expect(status).toBe(200);
  expect(await text(socket)).toContain('through a tunnel');
  expect(page.read().bytes).toBeGreaterThan(100);
});

test('3: beyond its requests a page gets nothing, the next page again', async () => {
  await using site = await startSiteServer({ '/': { body: 'page' } });
  await using proxy = await openEgressProxy();
  using pass = passFor(proxy, site.host);
  const page = pass.openPage({ requests: 2, bytes: 1_000 });
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) statuses.push((await ask(proxy, `${site.origin}/`, authorization(pass))).status);

  expect(statuses).toEqual([200, 200, 403, 403]);
  expect(page.read().isOverBudget).toBe(true);
  page[Symbol.dispose]();
  using _next = pass.openPage({ requests: 2, bytes: 1_000 });
  expect((await ask(proxy, `${site.origin}/`, authorization(pass))).status).toBe(200);
});

test('3: a body that is larger than what is left is cut, and tunnels end', async () => {
  await using site = await startSiteServer({ '/large': { body: 'a'.repeat(200_000) } });
  await using proxy = await openEgressProxy();
  using pass = passFor(proxy, site.host);
  using page = pass.openPage({ requests: 10, bytes: 50_000 });
  const { socket } = await connect(proxy, site.host, authorization(pass));
  let isClosed = false;
  socket.on('close', () => {
    isClosed = true;
  });
  socket.on('error', () => undefined);
  const answer = await ask(proxy, `${site.origin}/large`, authorization(pass)).catch(() => ({ body: 'cut' }));

  expect(answer.body).toBe('cut');
  expect(page.read().isOverBudget).toBe(true);
  await eventually(async () => isClosed || undefined);
});

test('4: an origin has at most 6 connections at once', async () => {
  let now = 0;
  let most = 0;
  await using site = await startSiteServer({
    '/': (_request, response) => {
      now++;
      most = Math.max(most, now);
      setTimeout(() => {
        now--;
        response.end('page');
      }, 50);
    },
  });
  await using proxy = await openEgressProxy();
  using pass = passFor(proxy, site.host);
  using _page = pass.openPage(DEFAULT_PAGE_BUDGET);
  const answers = await Promise.all(
    Array.from({ length: 15 }, () => ask(proxy, `${site.origin}/`, authorization(pass))),
  );

  expect(answers.map(({ status }) => status)).toEqual(new Array(15).fill(200));
  expect(most).toBe(6);
});

test('6: the site sees the request without what belongs to the proxy', async () => {
  await using site = await startSiteServer({
    '/': (request, response) => text(request).then((body) => response.end(`${request.method} ${body}`)),
  });
  await using proxy = await openEgressProxy();
  using pass = passFor(proxy, site.host);
  using _page = pass.openPage(DEFAULT_PAGE_BUDGET);
  const headers = { ...authorization(pass), 'proxy-connection': 'keep-alive', 'x-own': 'kept' };
  const answer = await ask(proxy, `${site.origin}/`, headers, 'sent');

  expect(answer.body).toBe('POST sent');
  expect(site.requests[0]?.headers).toMatchObject({ 'x-own': 'kept', host: site.host });
  const names = Object.keys(site.requests[0]?.headers ?? {});
  expect(names.filter((name) => name.startsWith('proxy-'))).toEqual([]);
});

test.each(['ftp://site.example/', 'https://127.0.0.1/', '/local'])(
  'what is no plain HTTP request is refused: %s',
  async (url) => {
    await using proxy = await openEgressProxy();
    using pass = passFor(proxy);
    using _page = pass.openPage(DEFAULT_PAGE_BUDGET);

    expect((await ask(proxy, url, authorization(pass))).status).toBe(403);
  },
);
