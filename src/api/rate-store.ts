import type { RateLimit } from './settings.ts';

/** `retryAfterSeconds` is 0 when allowed; `resetSeconds` = until the bucket is full again, whole seconds, rounded up. */
export type RateVerdict = {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly retryAfterSeconds: number;
  readonly resetSeconds: number;
};

/**
 * Port: token buckets, one per key, full at first sight. Promises:
 * - `take` takes one token when there is one; a refusal takes nothing;
 * - a bucket refills by `perSecond` up to `burst`, by the time given, and never above `burst`;
 * - buckets of different keys do not touch each other;
 * - a failure of the store is a rejection; the caller lets the request pass.
 */
export interface RateStore {
  take(key: string, limit: RateLimit, nowMs: number): RateVerdict | Promise<RateVerdict>;
}

type Bucket = { tokens: number; atMs: number };

/** Buckets of this process. At most `capacity`; the one unused for longest, hence the fullest, goes first. */
export function createMemoryRateStore(capacity = 100_000): RateStore {
  const buckets = new Map<string, Bucket>();
  return {
    take(key, limit, nowMs) {
      const bucket = buckets.get(key) ?? { tokens: limit.burst, atMs: nowMs };
      // Inserted anew, so that the map's order is the order of last use.
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > capacity) buckets.delete(buckets.keys().next().value as string);
      const elapsedSeconds = Math.max(0, nowMs - bucket.atMs) / 1_000;
      bucket.tokens = Math.min(limit.burst, bucket.tokens + elapsedSeconds * limit.perSecond);
      bucket.atMs = nowMs;
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      return rateVerdict(allowed, bucket.tokens, limit);
    },
  };
}

/** The verdict of a bucket that holds `tokens` after the call. */
export function rateVerdict(allowed: boolean, tokens: number, limit: RateLimit): RateVerdict {
  return {
    allowed,
    remaining: Math.floor(tokens),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / limit.perSecond)),
    resetSeconds: Math.ceil((limit.burst - tokens) / limit.perSecond),
  };
}
