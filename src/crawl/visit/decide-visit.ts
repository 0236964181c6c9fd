import { FRONTIER_FLAGS, type Outcome, type Reason, type UrlState } from '../../core/crawl-words.ts';
import { firstValue, type NewDocument } from '../../core/document.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow, HostAnswer, NewUrl, RecordedVisit, UrlFacts, VisitLog } from '../../storage/frontier-store.ts';
import type { SlotResult } from '../host-slots.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { isHealthy } from '../rules/host-health.ts';
import { nextIntervalMs } from '../rules/recrawl-policy.ts';
import { isGuardReached, judgeRemoval, type RemovalLoad } from '../rules/removal-policy.ts';
import {
  ATTEMPT_BUDGET,
  backOffMs,
  type FailureReason,
  FIRST_HOLD_MS,
  holdMs,
  RETRY_RULES,
  retryAfterMs,
} from '../rules/retry-policy.ts';
import { pageDocument } from './page-document.ts';

/** What a fetch brought, without its bytes. */
export type FetchedFacts = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly wireBytes: number;
  readonly millis: number;
  /** JSON for the log: the way of redirects. */
  readonly detail: string | undefined;
  readonly isFile: boolean;
  /** Signed 64 bits as decimal text. */
  readonly bodyHash: string | undefined;
};

/** Where a redirect or canonical link leads, in normal form; `state` is undefined for a URL that is not known. */
export type Target = {
  readonly url: string;
  readonly by: 'redirect' | 'canonical';
  readonly state: UrlState | undefined;
};

export type VisitFacts = {
  readonly row: DueRow;
  readonly rules: CrawlRules;
  readonly now: number;
  /** From -1 to 1. */
  readonly jitter: number;
  readonly host: { readonly health: string; readonly failures: number };
  readonly removals: RemovalLoad;
  readonly fetched: FetchedFacts | undefined;
  /** Why there was no usable answer. */
  readonly failure: { readonly reason: FailureReason; readonly detail: string | undefined } | undefined;
  readonly extraction: Extraction | undefined;
  readonly target: Target | undefined;
  /** The bytes are those of the last visit, read under the same rules. */
  readonly sameBody: boolean;
};

/** Everything that a visit changes. */
export type Decision = Omit<RecordedVisit, 'urlId' | 'hostId' | 'links'> & {
  /** The links of the page count (and are followed as the rules say). */
  readonly readsLinks: boolean;
  readonly hold: { readonly forMs: number; readonly reason: Reason } | undefined;
  readonly pace: SlotResult;
};

const DAY = 86_400_000;

/** One pure decision: status, extraction and history → what becomes of the URL. */
export function decideVisit(facts: VisitFacts): Decision {
  const { failure, fetched, extraction, target } = facts;
  if (failure !== undefined) return failed(facts, failure.reason, failure.detail);
  const status = fetched?.status ?? 0;
  if (status === 304) return unchanged(facts, 'not-modified', 'not-modified');
  if (status === 404 || status === 410) return missing(facts, status === 410);
  const reason = failureOfStatus(status);
  if (reason !== undefined) return failed(facts, reason, undefined);
  if (target?.by === 'redirect') return aliased(facts, target);
  if (facts.sameBody) return unchanged(facts, 'unchanged', 'same-content');
  if (extraction === undefined) return failed(facts, 'unsupported-type', undefined);
  return read(facts, extraction);
}

/** A URL that may not be visited: outside of the scope, or forbidden by robots.txt. */
export function decideSkipped(
  { row, now }: Pick<VisitFacts, 'row' | 'now'>,
  refusal: { readonly reason: Reason; readonly rule: string; readonly line?: number | undefined },
): Decision {
  const { reason, rule, line } = refusal;
  const byOperator = OPERATOR_REASONS.has(reason) && row.runKind !== 'urls' && hasDocument(row);
  const detail = JSON.stringify(line === undefined ? { rule } : { rule, line });
  return decision({
    log: { outcome: byOperator ? 'removed' : 'skipped', reason, httpStatus: undefined, bytes: 0, millis: 0, detail },
    record: { ...row.record, state: 'skipped', reason, nextAt: now + DAY },
    document: byOperator ? { remove: row.url } : undefined,
    pace: 'unused',
  });
}

/** A URL at whose visits processes died too often. */
export function decideCrashed(facts: VisitFacts): Decision {
  return failed(facts, 'crashed', undefined);
}

/** Settings that take what is known out of the scope: the operator decided, so the document leaves. */
const OPERATOR_REASONS: ReadonlySet<Reason> = new Set([
  'out-of-domain',
  'excluded',
  'not-included',
  'file-type',
  'follow-only',
]);

type Parts = Partial<Decision> & Pick<Decision, 'log'>;

function decision(parts: Parts): Decision {
  return {
    next: 'done',
    answer: undefined,
    record: undefined,
    target: undefined,
    document: undefined,
    readsLinks: false,
    hold: undefined,
    pace: 'good',
    ...parts,
  };
}

