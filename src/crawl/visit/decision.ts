import { FRONTIER_FLAGS, type Outcome, type Reason, type UrlState } from '../../core/crawl-words.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { ContentUrl } from '../../storage/duplicate-store.ts';
import type { DueRow, RecordedVisit, UrlFacts, VisitLog } from '../../storage/frontier-store.ts';
import type { NotFoundPage } from '../../storage/host-content-store.ts';
import type { HostTrust } from '../../storage/host-trust.ts';
import type { DocumentHead, HeldRemoval } from '../../storage/removal-store.ts';
import type { SlotResult } from '../host-slots.ts';
import type { CanonicalFault, CanonicalSource } from '../rules/canonical.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import type { HeldReason } from '../rules/hold-policy.ts';
import type { RemovalLoad } from '../rules/removal-policy.ts';
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
