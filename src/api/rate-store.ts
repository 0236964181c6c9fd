import { type RateLimit, type RateStore, rateVerdict } from '../core/rate-store.ts';

type Bucket = { tokens: number; atMs: number };

/** Buckets of this process. At most `capacity`; the one unused for longest, hence the fullest, goes first. */
export function createMemoryRateStore(capacity = 100_000): RateStore {
  const buckets = new Map<string, Bucket>();
  const refilled = (key: string, limit: RateLimit, nowMs: number): Bucket => {
    const bucket = buckets.get(key) ?? { tokens: limit.burst, atMs: nowMs };
    // Inserted anew, so that the map's order is the order of last use.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > capacity) buckets.delete(buckets.keys().next().value as string);
    const elapsedSeconds = Math.max(0, nowMs - bucket.atMs) / 1_000;
    bucket.tokens = Math.min(limit.burst, bucket.tokens + elapsedSeconds * limit.perSecond);
    bucket.atMs = nowMs;
    return bucket;
  };
  return {
    take(key, limit, nowMs) {
      const bucket = refilled(key, limit, nowMs);
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      return rateVerdict(allowed, bucket.tokens, limit);
    },
    charge(key, tokens, limit, nowMs) {
      const bucket = refilled(key, limit, nowMs);
      const allowed = bucket.tokens >= 0;
      if (allowed) bucket.tokens -= tokens;
      return rateVerdict(allowed, bucket.tokens, limit);
    },
  };
}
