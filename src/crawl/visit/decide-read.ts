import type { Outcome, Reason } from '../../core/crawl-words.ts';
import { firstValue, type NewDocument } from '../../core/document.ts';
import { hostOf } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { UrlFacts } from '../../storage/engine/urls.ts';
import { isSignInPage } from '../rules/content-guard.ts';
import type { FailureReason } from '../rules/retry-policy.ts';
import { collapseDuplicate, duplicateTarget } from './decide-duplicate.ts';
import { awaitsRecheck } from './decide-guarded.ts';
import { leaving } from './decide-removal.ts';
import {
  aliased,
  type Decision,
  decideSkipped,
  decision,
  hasDocument,
  intervalAfter,
  logOf,
  signedHash,
  type VisitFacts,
  validatorsOf,
} from './decision.ts';
import { goesOn } from './page-rendering.ts';

/** The bytes are as they were; what scripts make of them is looked at now and then. */
export function asBefore(facts: VisitFacts, outcome: Outcome, reason: Reason): Decision {
  const { rendering } = facts;
  return rendering?.kind === 'needed' ? goesOn(facts, rendering) : unchanged(facts, outcome, reason);
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

export const UNREADABLE: Readonly<Partial<Record<Extraction['status'], FailureReason>>> = {
  malformed: 'malformed',
  unsupported: 'unsupported-type',
  'timed-out': 'unparsable',
  'out-of-memory': 'unparsable',
  crashed: 'unparsable',
};

/** A page that says nothing becomes no document; undefined for every other. */
export function unwritten(facts: VisitFacts, extraction: Extraction): Decision | undefined {
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
export function namesAnother(facts: VisitFacts): Decision | undefined {
  const { row, rules, target, fault } = facts;
  if (target !== undefined && fault === undefined) return aliased(facts, target);
  if (fault !== 'canonical-elsewhere' || rules.settings.crossHostCanonical === 'index-here') return undefined;
  return hasDocument(row) ? leaving(facts, fault, 'directive') : readOnly(facts, { reason: fault, rule: '' });
}

/**
 * Links and text are judged when all of the page is there. Without a browser what one has read before stays: less is
 * no change of the page.
 */
export function withoutBrowser(facts: VisitFacts): Decision | undefined {
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

/** That not all was read; else as the visit is logged: by what was read of the URL before. */
function contentReason({ cuts, contentHash }: Extraction, before: string | undefined): Reason {
  if (cuts.length > 0) return 'cut-short';
  if (before === undefined) return 'new';
  return before === signedHash(contentHash) ? 'same-content' : 'content-changed';
}

/** The page asked for a browser: it is rendered as soon as its pattern turns out to need one. */
const NEVER = 0;

/** Visited for its links. */
export function readOnly(facts: VisitFacts, refusal: { readonly reason: Reason; readonly rule: string }): Decision {
  return { ...decideSkipped(facts, refusal), answer: 'good', pace: 'good', readsLinks: true };
}

export function directiveOf({ extraction, rules, now }: VisitFacts): Reason | undefined {
  if (extraction === undefined || rules.settings.robotsMeta === 'ignore') return undefined;
  const { index, unavailableAfter } = extraction.directives;
  if (!index) return 'noindex';
  return unavailableAfter !== undefined && unavailableAfter <= now ? 'expired' : undefined;
}

export function stored(facts: VisitFacts, extraction: Extraction, document: NewDocument): Decision {
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
    reason: thinOr(facts, facts.fault ?? contentReason(extraction, before)),
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
const LASTING: ReadonlySet<Reason> = new Set([
  'canonical-broken',
  'canonical-shared',
  'canonical-elsewhere',
  'cut-short',
]);

/**
 * The document of a visited page: its id is its URL in normal form. Its texts are copies: a part of a string keeps the
 * whole in memory, and a title the page, until the document is on disk. Contract: 2.8.
 */
export function pageDocument(extraction: Extraction, url: string): NewDocument {
  const language = extraction.language?.code ?? '';
  const read = [...extraction.fields].map(([name, values]) => [copyOf(name), values.map(copyOf)] as const);
  const fields = new Map<string, readonly string[]>(read);
  const cuts = extraction.cuts.length > 0 ? { cuts: extraction.cuts } : {};
  const structure = structuredClone({ ...extraction.structure, ...cuts });
  // Rules for fields may have set them.
  if (!fields.has('Url')) fields.set('Url', [url]);
  if (!fields.has('Domain')) fields.set('Domain', [hostOf(url)]);
  if (language !== '') fields.set('Language', [language]);
  const headTitle = copyOf(extraction.headTitle);
  return { id: url, kind: extraction.kind, origin: 'crawled', language, fields, structure, headTitle };
}

/** A text put together is written out when a part of it is asked for; what is kept then is that copy. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
