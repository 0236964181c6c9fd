import { FRONTIER_FLAGS, type Outcome, type Reason, type RemovalClass, type UrlState } from '../../core/crawl-words.ts';
import { normalizeUrl } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { ContentUrl } from '../../storage/engine/duplicates.ts';
import type { NewUrl } from '../../storage/engine/frontier.ts';
import type { NotFoundPage } from '../../storage/engine/host-content.ts';
import type { HostTrust } from '../../storage/engine/host-trust.ts';
import type { DocumentHead, HeldRemoval } from '../../storage/engine/removals.ts';
import type { UrlFacts } from '../../storage/engine/urls.ts';
import type { DocumentRemoval, RecordedVisit, VisitLog } from '../../storage/engine/visits.ts';
import type { SlotResult } from '../host-slots.ts';
import type { CanonicalFault, CanonicalSource } from '../rules/canonical.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import type { HeldReason } from '../rules/hold-policy.ts';
import { areDirectivesBelieved, isHealthy } from '../rules/host-health.ts';
import { nextIntervalMs } from '../rules/recrawl-policy.ts';
import {
  allowedRemovals,
  countsForApproval,
  GUARD_WINDOW_MS,
  HELD_AGAIN_MS,
  type RemovalLoad,
  type RemovalSignal,
} from '../rules/removal-policy.ts';
import type { FailureReason } from '../rules/retry-policy.ts';

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
  /** Of a body in memory. */
  readonly end?: BodyEnd | undefined;
};

export type BodyEnd = {
  /** The server said where it ends: a shorter body would have been no answer at all. */
  readonly isReported: boolean;
  /** It has the end tag of a page. */
  readonly hasTag: boolean;
};

/** Where a redirect or canonical link leads, in normal form; `state` is undefined for a URL that is not known. */
export type Target = {
  readonly url: string;
  readonly by: 'redirect' | 'canonical';
  readonly state: UrlState | undefined;
  /** Of a redirect: it may be meant for today only. */
  readonly isTemporary?: boolean;
  /** The other pages that lead there. */
  readonly others?: readonly CanonicalSource[];
  /** Of a URL that too many name: its record. */
  readonly id?: number;
  /** Of a redirect: similarity of its text, and URL templates that lead to it. */
  readonly similarity?: string | undefined;
  readonly urlTemplates?: number | undefined;
};

type RenderingOutcome = RecordedVisit['rendering'];

/**
 * What a page has to do with a browser. `needed`: it goes on to the browser's stage · `http`: it asked for one, and its
 * pattern does not need one · `thin`: this is not all of it · `done`: it was read there.
 */
export type PageRendering =
  | { readonly kind: 'needed'; readonly detail: string; readonly observed: RenderingOutcome }
  | { readonly kind: 'http'; readonly observed: RenderingOutcome }
  | { readonly kind: 'thin'; readonly reason: 'thin' | 'render-failed' }
  | { readonly kind: 'done' };

export type VisitFacts = {
  readonly row: DueRow;
  readonly rules: CrawlRules;
  readonly now: number;
  /** From -1 to 1. */
  readonly jitter: number;
  readonly host: {
    readonly health: string;
    readonly trust: HostTrust;
    /** Seeds of the host answer as before. Known of a suspected URL only; else true. */
    readonly seedStands: boolean;
    readonly notFound: NotFoundPage | undefined;
    /** Until then an operator vouches for its answers. */
    readonly believedUntil: number;
  };
  readonly removals: RemovalLoad;
  /** Of a suspected URL: its removal waits for an operator. */
  readonly held: HeldRemoval | undefined;
  /** The stored document, where its record does not tell: after a 404, after a change. */
  readonly document: DocumentHead | undefined;
  /** Another live page has exactly the content that this one has now. */
  readonly isElsewhere: boolean;
  readonly fetched: FetchedFacts | undefined;
  /** Why there was no usable answer. */
  readonly failure: { readonly reason: FailureReason; readonly detail: string | undefined } | undefined;
  readonly extraction: Extraction | undefined;
  readonly target: Target | undefined;
  /** Why the page keeps a document although it names another URL. */
  readonly fault?: CanonicalFault | undefined;
  /** Another live URL with the same content. */
  readonly duplicate?: ContentUrl | undefined;
  /** The bytes are those of the last visit, read under the same rules. */
  readonly sameBody: boolean;
  /** Undefined: nothing speaks for a browser. */
  readonly rendering?: PageRendering | undefined;
};

/** Everything that a visit changes. */
export type Decision = Omit<RecordedVisit, 'urlId' | 'hostId' | 'links'> & {
  /** Record of a URL that too many pages name: all of them are looked at again. */
  readonly sharedTarget?: number | undefined;
  /** The links of the page count (and are followed as the rules say). */
  readonly readsLinks: boolean;
  /** The host answered badly. */
  readonly hold: HoldRequest | undefined;
  readonly pace: SlotResult;
};

