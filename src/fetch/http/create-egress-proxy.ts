import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { buildConnector, Dispatcher } from 'undici';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import type { EgressGate } from '../egress-gate.ts';
import type { EgressProxy, ProxySession } from '../egress-proxy.ts';
import { toFetchError, unavailable } from './failure.ts';
import { createPools, gated, openProxyPool, type PoolKey, type Pools, proxyOf } from './pools.ts';
import { createProxySession, type OpenProxySession } from './proxy-session.ts';

/** A name that never resolves (RFC 6761). */
const HELLO_URL = 'http://egress.invalid/';
const CHALLENGE = 'Basic realm="egress"';

/** A proxy on a free loopback port. Dispose it to close it with all connections. */
export async function createEgressProxy(deps: {
  readonly gate: EgressGate;
  readonly clock: Clock;
}): Promise<EgressProxy> {
  await using stack = new AsyncDisposableStack();
  const pools = stack.use(createPools(deps));
  const passes = new Map<string, OpenProxySession>();
  const server = createServer((request, response) => {
    const session = sessionOf(passes, request);
    if (session === undefined) response.writeHead(407, { 'proxy-authenticate': CHALLENGE }).end();
    else if (request.url === HELLO_URL) response.writeHead(200, { 'content-type': 'text/html' }).end();
    else forward({ pools, session, request, response });
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    // A browser that is killed resets its connections; an error that nobody hears would end the process.
    client.on('error', () => client.destroy());
    const session = sessionOf(passes, request);
    if (session === undefined)
      client.end(`HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${CHALLENGE}\r\n\r\n`);
    else tunnel({ gate: deps.gate, session, client, head, target: request.url ?? '' });
  });
  server.on('upgrade', (_request: IncomingMessage, client: Duplex) => client.destroy());
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  stack.defer(
    () =>
      new Promise<void>((resolve) => {
        for (const session of passes.values()) session.close();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const owned = stack.move();
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    helloUrl: HELLO_URL,
    openSession: (input): ProxySession => {
      const session = createProxySession(input);
      const [username, password] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')];
      const key = authorizationOf(username, password);
      passes.set(key, session);
      return {
        username,
        password,
        openPage: (budget) => session.openPage(budget),
        [Symbol.dispose]: () => {
          passes.delete(key);
          session.close();
        },
      };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Credentials are 384 random bits and live as long as a page: a look-up tells nobody how near a guess was. */
function sessionOf(
  passes: ReadonlyMap<string, OpenProxySession>,
  { headers }: IncomingMessage,
): OpenProxySession | undefined {
  return passes.get(headers['proxy-authorization'] ?? '');
}

function authorizationOf(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

type Forwarded = {
  readonly pools: Pools;
  readonly session: OpenProxySession;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

/** RFC 9110 section 7.6.1: for the next hop only. Expect is answered by this server already. */
const NOT_FORWARDED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** A plain request: `GET http://host/path`. */
function forward(forwarded: Forwarded): void {
  const { session, request, response } = forwarded;
  const url = URL.parse(request.url ?? '');
  if (url === null || url.protocol !== 'http:' || !session.mayBegin()) {
    refuse(response, 403);
    return;
  }
  send(forwarded, url).catch((error: unknown) => {
    session.failed(url.origin, error);
    refuse(response, isRefusal(error) ? 403 : 502);
  });
}

async function send({ pools, session, request, response }: Forwarded, url: URL): Promise<void> {
  const { access, limits } = session;
  const stop = new AbortController();
  const ending = { destroy: () => stop.abort() };
  const free = await session.connection(url.origin);
  session.own(ending);
  response.once('close', () => stop.abort());
  try {
    await pools.use(url.origin, { access, limits }, async (connections) => {
      const answer = await connections.send({
        method: request.method as Dispatcher.HttpMethod,
        path: url.pathname + url.search,
        headers: headersOf(request),
        body: hasBody(request) ? request : null,
        signal: stop.signal,
      });
      response.writeHead(answer.statusCode, kept(answer.headers));
      await pipeline(answer.body, counted(session), response);
    });
  } catch (error) {
    throw toFetchError(error, 'headers');
  } finally {
    session.disown(ending);
    free();
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const joined = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'host' ? [] : [[name, [value].flat().join(', ')] as const],
  );
  return Object.fromEntries(joined.filter(([name]) => !NOT_FORWARDED.has(name)));
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function kept(headers: Headers): Record<string, string | string[]> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries.filter(([name]) => !NOT_FORWARDED.has(name.toLowerCase())));
}

function counted(session: OpenProxySession): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (session.count(chunk.length)) done(null, chunk);
      else done(new Error('The page has used its bytes'));
    },
  });
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.code === 'fetch.blocked-address';
}

function refuse(response: ServerResponse, status: 403 | 502): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-length': '0' }).end();
}

type Tunnel = {
  readonly gate: EgressGate;
  readonly session: OpenProxySession;
  /** Its errors are its owner's. */
  readonly client: Duplex;
  /** Bytes that came with the request. */
  readonly head: Buffer;
  /** `host:port` of the CONNECT request. */
  readonly target: string;
};

/** Bytes to and from one origin, unseen: TLS is between browser and site. */
function tunnel(request: Tunnel): void {
  const { session, client, target } = request;
  const origin = originOf(target);
  if (origin === undefined || !session.mayBegin()) {
    client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return;
  }
  open(request, origin).catch((error: unknown) => {
    const failure = toFetchError(error, 'headers');
    session.failed(origin, failure);
    client.end(isRefusal(failure) ? 'HTTP/1.1 403 Forbidden\r\n\r\n' : 'HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
}

async function open({ gate, session, client, head }: Tunnel, origin: string): Promise<void> {
  const free = await session.connection(origin);
  const ending = { destroy: () => client.destroy() };
  session.own(ending);
  client.once('close', () => {
    session.disown(ending);
    free();
  });
  if (client.destroyed) {
    free();
    return;
  }
  const site = await openTunnel(origin, session, gate);
  site.on('error', () => client.destroy());
  site.once('close', () => client.destroy());
  client.once('close', () => site.destroy());
  if (client.destroyed) {
    site.destroy();
    return;
  }
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) site.write(head);
  const count = (chunk: Buffer) => {
    if (!session.count(chunk.length)) client.destroy();
  };
  client.on('data', count).pipe(site);
  site.on('data', count).pipe(client);
}

/** Port 80 is plain: browsers tunnel `ws:` through it. */
function originOf(target: string): string | undefined {
  const scheme = target.endsWith(':80') ? 'http' : 'https';
  const url = URL.parse(`${scheme}://${target}`);
  return url === null || url.pathname !== '/' || url.username !== '' ? undefined : url.origin;
}

/** A connection to an origin, direct or through the access's proxy, whose TLS is somebody else's. Caller destroys it. */
function openTunnel(origin: string, request: PoolKey, gate: EgressGate): Promise<Duplex> {
  const { proxy, allow } = request.access;
  return proxy === undefined
    ? connect(gated({ origin, allow }, request, gate), origin)
    : openThrough(proxy, { origin, request, gate });
}

function connect(connector: buildConnector.connector, origin: string): Promise<Duplex> {
  const { hostname, port, protocol } = new URL(origin);
  const to = { hostname, host: hostname, protocol: 'http:', port: port || (protocol === 'http:' ? '80' : '443') };
  return new Promise((resolve, reject) => {
    connector(to, (error, socket) => {
      if (error === null) resolve(socket);
      else reject(error);
    });
  });
}

/** The gate judges the target all the same. */
async function openThrough(
  proxyUrl: string,
  { origin, request, gate }: { readonly origin: string; readonly request: PoolKey; readonly gate: EgressGate },
): Promise<Duplex> {
  const { access, limits } = request;
  await gate.admit(origin, access.allow, AbortSignal.timeout(limits.connectMs));
  const proxy = proxyOf(proxyUrl);
  const pool = openProxyPool(proxy, request, gate);
  const destroy = () => void pool.destroy();
  try {
    const { hostname, port, protocol } = new URL(origin);
    const authority = `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`;
    const { statusCode, socket } = await pool.connect({
      path: authority,
      headers: { host: authority, ...proxy.headers },
    });
    socket.once('close', destroy);
    if (statusCode === 200) return socket;
    socket.destroy();
    throw unavailable('refused', new Error(`The proxy answered ${statusCode} to CONNECT`));
  } catch (error) {
    destroy();
    throw error;
  }
}
