import type { Reason } from '../../core/crawl-words.ts';
import type { HostAnswer, WaitsAgain } from '../../storage/engine/visits.ts';
import { rateLimitedMs, UNCONFIRMED_MS } from '../rules/hold-policy.ts';
import { ATTEMPT_BUDGET, backOffMs, type FailureReason, RETRY_RULES, retryAfterMs } from '../rules/retry-policy.ts';
import { type Decision, decision, hasDocument, logOf, type VisitFacts } from './decision.ts';

const DAY = 86_400_000;

/** A URL at whose visits processes died too often. */
export function decideCrashed(facts: VisitFacts): Decision {
  return failed(facts, 'crashed', undefined);
}

/** The reason of a status that is no answer; undefined for a good one. */
export function failureOfStatus(status: number): FailureReason | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 429 || status === 503) return 'rate-limited';
  if (status === 408 || status === 425 || status >= 500) return 'server-error';
  return FORBIDDEN.has(status) ? 'forbidden' : 'client-error';
}

const FORBIDDEN: ReadonlySet<number> = new Set([401, 403, 407, 451]);

/** Failures of the host, not of the page: they count for its breaker and its health. */
const HOST_FAILURES: ReadonlySet<Reason> = new Set([
  'dns-temporary',
  'dns-not-found',
  'refused',
  'reset',
  'truncated',
  'protocol',
  'server-error',
  'timeout',
  'tls',
  'rate-limited',
]);

/** A URL that asks to wait for longer than an hour is asked once more in its run. */
const ATTEMPTS_OF_LONG_WAIT = 2;

/** The document stays, whatever failed. */
export function failed(facts: VisitFacts, reason: FailureReason, detail: string | undefined): Decision {
  const { row, now, jitter } = facts;
  const { next, cost } = RETRY_RULES[reason];
  if (reason === 'rate-limited') return rateLimited(facts, detail);
  if (reason === 'dns-not-found') {
    const held = waits(facts, { reason, detail }, { dueAt: now, priority: row.priority, attempts: row.attempts });
    return { ...held, hold: { reason, askedMs: undefined, whenHeld: held } };
  }
  const attempts = row.attempts + cost;
  const mayRetry = next === 'retry' ? attempts < ATTEMPT_BUDGET : next === 'end-of-run' && row.attempts === 0;
  if (!mayRetry) return failedForNow(facts, reason, detail);
  // What was queued stays ahead, in its own lane.
  const priority = next === 'retry' ? Math.min(row.priority, 1) : 3;
  return waits(facts, { reason, detail }, { dueAt: now + backOffMs(row.attempts, jitter), priority, attempts });
}

/** The host waits with all its URLs and their attempts, or the URL alone, which costs one. */
function rateLimited(facts: VisitFacts, detail: string | undefined): Decision {
  const { row, now, fetched } = facts;
  const reason = 'rate-limited';
  const askedMs = retryAfterMs(fetched?.headers.get('retry-after'), now);
  const { priority } = row;
  const ofHost = waits(facts, { reason, detail }, { dueAt: now, priority, attempts: row.attempts });
  const attempts = row.attempts + RETRY_RULES[reason].cost;
  const isLong = askedMs !== undefined && askedMs > UNCONFIRMED_MS;
  const alone =
    attempts < (isLong ? ATTEMPTS_OF_LONG_WAIT : ATTEMPT_BUDGET)
      ? waits(facts, { reason, detail }, { dueAt: now + rateLimitedMs(askedMs, row.attempts), priority, attempts })
      : failedForNow(facts, reason, detail);
  return { ...alone, hold: { reason, askedMs, whenHeld: ofHost } };
}

type Failure = { readonly reason: FailureReason; readonly detail: string | undefined };

function waits(facts: VisitFacts, { reason, detail }: Failure, next: WaitsAgain): Decision {
  const { pace } = RETRY_RULES[reason];
  return decision({ answer: failureAnswer(reason), pace, log: logOf(facts, 'deferred', reason, detail), next });
}

/** Left to the next run. */
function failedForNow(facts: VisitFacts, reason: FailureReason, detail: string | undefined): Decision {
  const { row, now, fetched } = facts;
  const state = hasDocument(row) ? row.record.state : 'failed';
  // What a suspected URL is suspected of is not forgotten over a failure.
  const told = state === 'suspected' ? row.record.reason : reason;
  const record = { ...row.record, state, reason: told, nextAt: now + DAY, httpStatus: fetched?.status };
  const { pace } = RETRY_RULES[reason];
  return decision({ answer: failureAnswer(reason), pace, log: logOf(facts, 'failed', reason, detail), record });
}

function failureAnswer(reason: Reason): HostAnswer | undefined {
  if (HOST_FAILURES.has(reason)) return 'failure';
  if (reason === 'robot-wall') return 'wall';
  if (reason === 'login-wall') return 'login';
  return reason === 'forbidden' ? 'forbidden' : undefined;
}
