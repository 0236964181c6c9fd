import type { Outcome, Reason } from '../../core/crawl-words.ts';
import { firstValue, type NewDocument } from '../../core/document.ts';
import { hostOf } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { UrlFacts } from '../../storage/engine/urls.ts';
import type { HostAnswer, RecordedVisit, WaitsAgain } from '../../storage/engine/visits.ts';
import { isSignInPage } from '../rules/content-guard.ts';
import { rateLimitedMs, UNCONFIRMED_MS } from '../rules/hold-policy.ts';
import { ATTEMPT_BUDGET, backOffMs, type FailureReason, RETRY_RULES, retryAfterMs } from '../rules/retry-policy.ts';
import { collapseDuplicate, duplicateTarget } from './decide-duplicate.ts';
import { awaitsRecheck, guarded, guardedRedirect, leaving, missing } from './decide-guarded.ts';
import {
  aliased,
  type Decision,
  decideSkipped,
  decision,
  hasDocument,
  intervalAfter,
  isCut,
  logOf,
  redirected,
  signedHash,
  type VisitFacts,
  validatorsOf,
} from './decision.ts';
import { goesOn } from './page-rendering.ts';

const DAY = 86_400_000;

/** One pure decision: status, extraction and history → what becomes of the URL. */
export function decideVisit(facts: VisitFacts): Decision {
  const decided = protectedOf(facts, decide(facts));
  return isWellAgain(facts, decided) ? { ...decided, released: facts.row.url } : decided;
}

/** What was pushed stays as it is where the settings say so. */
function protectedOf(facts: VisitFacts, decided: Decision): Decision {
  const { row, rules, document, now } = facts;
  const isProtected = rules.settings.removal.pushed === 'protect' && document?.origin === 'pushed';
  if (!isProtected || decided.next !== 'done' || decided.record === undefined) return decided;
  const intervalMs = decided.record.intervalMs ?? row.record.intervalMs;
  return {
    ...decided,
    log: logOf(facts, 'skipped', 'pushed-protected', undefined),
    record: { ...row.record, state: 'skipped', reason: 'pushed-protected', intervalMs, nextAt: now + DAY },
    document: undefined,
  };
}

/** A suspected page that is not suspected any more, and does not leave. */
function isWellAgain({ row }: VisitFacts, { record, document }: Decision): boolean {
  const leaves = document !== undefined && 'remove' in document;
  return row.record.state === 'suspected' && record !== undefined && record.state !== 'suspected' && !leaves;
}

function decide(facts: VisitFacts): Decision {
  const { failure, fetched, extraction, target } = facts;
  if (failure !== undefined) return failed(facts, failure.reason, failure.detail);
  const status = fetched?.status ?? 0;
  if (status === 304) return asBefore(facts, 'not-modified', 'not-modified');
  if (status === 404 || status === 410) return missing(facts, status === 410);
  const reason = failureOfStatus(status);
  if (reason !== undefined) return failed(facts, reason, undefined);
  if (target?.by === 'redirect') return guardedRedirect(facts, target) ?? redirected(facts, target);
  if (facts.sameBody) return asBefore(facts, 'unchanged', 'same-content');
  if (isCut(facts)) return failed(facts, 'truncated', undefined);
  if (extraction === undefined) return failed(facts, 'unsupported-type', undefined);
  return read(facts, extraction);
}

/** The bytes are as they were; what scripts make of them is looked at now and then. */
function asBefore(facts: VisitFacts, outcome: Outcome, reason: Reason): Decision {
  const { rendering } = facts;
  return rendering?.kind === 'needed' ? goesOn(facts, rendering) : unchanged(facts, outcome, reason);
}

/** A URL at whose visits processes died too often. */
export function decideCrashed(facts: VisitFacts): Decision {
  return failed(facts, 'crashed', undefined);
}

/** The page is as it was. */
function unchanged(facts: VisitFacts, outcome: Outcome, reason: Reason): Decision {
  const { row, now } = facts;
  const state = row.record.state === 'suspected' ? 'live' : row.record.state;
  const intervalMs = intervalAfter(facts, false);
  return decision({
    log: logOf(facts, outcome, reason, undefined),
    answer: 'good',
    record: {
      ...row.record,
      ...validatorsOf(facts),
      hasEndTag: facts.fetched?.end?.hasTag ?? row.record.hasEndTag,
      isUnconfirmed: awaitsRecheck(row) && row.record.isUnconfirmed,
      state,
      reason: isThin(row.record.reason) || LASTING.has(row.record.reason) ? row.record.reason : reason,
      misses: 0,
      missedAt: undefined,
      intervalMs,
      nextAt: now + intervalMs,
    },
  });
}

const UNREADABLE: Readonly<Partial<Record<Extraction['status'], FailureReason>>> = {
  malformed: 'malformed',
  unsupported: 'unsupported-type',
  'timed-out': 'unparsable',
  'out-of-memory': 'unparsable',
  crashed: 'unparsable',
};

