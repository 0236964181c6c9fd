import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import type { Clock } from '../../core/clock.ts';
import { type AllowList, allowEntry, type EgressGate } from '../egress-gate.ts';
import type { CookieJar, FetchAccess, FetchLimits } from '../fetcher.ts';
import { PRIVATE_IPV4, PRIVATE_IPV6 } from '../private-networks.ts';
import { gatedConnector } from './connector.ts';
import { type ForwardProxy, proxyOf, tunnelConnector } from './proxy.ts';

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
  use<T>(origin: string, asked: PoolKey, work: (connections: Connections) => Promise<T>): Promise<T>;
};

export type PoolKey = { readonly access: FetchAccess; readonly limits: FetchLimits };

/** Pools per origin, never shared between crawlers that differ in allow list, credentials, proxy or TLS. */
export function createPools({ gate, clock }: { readonly gate: EgressGate; readonly clock: Clock }): Pools {
  const pools = new Map<string, PooledConnections>();
  const closing = new Set<Promise<unknown>>();
  const digestOf = createDigests();

  const closeIdle = () => {
    for (const [key, held] of pools) {
      if (held.users > 0 || clock.now() - held.usedAt < IDLE_MS) continue;
      pools.delete(key);
      const closed = held.opened.destroy().finally(() => closing.delete(closed));
      closing.add(closed);
    }
  };

  return {
    async use(origin, asked, work) {
      closeIdle();
      const key = `${origin} ${asked.limits.connectMs} ${asked.limits.firstByteMs} ${digestOf(asked.access)}`;
      const held = pools.get(key) ?? { opened: openConnections(origin, asked, gate), users: 0, usedAt: 0 };
      pools.set(key, held);
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

function openConnections(origin: string, asked: PoolKey, gate: EgressGate): Opened {
  const { access } = asked;
  if (access.proxy === undefined) {
    const pool = openPool(origin, asked, gated({ origin, allow: access.allow }, asked, gate));
    return { send: (request) => pool.request(request), destroy: () => pool.destroy() };
  }
  const proxy = proxyOf(access.proxy);
  const toProxy = openProxyPool(proxy, asked, gate);
  return origin.startsWith('https:') ? tunnelled(origin, asked, proxy, toProxy) : forwarded(origin, proxy, toProxy);
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

function tunnelled(origin: string, asked: PoolKey, proxy: ForwardProxy, toProxy: Pool): Opened {
  const connect = buildConnector(connectOptions(asked));
  const pool = openPool(origin, asked, tunnelConnector({ proxy, pool: toProxy, target: new URL(origin), connect }));
  return {
    send: (request) => pool.request(request),
    destroy: () => Promise.all([pool.destroy(), toProxy.destroy()]),
  };
}

export function openProxyPool(proxy: ForwardProxy, asked: PoolKey, gate: EgressGate): Pool {
  return openPool(proxy.origin, asked, gated({ origin: proxy.origin, allow: only(proxy) }, asked, gate));
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
  asked: PoolKey,
  gate: EgressGate,
): buildConnector.connector {
  const connect = buildConnector(connectOptions(asked));
  return gatedConnector({ ...to, gate, connect, admitMs: asked.limits.connectMs });
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
