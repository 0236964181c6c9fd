/** Token bucket: refill per second and size. `perSecond: 0` = no limit. */
export type RateLimit = { readonly perSecond: number; readonly burst: number };

/** `retryAfterSeconds` is 0 when allowed; `resetSeconds` = until the bucket is full again, whole seconds, rounded up. */
export type RateVerdict = {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly retryAfterSeconds: number;
  readonly resetSeconds: number;
};

/**
 * Contract of token buckets, one per key, full at first sight; the API holds them in memory, the job edge in Redis.
 * Promises:
 * - `take` takes one token when there is one; a refusal takes nothing;
 * - a bucket refills by `perSecond` up to `burst`, by the time given, and never above `burst`;
 * - buckets of different keys do not touch each other;
 * - `charge` takes what an admitted call turned out to cost, also more than is there: the bucket then owes it. One that
 *   owed before refuses, and nothing is taken;
 * - a failure of the store is a rejection; the caller lets the request pass.
 */
export interface RateStore {
  take(key: string, limit: RateLimit, nowMs: number): RateVerdict | Promise<RateVerdict>;
  charge(key: string, tokens: number, limit: RateLimit, nowMs: number): RateVerdict | Promise<RateVerdict>;
}

/** The verdict of a bucket that holds `tokens` after the call. */
export function rateVerdict(allowed: boolean, tokens: number, limit: RateLimit): RateVerdict {
  return {
    allowed,
    remaining: Math.max(0, Math.floor(tokens)),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / limit.perSecond)),
    resetSeconds: Math.ceil((limit.burst - tokens) / limit.perSecond),
  };
}
