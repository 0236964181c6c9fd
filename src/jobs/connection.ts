import { Redis } from 'ioredis';
import type { Log } from '../observability/logger.ts';

/** Keys of everything that Redis holds, in one hash slot of a cluster (crawling 22). */
export const KEY_PREFIX = '{fossick}';

const COMMAND_TIMEOUT_MS = 1_000;
const LONGEST_RECONNECT_MS = 2_000;
/** BullMQ's longest blocking read takes 10 s, and is given another second. */
const WORKER_SILENCE_MS = 15_000;

/**
 * A connection on which commands wait and nothing comes for that long is replaced. Without it ioredis waits for ever:
 * the deadline of a command ends the command, not the connection.
 */
export const SILENCE_MS = 5_000;

/** `redis://…`, `rediss://…`, or `unix:///path` of a private Redis. */
export type RedisUrl = string;

/** Waits for Redis for ever: for workers, whose blocking reads survive its absence. Caller closes. */
export function connectWorker(url: RedisUrl, log: Log): Redis {
  return connect(url, log, { maxRetriesPerRequest: null, socketTimeout: WORKER_SILENCE_MS });
}

/** Fails within a second while Redis is away, and queues nothing: for everything that somebody waits for. Caller closes. */
export function connectProducer(url: RedisUrl, log: Log): Redis {
  return connect(url, log, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
  });
}

/** Resolves when commands can be sent, or after `withinMs` while Redis is away. */
export function untilConnected(redis: Redis, withinMs: number): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      redis.off('ready', end);
      resolve();
    };
    const timer = setTimeout(end, withinMs);
    redis.once('ready', end);
  });
}

const PINGS = 3;

/**
 * How long Redis takes for an answer: the shortest of three, so that a busy event loop is not taken for a slow Redis.
 * Fails within a second while it is away.
 */
export async function roundTripMs(redis: Redis): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let count = 0; count < PINGS; count++) {
    const askedAt = performance.now();
    await redis.ping();
    shortest = Math.min(shortest, performance.now() - askedAt);
  }
  return shortest;
}

type Limits = {
  readonly maxRetriesPerRequest: number | null;
  readonly enableOfflineQueue?: false;
  readonly commandTimeout?: number;
  readonly socketTimeout: number;
};

function connect(url: RedisUrl, log: Log, limits: Limits): Redis {
  restoreFastStrings();
  const retryStrategy = (times: number) => Math.min(times * 100, LONGEST_RECONNECT_MS);
  const settings = { ...limits, retryStrategy };
  const redis = url.startsWith('unix://')
    ? new Redis({ ...settings, path: url.slice('unix://'.length) })
    : new Redis(url, settings);
  let wasLost = false;
  redis.on('error', (err) => {
    if (!wasLost) log.warn({ err }, 'redis connection lost');
    wasLost = true;
  });
  redis.on('ready', () => {
    wasLost = false;
  });
  return redis;
}

/**
 * Gives strings their fast methods back, in the whole process. A class that extends `String`, as ioredis declares one,
 * leaves V8 with `String.prototype` as a dictionary, and every call of a string method as a search in it, until a
 * property is set on an object that inherits from it: reading a page costs 1.5 ×, a loop over `charCodeAt` 3 ×
 * (decision 0060).
 */
export function restoreFastStrings(): void {
  const heir: { isSet?: true } = Object.create(String.prototype);
  heir.isSet = true;
}
