import type { Reason } from '../../core/crawl-words.ts';

/** Attempts of a URL in a run: with 10 % independent faults 5,000 pages lose none (pages × 0.1^6). */
export const ATTEMPT_BUDGET = 6;
/** Crashes after which a URL is left to the next run: three with others, two alone. */
export const CRASH_BUDGET = 5;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const BACK_OFF_MS = 30 * SECOND;
const LONGEST_MS = 6 * HOUR;

/**
 * What follows a visit that failed: `retry` in this run after a back-off, `end-of-run` once more behind everything
 * else, `hold` its host or a part of it (`hold-policy.ts`), `next-run` only.
 */
export type RetryRule = {
  readonly next: 'retry' | 'end-of-run' | 'hold' | 'next-run';
  /** Attempts that the failure costs. */
  readonly cost: number;
  /** What the host's pace hears. */
  readonly pace: 'good' | 'strain' | 'overload';
};

const rule = (next: RetryRule['next'], cost: RetryRule['cost'], pace: RetryRule['pace'] = 'good'): RetryRule => ({
  next,
  cost,
  pace,
});

/** The table of crawling 14; reasons that are not in it end the visit. */
export const RETRY_RULES = {
  'dns-temporary': rule('retry', 1),
  'dns-not-found': rule('hold', 0),
  refused: rule('retry', 1, 'strain'),
  reset: rule('retry', 1, 'strain'),
  truncated: rule('retry', 1, 'strain'),
  protocol: rule('retry', 1, 'strain'),
  'server-error': rule('retry', 1, 'overload'),
  timeout: rule('retry', 1, 'overload'),
  tls: rule('next-run', 0),
  'rate-limited': rule('hold', 1, 'overload'),
  forbidden: rule('end-of-run', 1),
  'robot-wall': rule('end-of-run', 1, 'overload'),
  'login-wall': rule('next-run', 0),
  'client-error': rule('next-run', 0),
  'redirect-loop': rule('next-run', 0),
  'too-many-redirects': rule('next-run', 0),
  'redirected-out': rule('next-run', 0),
  'blocked-address': rule('next-run', 0),
  'private-name': rule('next-run', 0),
  'blocked-port': rule('next-run', 0),
  scheme: rule('next-run', 0),
  'unsupported-type': rule('next-run', 0),
  'too-large': rule('next-run', 0),
  bomb: rule('next-run', 0),
  'bad-encoding': rule('next-run', 0),
  malformed: rule('next-run', 0),
  encrypted: rule('next-run', 0),
  'over-limit': rule('next-run', 0),
  unparsable: rule('next-run', 0),
  // Half of the budget: a page that takes memory or processor time without end is tried twice.
  'render-failed': rule('retry', ATTEMPT_BUDGET / 2),
  crashed: rule('next-run', 0),
} as const satisfies Partial<Record<Reason, RetryRule>>;

export type FailureReason = keyof typeof RETRY_RULES;

export function isFailureReason(text: unknown): text is FailureReason {
  return typeof text === 'string' && Object.hasOwn(RETRY_RULES, text);
}

/** 30 s × 2^attempts, at most 6 h, ± 10 %; `jitter` is from -1 to 1. */
export function backOffMs(attempts: number, jitter: number): number {
  return Math.round(Math.min(BACK_OFF_MS * 2 ** attempts, LONGEST_MS) * (1 + jitter / 10));
}

/** Failures in a row that open the breaker of a host. */
export const BREAKER_FAILURES = 10;

/** Longer ones are shown as a year. */
const RETRY_AFTER_MS = { min: SECOND, max: 365 * 24 * HOUR } as const;

/** `Retry-After` in milliseconds from now: seconds or a date, at least 1 s, at most a year; undefined when unreadable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  // A date begins with its weekday; `Date.parse` would take a number such as -5 for a year.
  const date = /^[a-z]/i.test(value) ? Date.parse(value) - now : Number.NaN;
  const wanted = /^\d+$/.test(value) ? Number(value) * SECOND : date;
  return Number.isNaN(wanted) ? undefined : Math.min(Math.max(wanted, RETRY_AFTER_MS.min), RETRY_AFTER_MS.max);
}
