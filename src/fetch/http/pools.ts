import { createHash } from 'node:crypto';
import { buildConnector, Pool } from 'undici';
import type { Clock } from '../../core/clock.ts';
import type { EgressGate } from '../egress-gate.ts';
import type { FetchAccess, FetchLimits } from '../fetcher.ts';
import { gatedConnector } from './connector.ts';

/** Idle origins are closed after this time (crawling: fetching). */
const IDLE_MS = 60_000;
/** Connections to one origin; how many are in use is decided by the crawler's host slots. */
const CONNECTIONS_PER_ORIGIN = 16;
/** Reliability: limits on what is fetched. */
const MAX_HEADER_BYTES = 64 * 1024;
/** Longest wait between two pieces of a body: 1 KiB/s over 10 s cannot be reached any more. */
const BODY_IDLE_MS = 10_000;

type Held = { readonly pool: Pool; users: number; usedAt: number };

export type Pools = AsyncDisposable & {
  /** Runs `work` with the pool of an origin; the pool lives at least that long. */
  use<T>(origin: string, asked: PoolKey, work: (pool: Pool) => Promise<T>): Promise<T>;
};

export type PoolKey = { readonly access: FetchAccess; readonly limits: FetchLimits };

/** Pools per origin, never shared between crawlers that differ in allow list, credentials or TLS. */
export function createPools({ gate, clock }: { readonly gate: EgressGate; readonly clock: Clock }): Pools {
  const pools = new Map<string, Held>();
  const closing = new Set<Promise<void>>();

  const closeIdle = () => {
    for (const [key, held] of pools) {
      if (held.users > 0 || clock.now() - held.usedAt < IDLE_MS) continue;
      pools.delete(key);
      const closed = held.pool.destroy().finally(() => closing.delete(closed));
      closing.add(closed);
    }
  };

  return {
    async use(origin, asked, work) {
      closeIdle();
      const key = `${origin} ${asked.limits.connectMs} ${asked.limits.firstByteMs} ${digestOf(asked.access)}`;
      const held = pools.get(key) ?? { pool: openPool(origin, asked, gate), users: 0, usedAt: 0 };
      pools.set(key, held);
      held.users++;
      try {
        return await work(held.pool);
      } finally {
        held.users--;
        held.usedAt = clock.now();
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...closing, ...[...pools.values()].map(({ pool }) => pool.destroy())]);
      pools.clear();
    },
  };
}

function openPool(origin: string, { access, limits }: PoolKey, gate: EgressGate): Pool {
  const { verify, ca } = access.tls;
  const connect = buildConnector({
    timeout: limits.connectMs,
    rejectUnauthorized: verify,
    ...(ca.length === 0 ? {} : { ca: [...ca] }),
  });
  return new Pool(origin, {
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: limits.firstByteMs,
    bodyTimeout: BODY_IDLE_MS,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    connect: gatedConnector({ origin, gate, allow: access.allow, connect, admitMs: limits.connectMs }),
  });
}

const digests = new WeakMap<FetchAccess, string>();

function digestOf(access: FetchAccess): string {
  const known = digests.get(access);
  if (known !== undefined) return known;
  const { allow, credentials, tls } = access;
  const text = JSON.stringify([[...allow].sort(), [...credentials].sort(), tls]);
  const digest = createHash('sha256').update(text).digest('base64');
  digests.set(access, digest);
  return digest;
}
