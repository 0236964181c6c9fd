import { createHash } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import { type AllowList, allowEntry, type EgressGate, type PinnedAddress } from '../egress-gate.ts';
import type { CookieJar, FetchAccess, FetchLimits } from '../fetcher.ts';
import { foldAddress, PRIVATE_IPV4, PRIVATE_IPV6 } from '../private-networks.ts';
import { unavailable } from './failure.ts';

/** Idle origins are closed after this time (crawling: fetching). */
const IDLE_MS = 60_000;
/** Connections to one origin; how many are in use is decided by the crawler's host slots. */
const CONNECTIONS_PER_ORIGIN = 16;
/** Reliability: limits on what is fetched. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Longest wait between two pieces of a body: 1 KiB/s over 10 s cannot be reached any more. */
const BODY_IDLE_MS = 10_000;

export type SentRequest = {
  readonly method: Dispatcher.HttpMethod;
  /** With its query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Readable | null;
  readonly signal: AbortSignal;
};

/** Connections to one origin, direct or through a proxy. */
export type Connections = { send(request: SentRequest): Promise<Dispatcher.ResponseData> };

type Opened = Connections & { destroy(): Promise<unknown> };
type PooledConnections = { readonly opened: Opened; users: number; usedAt: number };

export type Pools = AsyncDisposable & {
  /** Runs `work` with the connections of an origin; they live at least that long. */
  use<T>(origin: string, key: PoolKey, work: (connections: Connections) => Promise<T>): Promise<T>;
};

export type PoolKey = { readonly access: FetchAccess; readonly limits: FetchLimits };

/** Pools per origin, never shared between crawlers that differ in allow list, credentials, proxy or TLS. */
export function createPools({ gate, clock }: { readonly gate: EgressGate; readonly clock: Clock }): Pools {
  const pools = new Map<string, PooledConnections>();
  const closing = new Set<Promise<unknown>>();
  const digestOf = createDigests();

  const closeIdle = () => {
    for (const [name, held] of pools) {
      if (held.users > 0 || clock.now() - held.usedAt < IDLE_MS) continue;
      pools.delete(name);
      const closed = held.opened.destroy().finally(() => closing.delete(closed));
      closing.add(closed);
    }
  };

  return {
    async use(origin, key, work) {
      closeIdle();
      const name = `${origin} ${key.limits.connectMs} ${key.limits.firstByteMs} ${digestOf(key.access)}`;
      const held = pools.get(name) ?? { opened: openConnections(origin, key, gate), users: 0, usedAt: 0 };
      pools.set(name, held);
      held.users++;
      try {
        return await work(held.opened);
      } finally {
        held.users--;
        held.usedAt = clock.now();
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...closing, ...[...pools.values()].map(({ opened }) => opened.destroy())]);
      pools.clear();
    },
  };
}

function openConnections(origin: string, key: PoolKey, gate: EgressGate): Opened {
  const { access } = key;
  if (access.proxy === undefined) {
    const pool = openPool(origin, key, gated({ origin, allow: access.allow }, key, gate));
    return { send: (request) => pool.request(request), destroy: () => pool.destroy() };
  }
  const proxy = proxyOf(access.proxy);
  const toProxy = openProxyPool(proxy, key, gate);
  return origin.startsWith('https:') ? tunnelled(origin, key, proxy, toProxy) : forwarded(origin, proxy, toProxy);
}

/** Plain requests go to the proxy whole (RFC 9112 section 3.2.2). */
function forwarded(origin: string, proxy: ForwardProxy, pool: Pool): Opened {
  const host = new URL(origin).host;
  return {
    send: ({ path, headers, ...request }) =>
      pool.request({ ...request, path: origin + path, headers: { ...headers, ...proxy.headers, host } }),
    destroy: () => pool.destroy(),
  };
}

function tunnelled(origin: string, key: PoolKey, proxy: ForwardProxy, toProxy: Pool): Opened {
  const connect = buildConnector(connectOptions(key));
  const pool = openPool(origin, key, tunnelConnector({ proxy, pool: toProxy, target: new URL(origin), connect }));
  return {
    send: (request) => pool.request(request),
    destroy: () => Promise.all([pool.destroy(), toProxy.destroy()]),
  };
}

export function openProxyPool(proxy: ForwardProxy, key: PoolKey, gate: EgressGate): Pool {
  return openPool(proxy.origin, key, gated({ origin: proxy.origin, allow: only(proxy) }, key, gate));
}

/** The operator named the proxy, as an address or by a name of the operator's own network: it may be private. */
function only({ origin }: ForwardProxy): AllowList {
  const { hostname, protocol, port } = new URL(origin);
  const ports = [Number(port) || (protocol === 'https:' ? 443 : 80)];
  const networks = [...PRIVATE_IPV4, ...PRIVATE_IPV6];
  return { addresses: new Set([allowEntry(origin) ?? '']), names: [{ name: hostname, ports, networks }] };
}