function failureOfStatus(status: number): FailureReason | undefined {
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
function failed(facts: VisitFacts, reason: FailureReason, detail: string | undefined): Decision {
  const { row, now, fetched, jitter } = facts;
  const { next, cost, pace } = RETRY_RULES[reason];
  const answer: HostAnswer | undefined = HOST_FAILURES.has(reason) ? 'failure' : undefined;
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
    const priority = next === 'retry' ? 1 : 3;
    const later = { dueAt: now + backOffMs(row.attempts, jitter), priority, attempts };
    return decision({ ...common, log: logOf(facts, 'deferred', reason, detail), next: later });
  }
  const state = hasDocument(row) ? row.record.state : 'failed';
  const record = { ...row.record, state, reason, nextAt: now + DAY, httpStatus: fetched?.status };
  return decision({ ...common, log: logOf(facts, 'failed', reason, detail), record });
}

function holdOf({ fetched, now, host }: VisitFacts, reason: FailureReason): number {
  const asked = retryAfterMs(fetched?.headers.get('retry-after'), now);
  const firstMs = reason === 'dns-not-found' ? FIRST_HOLD_MS[reason] : FIRST_HOLD_MS['rate-limited'];
  return asked ?? holdMs(firstMs, host.failures);
}

function missing(facts: VisitFacts, isGone: boolean): Decision {
  return leaving(facts, isGone ? 'gone' : 'not-found', 'missing');
}

/** The page says itself that it is not there or not to be found. */
function leaving(facts: VisitFacts, reason: Reason, evidence: 'missing' | 'directive'): Decision {
  const { row, rules, now, host } = facts;
  const judged = judgeRemoval({
    evidence,
    isGone: reason === 'gone',
    queued: evidence === 'missing' && isQueued(row),
    state: row.record.state,
    misses: row.record.state === 'live' ? 0 : row.record.misses,
    missedAt: row.record.missedAt,
    now,
    confirmAfterMs: rules.settings.removal.confirmAfterMs,
    hostIsHealthy: isHealthy(host.health),
    guardIsReached: isGuardReached(facts.removals, rules.settings.removal),
  });
  const { misses, nextAt, verdict } = judged;
  const httpStatus = facts.fetched?.status;
  const leaves = verdict === 'remove' || verdict === 'absent';
  const state = !leaves ? 'suspected' : evidence === 'missing' ? 'gone' : 'skipped';
  const told = verdict === 'hold' ? 'removal-held' : reason;
  const missedAt = 'missedAt' in judged ? judged.missedAt : undefined;
  const record = { ...row.record, state, reason: told, misses, missedAt, nextAt, httpStatus } satisfies UrlFacts;
  const outcomes = { remove: 'removed', suspect: 'suspected', hold: 'suspected', absent: 'skipped' } as const;
  return decision({
    log: logOf(facts, outcomes[verdict], told, undefined),
    answer: answerOf(row, evidence),
    record: !leaves ? record : { ...record, contentHash: undefined, bodyHash: undefined },
    document: verdict === 'remove' ? { remove: row.url } : undefined,
    readsLinks: evidence === 'directive',
  });
}

/** A second look says nothing new about the host: it would make many real removals look like an outage. */
function answerOf({ record }: DueRow, evidence: 'missing' | 'directive'): HostAnswer | undefined {
  if (evidence === 'directive') return 'good';
  return record.state === 'suspected' ? undefined : 'missing';
}

function unchanged(facts: VisitFacts, outcome: Outcome, reason: Reason): Decision {
  const { row, rules, now } = facts;
  const state = row.record.state === 'suspected' ? 'live' : row.record.state;
  const intervalMs = nextIntervalMs(rules.settings, row.record.intervalMs, false);
  return decision({
    log: logOf(facts, outcome, reason, undefined),
    answer: 'good',
    record: {
      ...row.record,
      ...validatorsOf(facts),
      state,
      reason,
      misses: 0,
      missedAt: undefined,
      intervalMs,
      nextAt: now + intervalMs,
    },
  });
}

/**
 * Another URL stands for this one. A document is only made from that URL's own 200; a document of this one leaves
 * when the other is live.
 */
function aliased(facts: VisitFacts, { url, by, state: targetState }: Target): Decision {
  const { row, rules, now } = facts;
  const hadDocument = hasDocument(row);
  const leaves = hadDocument && targetState === 'live';
  const isForced = (row.flags & FRONTIER_FLAGS.force) !== 0;
  const target: NewUrl = {
    url,
    origin: by,
    depth: row.depth,
    priority: row.priority === 0 ? 0 : 1,
    flags: row.flags & (FRONTIER_FLAGS.force | FRONTIER_FLAGS.follow),
    enqueue: isForced ? 'always' : 'if-new',
  };
  const state = hadDocument && !leaves ? row.record.state : 'alias';
  const intervalMs = nextIntervalMs(rules.settings, row.record.intervalMs, false);
  const record = { ...row.record, state, reason: by, httpStatus: facts.fetched?.status, nextAt: now + intervalMs };
  return decision({
    log: logOf(facts, 'aliased', by, JSON.stringify({ target: url })),
    answer: 'good',
    record: { ...record, intervalMs, misses: 0, missedAt: undefined },
    target,
    document: leaves ? { remove: row.url } : undefined,
    readsLinks: by === 'canonical',
  });
}

