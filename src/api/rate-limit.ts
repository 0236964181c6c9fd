import type { FastifyReply } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { RateStore } from '../core/rate-store.ts';
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
  const limit = deps.settings.rates[call.rate];
  if (limit.perSecond === 0) return;
  const verdict = await takeToken(deps, call);
  if (verdict === undefined || verdict.allowed) return;
  const { remaining, resetSeconds, retryAfterSeconds } = verdict;
  deps.metrics.httpRateLimited.inc({ class: call.rate });
  reply.headers({ 'RateLimit-Limit': limit.burst, 'RateLimit-Remaining': remaining, 'RateLimit-Reset': resetSeconds });
  throw new AppError('rate.exceeded', `Too many requests, try again in ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  });
}

async function takeToken({ settings, rates, clock, log }: RateDeps, { rate, caller }: RatedCall) {
  try {
    return await rates.take(`${rate}:${caller}`, settings.rates[rate], clock.now());
  } catch (err) {
    log.warn({ err }, 'rate store failed');
    return undefined;
  }
}