/** `whenHeld`: what becomes of the visit when its whole host is held for it. */
export type HoldRequest = {
  readonly reason: HeldReason;
  /** What the host asked for. */
  readonly askedMs: number | undefined;
  readonly whenHeld: Pick<Decision, 'next' | 'log' | 'record'>;
};

type Parts = Partial<Decision> & Pick<Decision, 'log'>;

/** A decision with what most visits have in common. */
export function decision(parts: Parts): Decision {
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

/**
 * Bytes that end with the connection, without the end tag that the page had at its last visit. An operator who
 * vouches for the host takes its pages as they end.
 */
export function isCut({ fetched, row, host, now }: VisitFacts): boolean {
  const end = fetched?.end;
  if (end === undefined || end.isReported || now < host.believedUntil) return false;
  return row.record.hasEndTag && !end.hasTag;
}

/** Validators come with every good answer; a 304 may leave them out. */
export function validatorsOf({ fetched, row }: VisitFacts): Pick<UrlFacts, 'etag' | 'lastModified' | 'httpStatus'> {
  const kept = fetched?.status === 304 ? row.record : { etag: undefined, lastModified: undefined };
  return {
    etag: fetched?.headers.get('etag') ?? kept.etag,
    lastModified: fetched?.headers.get('last-modified') ?? kept.lastModified,
    httpStatus: fetched?.status,
  };
}

export function logOf({ fetched }: VisitFacts, outcome: Outcome, reason: Reason, detail: string | undefined): VisitLog {
  return {
    outcome,
    reason,
    httpStatus: fetched?.status,
    bytes: fetched?.wireBytes ?? 0,
    millis: Math.round(fetched?.millis ?? 0),
    detail: detail ?? fetched?.detail,
  };
}

export function hasDocument({ record }: DueRow): boolean {
  const isPage = record.kind === 'page' || record.kind === 'file';
  return isPage && (record.state === 'live' || record.state === 'suspected');
}

/** Sent through the API, not a recheck. */
export function isQueued({ runKind, flags }: DueRow): boolean {
  return runKind === 'urls' && (flags & FRONTIER_FLAGS.force) !== 0;
}

/** First 64 bits of a hexadecimal hash, as the store keeps them. */
export function signedHash(hex: string): string {
  return BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`)).toString();
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
    document: byOperator ? unguardedRemovalOf({ row, now }, { class: 'operator', cause: reason }) : undefined,
    pace: 'unused',
  });
}

/** A page that was not asked for, because its sitemap, which is trusted, names no change. */
export function decideLeftOut({ row, rules, now }: Pick<VisitFacts, 'row' | 'rules' | 'now'>): Decision {
  const reason = 'lastmod-unchanged';
  const intervalMs = intervalAfter({ row, rules, fetched: undefined }, false);
  return decision({
    log: { outcome: 'unchanged', reason, httpStatus: undefined, bytes: 0, millis: 0, detail: undefined },
    record: { ...row.record, reason, intervalMs, nextAt: now + intervalMs },
    unasked: { sitemapLastmod: row.sitemapLastmod },
    pace: 'unused',
  });
}

/** Settings that take what is known out of the scope: the operator decided, so the document leaves. */
const OPERATOR_REASONS: ReadonlySet<Reason> = new Set([
  'out-of-domain',
  'excluded',
  'not-included',
  'file-type',
  'unreadable-type',
  'follow-only',
]);

/** A reason for which the operator has decided that a document leaves. */
export function isOperatorReason(reason: Reason): boolean {
  return OPERATOR_REASONS.has(reason);
}

const DAY = 86_400_000;

export type Leaving = {
  readonly class: RemovalClass;
  readonly cause: Reason;
  /** Undefined: this visit. */
  readonly firstAt?: number | undefined;
  /** An operator decides, however few have left today. */
  readonly mustBeHeld?: boolean;
};

/**
 * How the document of the visited URL leaves, as `Decision.document`: it is kept for an undo, and stays as held when
 * too many have left today. `record` and `log` of the decision are those of the removal.
 */
export function removalOf(facts: VisitFacts, leaving: Leaving): DocumentRemoval {
  const removal = unguardedRemovalOf(facts, leaving);
  if (leaving.class === 'operator') return removal;
  const { now, rules, removals, held } = facts;
  const isHeld = held !== undefined || leaving.class === 'soft' || leaving.mustBeHeld === true;
  const allowed = isHeld ? 0 : allowedRemovals(removals, rules.settings.removal);
  const counts = countsForApproval({
    runIsFull: facts.row.runKind === 'full',
    hostIsHealthy: hostIsHealthy(facts, 'hard'),
  });
  const instead = { record: heldRecord(facts), log: logOf(facts, 'suspected', 'removal-held', undefined) };
  return { ...removal, guard: { allowed, since: now - GUARD_WINDOW_MS, counts, instead } };
}

/** The same, however many have left today. */
export function unguardedRemovalOf({ row, now }: Pick<VisitFacts, 'row' | 'now'>, leaving: Leaving): DocumentRemoval {
  const { class: signal, cause, firstAt = now } = leaving;
  return { remove: row.url, class: signal, cause, firstAt, approved: signal === 'operator', guard: undefined };
}

/** May signals of this kind be believed of the host, as it answers today? */
export function hostIsHealthy({ host }: Pick<VisitFacts, 'host'>, signal: RemovalSignal): boolean {
  return signal === 'directive' ? areDirectivesBelieved(host.health) : isHealthy(host.health) && host.seedStands;
}

function heldRecord({ row, now, fetched }: VisitFacts): UrlFacts {
  const { record } = row;
  return {
    ...record,
    state: 'suspected',
    reason: 'removal-held',
    httpStatus: fetched?.status,
    misses: record.misses + 1,
    missedAt: record.missedAt ?? now,
    nextAt: now + HELD_AGAIN_MS,
  };
}

/** Time from this visit to the next one by itself. */
export function intervalAfter(
  { row, rules, fetched }: Pick<VisitFacts, 'row' | 'rules' | 'fetched'>,
  changed: boolean,
): number {
  const { kind, intervalMs: beforeMs } = row.record;
  const isFile = fetched?.isFile ?? kind === 'file';
  return nextIntervalMs(rules.settings, {
    beforeMs,
    changed,
    patternMs: row.patternIntervalMs,
    kind: isFile && fetched?.status !== 304 ? 'file' : kind,
  });
}

/** The form that the present settings give a known URL; undefined when it has it already. */
export function renamedForm({ row, rules }: Pick<VisitFacts, 'row' | 'rules'>): string | undefined {
  const form = normalizeUrl(row.url, rules.urlRules);
  return form === undefined || form === row.url ? undefined : form;
}

/**
 * The operator has changed how URLs are written: the new form stands for the old one, whose document leaves when the
 * other is live. Nothing is fetched, so the host and its pace hear nothing.
 */
export function renamed(facts: VisitFacts, target: Target): Decision {
  const decision = aliased(facts, target);
  const leaves = decision.document !== undefined;
  const document = leaves ? unguardedRemovalOf(facts, { class: 'operator', cause: 'canonical' }) : undefined;
  return { ...decision, document, answer: undefined, pace: 'unused', readsLinks: false };
}

/**
 * Another URL stands for this one. A document is only made from that URL's own 200; a document of this one leaves
 * when the other is live.
 */
export function aliased(facts: VisitFacts, { url, by, state: targetState }: Target): Decision {
  const { row, now } = facts;
  const hadDocument = hasDocument(row);
  const leaves = hadDocument && targetState === 'live';
  const target = newUrlOf(facts, { url, by });
  const state = hadDocument && !leaves ? row.record.state : 'alias';
  const intervalMs = intervalAfter(facts, false);
  const record = { ...row.record, state, reason: by, httpStatus: facts.fetched?.status, nextAt: now + intervalMs };
  return decision({
    log: logOf(facts, 'aliased', by, JSON.stringify({ target: url })),
    answer: 'good',
    record: { ...record, similarity: similarityOf(facts, state), intervalMs, misses: 0, missedAt: undefined },
    target,
    document: leaves ? removalOf(facts, { class: 'moved', cause: by }) : undefined,
    readsLinks: by === 'canonical',
  });
}

/** By the texts of those that name one URL it is told whether they do so by accident. */
function similarityOf({ row, extraction }: VisitFacts, state: UrlState): string | undefined {
  if (state !== 'alias' || extraction === undefined) return row.record.similarity;
  return signedHash(extraction.similarityHash);
}

function newUrlOf({ row }: VisitFacts, { url, by }: Pick<Target, 'url' | 'by'>): NewUrl {
  return {
    url,
    origin: by,
    depth: row.depth,
    priority: row.priority === 0 ? 0 : 1,
    flags: row.flags & (FRONTIER_FLAGS.force | FRONTIER_FLAGS.follow),
    enqueue: (row.flags & FRONTIER_FLAGS.force) !== 0 ? 'always' : 'if-new',
  };
}

/**
 * The page answers with a redirect. A document stays until it is sure that its page has moved: at once for a permanent
 * redirect, in the second run for another one. (crawling 16)
 */
export function redirected(facts: VisitFacts, target: Target): Decision {
  const { row } = facts;
  if (!hasDocument(row)) return aliased(facts, target);
  const isSure = target.isTemporary !== true || row.record.reason === 'redirect';
  return isSure ? aliased(facts, target) : aliased(facts, { ...target, state: undefined });
}