/** A page that was read: what it says of itself, then its text. */
function read(facts: VisitFacts, extraction: Extraction): Decision {
  const { row, rules, now } = facts;
  const unreadable = UNREADABLE[extraction.status];
  if (unreadable !== undefined) return failed(facts, unreadable, undefined);
  const directive = rules.settings.robotsMeta === 'ignore' ? undefined : directiveOf(extraction, now);
  const notAll = directive === undefined ? withoutBrowser(facts) : undefined;
  if (notAll !== undefined) return notAll;
  const recheck = guarded(facts, extraction);
  if (recheck !== undefined) return recheck;
  if (directive !== undefined) return leaving(facts, directive, 'directive');
  const url = new URL(row.url);
  const noIndex = rules.noIndex.find((rule) => rule.matches(url));
  if (noIndex !== undefined) return readOnly(facts, { reason: 'follow-only', rule: noIndex.text });
  const named = namesAnother(facts);
  if (named !== undefined) return named;
  return unwritten(facts, extraction) ?? stored(facts, extraction, pageDocument(extraction, row.url));
}

/** A page that says nothing becomes no document; undefined for every other. */
function unwritten(facts: VisitFacts, extraction: Extraction): Decision | undefined {
  const { row } = facts;
  const text = firstValue(extraction.fields, 'Content');
  const title = firstValue(extraction.fields, 'Title');
  const { asksPassword, trace } = extraction;
  if (!hasDocument(row) && isSignInPage({ title, text, asksPassword })) {
    return readOnly(facts, { reason: 'login-wall', rule: '' });
  }
  const hasText = text !== '';
  // A name that the path gives says nothing of the page.
  const hasTitle = title !== '' && trace.sources['Title'] !== 'url';
  if (!hasText && hasDocument(row)) return { ...unchanged(facts, 'unchanged', 'empty'), readsLinks: true };
  if (!hasText && (wasInBrowser(facts) || !hasTitle))
    return readOnly(facts, { reason: thinOr(facts, 'empty'), rule: '' });
  return undefined;
}

/** Without text such a page was not there yet, or has none: its title alone is no page. */
function wasInBrowser({ rendering }: VisitFacts): boolean {
  return rendering?.kind === 'done' || (rendering?.kind === 'thin' && rendering.reason === 'render-failed');
}

/** The page stands for a URL that another one stands for; undefined when it has a document of its own all the same. */
function namesAnother(facts: VisitFacts): Decision | undefined {
  const { row, rules, target, fault } = facts;
  if (target !== undefined && fault === undefined) return aliased(facts, target);
  if (fault !== 'canonical-elsewhere' || rules.settings.crossHostCanonical === 'index-here') return undefined;
  return hasDocument(row) ? leaving(facts, fault, 'directive') : readOnly(facts, { reason: fault, rule: '' });
}

/**
 * Links and text are judged when all of the page is there. Without a browser what one has read before stays: less is
 * no change of the page.
 */
function withoutBrowser(facts: VisitFacts): Decision | undefined {
  const { row, rendering } = facts;
  if (rendering?.kind === 'needed') return goesOn(facts, rendering);
  const wasRendered = (row.record.renderedAt ?? NEVER) > NEVER && hasDocument(row);
  return rendering?.kind === 'thin' && wasRendered ? unchanged(facts, 'unchanged', rendering.reason) : undefined;
}

/** A page that is not all there says so until it has been read in a browser. */
function isThin(reason: Reason): boolean {
  return reason === 'thin' || reason === 'render-failed';
}

function thinOr({ rendering }: VisitFacts, reason: Reason): Reason {
  return rendering?.kind === 'thin' ? rendering.reason : reason;
}

function renderedAtOf({ rendering, now }: VisitFacts): number | undefined {
  if (rendering?.kind === 'done') return now;
  return rendering?.kind === 'http' ? NEVER : undefined;
}

/** As the visit is logged: by what was read of the URL before. */
function contentReason(before: string | undefined, now: string): Reason {
  if (before === undefined) return 'new';
  return before === now ? 'same-content' : 'content-changed';
}

/** The page asked for a browser: it is rendered as soon as its pattern turns out to need one. */
const NEVER = 0;

/** Visited for its links. */
function readOnly(facts: VisitFacts, refusal: { readonly reason: Reason; readonly rule: string }): Decision {
  return { ...decideSkipped(facts, refusal), answer: 'good', pace: 'good', readsLinks: true };
}

function directiveOf({ directives }: Extraction, now: number): Reason | undefined {
  if (!directives.index) return 'noindex';
  const { unavailableAfter } = directives;
  return unavailableAfter !== undefined && unavailableAfter <= now ? 'expired' : undefined;
}