export function gated(
  to: { readonly origin: string; readonly allow: AllowList },
  key: PoolKey,
  gate: EgressGate,
): buildConnector.connector {
  const connect = buildConnector(connectOptions(key));
  return gatedConnector({ ...to, gate, connect, admitMs: key.limits.connectMs });
}

function connectOptions({ access, limits }: PoolKey): buildConnector.BuildOptions {
  const { verify, ca } = access.tls;
  return {
    timeout: limits.connectMs,
    rejectUnauthorized: verify,
    ...(ca.length === 0 ? {} : { ca: [...rootCertificates, ...ca] }),
  };
}

function openPool(origin: string, { limits }: PoolKey, connect: buildConnector.connector): Pool {
  return new Pool(origin, {
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.firstByteMs,
    bodyTimeout: BODY_IDLE_MS,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    connect,
  });
}

/** A short text for what requests must have in common to share a connection; asked once per access. */
function createDigests(): (access: FetchAccess) => string {
  const known = new WeakMap<FetchAccess, string>();
  const jars = new WeakMap<CookieJar, number>();
  let jarCount = 0;
  const jarNumber = (jar: CookieJar) => {
    const number = jars.get(jar) ?? ++jarCount;
    jars.set(jar, number);
    return number;
  };
  return (access) => {
    const held = known.get(access);
    if (held !== undefined) return held;
    const { allow, credentials, proxy, tls } = access;
    const secrets = credentials && [credentials.headers, credentials.cookies, jarNumber(credentials.jar)];
    const text = JSON.stringify([[...allow.addresses].sort(), allow.names, secrets, proxy, tls]);
    const digest = createHash('sha256').update(text).digest('base64');
    known.set(access, digest);
    return digest;
  };
}

/** Addresses of one host that are tried before its connection fails. */
const MAX_TRIES = 3;

export type GatedConnectorDeps = {
  readonly origin: string;
  readonly gate: EgressGate;
  readonly allow: AllowList;
  readonly connect: buildConnector.connector;
  /** For the gate's answer; the connector has its own limit for each address. */
  readonly admitMs: number;
};

/**
 * A connector that asks the gate at each new connection, connects to a judged address (so that there is no second
 * look-up that could answer otherwise), and drops a socket whose peer is another one.
 */
function gatedConnector({ origin, gate, allow, connect, admitMs }: GatedConnectorDeps): buildConnector.connector {
  const open = async (options: buildConnector.Options): Promise<Socket> => {
    const target = await gate.admit(origin, allow, AbortSignal.timeout(admitMs));
    // Literal addresses have no name to verify a certificate against; undici then uses the address itself.
    const name = isIP(target.hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: target.hostname } : {};
    let failure: unknown;
    for (const pinned of target.addresses.slice(0, MAX_TRIES)) {
      try {
        const socket = await connected(connect, { ...options, ...name, hostname: pinned.address });
        return verified(socket, pinned);
      } catch (error) {
        if (error instanceof AppError) throw error;
        failure = error;
      }
    }
    throw failure;
  };
  return (options, callback) => {
    open(options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

function connected(connect: buildConnector.connector, options: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connect(options, (error, socket) => {
      if (error !== null) reject(error);
      else resolve(socket);
    });
  });
}

function verified(socket: Socket, pinned: PinnedAddress): Socket {
  if (foldAddress(socket.remoteAddress ?? '') === foldAddress(pinned.address)) return socket;
  socket.destroy();
  const details = { reason: 'blocked-address' };
  throw new AppError('fetch.blocked-address', 'The address is not allowed', { details });
}

type ForwardProxy = {
  readonly origin: string;
  /** What the proxy is told with every request or tunnel. */
  readonly headers: Readonly<Record<string, string>>;
};

/** From a URL that may hold user info. */
export function proxyOf(text: string): ForwardProxy {
  const { origin, username, password } = new URL(text);
  if (username === '' && password === '') return { origin, headers: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { origin, headers: { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` } };
}

export type TunnelDeps = {
  readonly proxy: ForwardProxy;
  /** Connections to the proxy; each becomes one tunnel. */
  readonly pool: Pool;
  readonly target: URL;
  readonly connect: buildConnector.connector;
};

/** A connector that asks a proxy for a tunnel to an https site (RFC 9110 section 9.3.6) and speaks TLS through it. */
function tunnelConnector(deps: TunnelDeps): buildConnector.connector {
  return (options, callback) => {
    openTunnel(deps, options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

async function openTunnel(
  { proxy, pool, target, connect }: TunnelDeps,
  options: buildConnector.Options,
): Promise<Socket> {
  const authority = `${target.hostname}:${target.port || 443}`;
  const headers = { host: authority, ...proxy.headers };
  const { statusCode, socket } = await pool.connect({ path: authority, headers });
  if (statusCode !== 200) {
    socket.destroy();
    throw unavailable('refused', new Error(`The proxy answered ${statusCode} to CONNECT`));
  }
  const tunnel = socket as Socket;
  return new Promise((resolve, reject) => {
    connect({ ...options, httpSocket: tunnel }, (error, secured) => {
      if (error === null) return resolve(secured);
      tunnel.destroy();
      reject(error);
    });
  });
}