const UNREADABLE: Readonly<Partial<Record<Extraction['status'], FailureReason>>> = {
  malformed: 'malformed',
  unsupported: 'unsupported-type',
  'timed-out': 'unparsable',
  'out-of-memory': 'unparsable',
  crashed: 'unparsable',
};

function read(facts: VisitFacts, extraction: Extraction): Decision {
  const { row, rules, now, target } = facts;
  const unreadable = UNREADABLE[extraction.status];
  if (unreadable !== undefined) return failed(facts, unreadable, undefined);
  const directive = rules.settings.robotsMeta === 'ignore' ? undefined : directiveOf(extraction, now);
  if (directive !== undefined) return leaving(facts, directive, 'directive');
  const url = new URL(row.url);
  const noIndex = rules.noIndex.find((rule) => rule.matches(url));
  if (noIndex !== undefined) return readOnly(facts, { reason: 'follow-only', rule: noIndex.text });
  if (target !== undefined && isUsable(target.state)) return aliased(facts, target);
  const hasText = firstValue(extraction.fields, 'Content') !== '';
  const hasTitle = firstValue(extraction.fields, 'Title') !== '';
  if (!hasText && hasDocument(row)) return { ...unchanged(facts, 'unchanged', 'empty'), readsLinks: true };
  if (!hasText && !hasTitle) return readOnly(facts, { reason: 'empty', rule: '' });
  return stored(facts, extraction, pageDocument(extraction, row.url));
}

/** Visited for its links. */
function readOnly(facts: VisitFacts, refusal: { readonly reason: Reason; readonly rule: string }): Decision {
  return { ...decideSkipped(facts, refusal), answer: 'good', pace: 'good', readsLinks: true };
}

function directiveOf({ directives }: Extraction, now: number): Reason | undefined {
  if (!directives.index) return 'noindex';
  const { unavailableAfter } = directives;
  return unavailableAfter !== undefined && unavailableAfter <= now ? 'expired' : undefined;
}

/** A canonical link to a URL that is itself an alias, or gone, would leave no document at all. */
function isUsable(state: UrlState | undefined): boolean {
  return state === undefined || state === 'known' || state === 'live';
}

function stored(facts: VisitFacts, extraction: Extraction, document: NewDocument): Decision {
  const { row, rules, now, fetched } = facts;
  const contentHash = signedHash(extraction.contentHash);
  const changed = contentHash !== row.record.contentHash;
  const intervalMs = nextIntervalMs(rules.settings, row.record.intervalMs, changed);
  const { unavailableAfter } = extraction.directives;
  const record: UrlFacts = {
    ...validatorsOf(facts),
    kind: fetched?.isFile ? 'file' : 'page',
    state: 'live',
    reason: changed ? 'content-changed' : 'same-content',
    httpStatus: fetched?.status,
    extractVersion: rules.extractVersion,
    bodyHash: fetched?.bodyHash,
    contentHash,
    similarity: signedHash(extraction.similarityHash),
    contentChars: firstValue(extraction.fields, 'Content').length,
    changedAt: changed ? now : row.record.changedAt,
    intervalMs,
    nextAt: Math.min(now + intervalMs, unavailableAfter ?? Number.POSITIVE_INFINITY),
    misses: 0,
    missedAt: undefined,
  };
  // The store replaces outcome and reason by what the write did to the document.
  const log = logOf(facts, 'unchanged', 'same-content', undefined);
  return decision({ log, answer: 'good', record, document: { put: document }, readsLinks: true });
}

/** Validators come with every good answer; a 304 may leave them out. */
function validatorsOf({ fetched, row }: VisitFacts): Pick<UrlFacts, 'etag' | 'lastModified' | 'httpStatus'> {
  const kept = fetched?.status === 304 ? row.record : { etag: undefined, lastModified: undefined };
  return {
    etag: fetched?.headers.get('etag') ?? kept.etag,
    lastModified: fetched?.headers.get('last-modified') ?? kept.lastModified,
    httpStatus: fetched?.status,
  };
}

function logOf({ fetched }: VisitFacts, outcome: Outcome, reason: Reason, detail: string | undefined): VisitLog {
  return {
    outcome,
    reason,
    httpStatus: fetched?.status,
    bytes: fetched?.wireBytes ?? 0,
    millis: Math.round(fetched?.millis ?? 0),
    detail: detail ?? fetched?.detail,
  };
}

function hasDocument({ record }: DueRow): boolean {
  return record.state === 'live' || record.state === 'suspected';
}

/** Sent through the API, not a second look. */
function isQueued({ runKind, flags }: DueRow): boolean {
  return runKind === 'urls' && (flags & FRONTIER_FLAGS.force) !== 0;
}

/** First 64 bits of a hexadecimal hash, as the store keeps them. */
function signedHash(hex: string): string {
  return BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`)).toString();
}
