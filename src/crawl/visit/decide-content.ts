import type { Outcome, Reason } from '../../core/crawl-words.ts';
import { firstValue, type NewDocument } from '../../core/document.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { UrlFacts } from '../../storage/frontier-store.ts';
import { isSignInPage } from '../rules/content-guard.ts';
import type { FailureReason } from '../rules/retry-policy.ts';
import { leaving } from './decide-absence.ts';
import { aliased } from './decide-alias.ts';
import { collapseDuplicate, duplicateTarget } from './decide-duplicate.ts';
import { failed } from './decide-failure.ts';
import { guarded } from './decide-guarded.ts';
import { goesOn } from './decide-rendering.ts';
import { decideSkipped } from './decide-skipped.ts';
import { type Decision, decision, hasDocument, logOf, signedHash, type VisitFacts, validatorsOf } from './decision.ts';
import { pageDocument } from './page-document.ts';
import { awaitsRecheck } from './recheck-detail.ts';
import { intervalAfter } from './visit-interval.ts';

/** The page is as it was. */
export function unchanged(facts: VisitFacts, outcome: Outcome, reason: Reason): Decision {
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
export function read(facts: VisitFacts, extraction: Extraction): Decision {
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
