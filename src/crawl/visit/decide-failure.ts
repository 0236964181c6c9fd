import type { Reason } from '../../core/crawl-words.ts';
import type { HostAnswer } from '../../storage/frontier-store.ts';
import {
  ATTEMPT_BUDGET,
  backOffMs,
  type FailureReason,
  FIRST_HOLD_MS,
  holdMs,
  RETRY_RULES,
  retryAfterMs,
} from '../rules/retry-policy.ts';
import { type Decision, decision, hasDocument, logOf, type VisitFacts } from './decision.ts';

const DAY = 86_400_000;

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

/** The document stays, whatever failed. */
export function failed(facts: VisitFacts, reason: FailureReason, detail: string | undefined): Decision {
  const { row, now, fetched, jitter } = facts;
  const { next, cost, pace } = RETRY_RULES[reason];
  const answer = answerOf(reason);
  const attempts = row.attempts + cost;
  const common = { answer, pace };
  if (next === 'hold') {
    const forMs = holdOf(facts, reason);
    const later = { dueAt: now + forMs, priority: row.priority, attempts };
    const log = logOf(facts, 'deferred', reason, detail);
    return decision({ ...common, log, next: later, hold: { forMs, reason } });
  }
  const mayRetry = next === 'retry' ? attempts < ATTEMPT_BUDGET : next === 'end-of-run' && row.attempts === 0;
  if (mayRetry) {
    // What was queued stays ahead, in its own lane.
    const priority = next === 'retry' ? Math.min(row.priority, 1) : 3;
    const later = { dueAt: now + backOffMs(row.attempts, jitter), priority, attempts };
    return decision({ ...common, log: logOf(facts, 'deferred', reason, detail), next: later });
  }
  const state = hasDocument(row) ? row.record.state : 'failed';
  // What a suspected URL is suspected of is not forgotten over a failure.
  const told = state === 'suspected' ? row.record.reason : reason;
  const record = { ...row.record, state, reason: told, nextAt: now + DAY, httpStatus: fetched?.status };
  return decision({ ...common, log: logOf(facts, 'failed', reason, detail), record });
}

function answerOf(reason: Reason): HostAnswer | undefined {
  if (HOST_FAILURES.has(reason)) return 'failure';
  if (reason === 'login-wall') return 'login';
  return reason === 'forbidden' ? 'forbidden' : undefined;
}

/** At least as long as the host asked for: one that asks for a second each time would be asked each second for days. */
function holdOf({ fetched, now, host }: VisitFacts, reason: FailureReason): number {
  const asked = retryAfterMs(fetched?.headers.get('retry-after'), now);
  const firstMs = reason === 'dns-not-found' ? FIRST_HOLD_MS[reason] : FIRST_HOLD_MS['rate-limited'];
  return Math.max(asked ?? 0, holdMs(asked ?? firstMs, host.holds));
}