function stored(facts: VisitFacts, extraction: Extraction, document: NewDocument): Decision {
  const { row, rules, now, fetched } = facts;
  const contentHash = signedHash(extraction.contentHash);
  const { contentHash: before } = row.record;
  const changed = contentHash !== before;
  const intervalMs = intervalAfter(facts, changed);
  const { unavailableAfter } = extraction.directives;
  const record: UrlFacts = {
    ...validatorsOf(facts),
    kind: fetched?.isFile ? 'file' : 'page',
    state: 'live',
    reason: thinOr(facts, facts.fault ?? contentReason(before, contentHash)),
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
    renderedAt: renderedAtOf(facts),
    asksPassword: extraction.asksPassword,
    hasEndTag: fetched?.end?.hasTag ?? false,
    isUnconfirmed: awaitsRecheck(row) && (changed || row.record.isUnconfirmed),
  };
  const position = duplicateTarget(facts);
  if (position === 'gives way') return collapseDuplicate(facts, record);
  const { duplicate } = facts;
  const supersedes =
    duplicate === undefined || position === undefined
      ? undefined
      : { urlId: duplicate.id, url: duplicate.url, contentHash };
  // The store replaces outcome and reason by what the write did to the document.
  const log = logOf(facts, 'unchanged', 'same-content', undefined);
  const named = facts.fault === 'canonical-shared' ? sharedParts(facts) : {};
  return decision({ log, answer: 'good', record, document: { put: document }, supersedes, ...named, readsLinks: true });
}

/** The page still points to the URL that too many name, by which they are counted. */
function sharedParts({ row, target }: VisitFacts): Pick<Decision, 'sharedTarget'> & Partial<Pick<Decision, 'target'>> {
  if (target === undefined) return {};
  const named = { url: target.url, origin: 'canonical', depth: row.depth, priority: 2, flags: 0 } as const;
  return { target: { ...named, enqueue: 'if-new' }, sharedTarget: target.id };
}

/** Reasons that a page keeps as long as nothing changes. */
const LASTING: ReadonlySet<Reason> = new Set(['canonical-broken', 'canonical-shared', 'canonical-elsewhere']);

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
  return decision({ answer: answerOf(reason), pace, log: logOf(facts, 'deferred', reason, detail), next });
}

/** Left to the next run. */
function failedForNow(facts: VisitFacts, reason: FailureReason, detail: string | undefined): Decision {
  const { row, now, fetched } = facts;
  const state = hasDocument(row) ? row.record.state : 'failed';
  // What a suspected URL is suspected of is not forgotten over a failure.
  const told = state === 'suspected' ? row.record.reason : reason;
  const record = { ...row.record, state, reason: told, nextAt: now + DAY, httpStatus: fetched?.status };
  const { pace } = RETRY_RULES[reason];
  return decision({ answer: answerOf(reason), pace, log: logOf(facts, 'failed', reason, detail), record });
}

function answerOf(reason: Reason): HostAnswer | undefined {
  if (HOST_FAILURES.has(reason)) return 'failure';
  if (reason === 'login-wall') return 'login';
  return reason === 'forbidden' ? 'forbidden' : undefined;
}

/**
 * The document of a visited page: its id is its URL in normal form. Its texts are copies: a part of a string keeps the
 * whole in memory, and a title the page, until the document is on disk. Contract: 2.8.
 */
export function pageDocument(extraction: Extraction, url: string): NewDocument {
  const language = extraction.language?.code ?? '';
  const read = [...extraction.fields].map(([name, values]) => [copyOf(name), values.map(copyOf)] as const);
  const fields = new Map<string, readonly string[]>(read);
  const structure = structuredClone(extraction.structure);
  // Rules for fields may have set them.
  if (!fields.has('Url')) fields.set('Url', [url]);
  if (!fields.has('Domain')) fields.set('Domain', [hostOf(url)]);
  if (language !== '') fields.set('Language', [language]);
  return { id: url, kind: extraction.kind, origin: 'crawled', language, fields, structure };
}

/** A text put together is written out when a part of it is asked for; what is kept then is that copy. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}

/**
 * URLs that point to this one are looked at again when it no longer stands for them: duplicates when its content changed,
 * duplicates and those that name it as canonical when it is not live, or turned out to be something else; what names a URL
 * that too many name. (crawling 16)
 */
export function wakesOf(row: DueRow, { record, next, sharedTarget }: Decision): RecordedVisit['wakes'] {
  const { urlId, record: before, visits } = row;
  if (sharedTarget !== undefined) return { urlId: sharedTarget, which: 'all' };
  if (record === undefined || next !== 'done' || record.state === 'suspected') return undefined;
  if (record.state !== 'live') return hasDocument(row) || visits === 0 ? { urlId, which: 'all' } : undefined;
  const hadContent = hasDocument(row) && before.contentHash !== undefined;
  return hadContent && before.contentHash !== record.contentHash ? { urlId, which: 'duplicates' } : undefined;
}
