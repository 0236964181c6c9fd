import type { FastifyReply } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { type RateLimit, type RateStore, type RateVerdict, rateVerdict } from '../core/rate-store.ts';
import type { Log } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RateClass } from './route-table.ts';
import type { ApiSettings } from './settings.ts';

export type RateDeps = {
  readonly settings: Pick<ApiSettings, 'rates'>;
  readonly rates: RateStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'httpRateLimited'>;
};

export type RatedCall = { readonly rate: RateClass; readonly caller: string };

/**
 * Takes one token of the caller's bucket; a refusal sets the `RateLimit-*` headers. A store that fails lets the call
 * pass: limits protect, they are no condition of service. Contract: 1.7, 1.9.
 *
 * @throws AppError `rate.exceeded`
 */
export async function limitRate(deps: RateDeps, call: RatedCall, reply: FastifyReply): Promise<void> {
  await refuseUnless(deps, call, reply, (key, limit) => deps.rates.take(key, limit, deps.clock.now()));
}

/**
 * Takes what an admitted call has cost beyond its first token, also more than the bucket holds: it is paid off by time.
 * Of calls that came in together, those are refused whose caller owes already.
 *
 * @throws AppError `rate.exceeded`
 */
export async function chargeRate(deps: RateDeps, call: RatedCall & { readonly tokens: number }, reply: FastifyReply) {
  const { tokens } = call;
  if (tokens <= 0) return;
  await refuseUnless(deps, call, reply, (key, limit) => deps.rates.charge(key, tokens, limit, deps.clock.now()));
}

async function refuseUnless(deps: RateDeps, call: RatedCall, reply: FastifyReply, ask: AskStore): Promise<void> {
  const limit = deps.settings.rates[call.rate];
  if (limit.perSecond === 0) return;
  const verdict = await verdictOf(deps, () => ask(`${call.rate}:${call.caller}`, limit));
  if (verdict === undefined || verdict.allowed) return;
  const { remaining, resetSeconds, retryAfterSeconds } = verdict;
  deps.metrics.httpRateLimited.inc({ class: call.rate });
  reply.headers({ 'RateLimit-Limit': limit.burst, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': resetSeconds });
  throw new AppError('rate.exceeded', `Too many requests, try again in ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  });
}

type AskStore = (key: string, limit: RateLimit) => RateVerdict | Promise<RateVerdict>;

async function verdictOf({ log }: RateDeps, ask: () => ReturnType<AskStore>): Promise<RateVerdict | undefined> {
  try {
    return await ask();
  } catch (err) {
    log.warn({ err }, 'rate store failed');
    return undefined;
  }
}

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
