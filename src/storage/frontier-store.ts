import type {
  Outcome,
  Reason,
  RemovalClass,
  RunKind,
  Stage,
  UrlKind,
  UrlOrigin,
  UrlState,
} from '../core/crawl-words.ts';
import type { NewDocument } from '../core/document.ts';
import type { RenderObservation } from '../core/render-verdict.ts';
import type { LastmodObservation } from './host-store.ts';
import type { ClockJump } from './installation-store.ts';
import type { CloseRule, CountedPattern, PatternStatistics } from './pattern-store.ts';
import type { NewSitemap } from './sitemap-store.ts';
import type { PageTemplates } from './template-store.ts';

/**
 * Part of the port `EngineStore`: URL records, frontier, lanes and the record of visits. Promises:
 * 1. a URL is known once per crawler, whatever finds it; `addUrls` answers with its id, in order;
 * 2. a URL that waits takes the higher priority, the earlier time and the flags of a second request, and stays one row;
 * 3. a forced request for a leased URL makes it visited once more after the visit under way;
 * 4. rows of an older activation, or of a run that has ended, are void: they are never taken, a newer request replaces
 *    them, `discardVoid` drops them;
 * 5. a lane has one holder until that frees it or it is withdrawn; a holder of the same name takes it again at once,
 *    and its fence grows each time it changes hands;
 * 6. taking a lane gives back the rows of the holder before, first in line, each charged a crash, none an attempt;
 * 7. `takeDue` leases a row to one lane, by priority, then time, until it is recorded, returned or the lane changes hands;
 * 8. `recordVisits` applies URL record, document, outlinks, new URLs, log row and counters of a visit together, once
 *    per lease; what comes from an old fence or without a lease is dropped;
 * 9. new URLs of a page enter only while their run holds fewer than its page limit; others are kept as left links;
 * 10. `hosts.waiting` and `runs.open` equal the rows they count after every call;
 * 11. URLs that an inactive crawler is sent are logged as discarded and leave no other trace;
 * 12. a page that was left out on the word of a sitemap is visited when the sitemap has named a change meanwhile;
 * 13. a clock that was set back moves the times that rows and hosts wait for by as much, once per jump.
 */
export interface FrontierStore {
  addUrls(input: AddUrls): Promise<readonly number[]>;
  /** Puts URLs on the frontier of the crawler's open `urls` run, which is made when there is none; forced, priority 0. */
  queueUrls(input: QueueUrls): Promise<readonly number[]>;
  logDiscarded(crawlerId: number, urls: readonly string[], reason: Reason, at: number): Promise<void>;
  /** Undefined: somebody is at work there. */
  takeLane(input: TakeLane): Promise<LeasedLane | undefined>;
  /** False: the lane has changed hands. */
  beatLane(lane: LeasedLane): Promise<boolean>;
  /** Gives the lane and all its leases back, without a crash or an attempt. */
  freeLane(lane: LeasedLane): Promise<void>;
  takeDue(input: TakeDue): Promise<readonly DueRow[]>;
  /** Gives leases back with a later time, without an attempt. */
  returnLeases(lane: LeasedLane, rows: readonly { readonly urlId: number; readonly dueAt: number }[]): Promise<void>;
  /** Rows of a host that wait for a later time are due now: its holds have ended. */
  makeDue(hostId: number, input: MakeDue): Promise<void>;
  recordVisits(input: RecordVisits): Promise<RecordReceipt>;
  /** `at` is the present time, after all of the jumps. */
  followClockJumps(jumps: readonly ClockJump[], at: number): Promise<void>;
  /** Drops waiting rows of older activations and of runs that have ended, at most `limit`; resolves with how many. */
  discardVoid(input: DiscardVoid): Promise<number>;
  /** Puts suspected URLs whose recheck is due on the open `urls` run; resolves with how many. */
  queueConfirmations(input: Omit<QueueUrls, 'urls'>, limit: number): Promise<number>;
}

export type MakeDue = { readonly crawlerId: number; readonly activation: number; readonly now: number };

export type AddUrls = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly runId: number;
  readonly now: number;
  readonly urls: readonly NewUrl[];
};

/**
 * A URL in normal form; `kind` only says what a new one is. `if-new`: known ones are left as they are; `always`: known ones are
 * visited again.
 */
export type NewUrl = {
  readonly url: string;
  readonly kind?: UrlKind;
  readonly origin: UrlOrigin;
  readonly depth: number;
  /** 0 first, 3 last. */
  readonly priority: number;
  readonly flags: number;
  readonly enqueue: 'if-new' | 'always';
  /** A rule refuses it at sight: it is known as `skipped`/`trap` and does not wait. */
  readonly isTrap?: boolean;
};

export type QueueUrls = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly configVersion: number;
  /** Normal forms. */
  readonly urls: readonly string[];
  readonly now: number;
};

export type TakeLane = {
  readonly crawlerId: number;
  readonly stage: Stage;
  readonly lane: number;
  readonly holder: string;
};

export type DiscardVoid = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly limit: number;
  readonly now: number;
};

export type LeasedLane = { readonly laneId: number; readonly fence: number };

export type TakeDue = {
  readonly lane: LeasedLane;
  readonly crawlerId: number;
  readonly activation: number;
  readonly stage: Stage;
  readonly now: number;
  /** Priorities that the lane works on: lane 0 only takes priority 0. */
  readonly maxPriority: number;
  readonly hosts: readonly { readonly hostId: number; readonly limit: number }[];
};

/** A leased frontier row with what is known of its URL. */
export type DueRow = {
  readonly urlId: number;
  readonly hostId: number;
  readonly url: string;
  readonly depth: number;
  readonly runId: number;
  readonly runKind: RunKind;
  readonly priority: number;
  readonly attempts: number;
  readonly crashes: number;
  /** Bits of `FRONTIER_FLAGS`. */
  readonly flags: number;
  readonly stage: Stage;
  /** JSON of the stage before: spool file, statistics. */
  readonly detail: string | undefined;
  readonly origin: UrlOrigin;
  readonly patternId: number | undefined;
  /** The pattern was closed when the row was taken, and the rule that keeps this row from being visited. */
  readonly patternIsClosed?: boolean;
  readonly closedBy?: CloseRule | undefined;
  readonly visits: number;
  readonly firstSeenAt: number;
  readonly visitedAt: number | undefined;
  /** Last change of the page in the words of its sitemap. */
  readonly sitemapLastmod: number | undefined;
  /** Running median of the intervals of the URL's pattern. */
  readonly patternIntervalMs: number | undefined;
  readonly record: UrlFacts;
};

/** What a visit may change in a URL record. Hashes are signed 64-bit integers as decimal text. */
export type UrlFacts = {
  readonly kind: UrlKind;
  readonly state: UrlState;
  readonly reason: Reason;
  readonly httpStatus: number | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly extractVersion: number | undefined;
  readonly bodyHash: string | undefined;
  readonly contentHash: string | undefined;
  readonly similarity: string | undefined;
  /** Of a sitemap or feed: its entries. */
  readonly contentChars: number | undefined;
  readonly changedAt: number | undefined;
  readonly intervalMs: number | undefined;
  readonly nextAt: number | undefined;
  readonly misses: number;
  readonly missedAt: number | undefined;
  /** Last reading of the page in a browser; 0: it asked for one in vain; undefined: its text is that of HTTP. */
  readonly renderedAt?: number | undefined;
  /** The page has a field for a password. */
  readonly asksPassword: boolean;
  /** The body had the end tag of a page. */
  readonly hasEndTag: boolean;
  /** Its text was seen once only, by the visit of a queued URL. */
  readonly isUnconfirmed: boolean;
};

export type RecordVisits = {
  readonly lane: LeasedLane;
  readonly crawlerId: number;
  readonly activation: number;
  readonly now: number;
  readonly visits: readonly RecordedVisit[];
};

/**
 * How a host answered; kept for its health. `forbidden`: it refuses access · `directive`: the page asks not to be
 * found · `soft`: it looks like a missing page · `identical`, `login`: its text changed in a suspicious way.
 */
export const HOST_ANSWERS = [
  'good',
  'missing',
  'failure',
  'forbidden',
  'directive',
  'soft',
  'identical',
  'login',
] as const;
export type HostAnswer = (typeof HOST_ANSWERS)[number];

export type RecordedVisit = {
  readonly urlId: number;
  readonly hostId: number;
  /** `done` ends the lease and the row; else the row waits again. */
  readonly next: 'done' | WaitsAgain;
  /** Undefined: nothing happened that a log should tell. */
  readonly log: VisitLog | undefined;
  readonly answer: HostAnswer | undefined;
  /** Undefined leaves the URL record as it is. */
  readonly record: UrlFacts | undefined;
  /** Normal form of the URL that this one is an alias of; it is put on the frontier when it is not known. */
  readonly target: NewUrl | undefined;
  readonly document: { readonly put: NewDocument } | DocumentRemoval | undefined;
  /** Id of a document whose held removal leaves the list: its page is well again. */
  readonly released?: string | undefined;
  /** Undefined keeps the links of the last visit. */
  readonly links: PageLinks | undefined;
  /** Blocks of the page; recorded with its document only. */
  readonly templates?: PageTemplates | undefined;
  /** A record with the same content that this URL takes the place of, unless it has changed meanwhile. */
  readonly supersedes?: SupersededUrl | undefined;
  /** URLs that point to a record are due at once: its `duplicates`, or `all` that it stands for. */
  readonly wakes?: { readonly urlId: number; readonly which: 'duplicates' | 'all' } | undefined;
  /** What the visit says about the pattern of the URL; only of a first visit. */
  readonly statistics?: (PatternStatistics & { readonly patternId: number }) | undefined;
  /** Sitemaps and feeds that the page or list names, or `again`: those of its last reading. */
  readonly lists?: readonly NewSitemap[] | 'again' | undefined;
  readonly trust?: LastmodObservation | undefined;
  /** What the visit says about rendering pages of its URL's pattern. */
  readonly rendering?: { readonly patternId: number; readonly observation: RenderObservation } | undefined;
  /** The page was read in a browser. */
  readonly isRendered?: true | undefined;
  /**
   * The page was not asked for, on the word of its sitemap: only reason, interval and next time of its record change.
   * When the sitemap has named another time since, nothing is recorded and the URL waits again.
   */
  readonly unasked?: { readonly sitemapLastmod: number | undefined } | undefined;
};

/** The document with this id leaves, and is kept for an undo. */
export type DocumentRemoval = {
  readonly remove: string;
  readonly class: RemovalClass;
  readonly cause: Reason;
  /** Time of the first sighting. */
  readonly firstAt: number;
  /** An operator agreed: the guard does not count it. */
  readonly approved: boolean;
  /** Undefined: it leaves however many have left. */
  readonly guard: RemovalGuard | undefined;
};

export type RemovalGuard = {
  /** When so many documents of the crawler have left `since` then without an operator, this one stays and is held. */
  readonly allowed: number;
  readonly since: number;
  /** The sighting counts for a removal that is held already. */
  readonly counts: boolean;
  /** What is recorded of the visit when the document stays. */
  readonly instead: { readonly record: UrlFacts; readonly log: VisitLog };
};

export type SupersededUrl = { readonly urlId: number; readonly url: string; readonly contentHash: string };

/** `to` moves the row to another stage; without it stage and detail stay. */
export type WaitsAgain = {
  readonly dueAt: number;
  readonly priority: number;
  readonly attempts: number;
  readonly to?: { readonly stage: Stage; readonly detail: string | undefined };
};

export type PageLinks = {
  /** Ids of links that were known to the caller. */
  readonly known: readonly number[];
  readonly fresh: readonly NewUrl[];
  /** Not followed, and why; found again by their URL until newer ones take their place. */
  readonly left?: readonly UnfollowedLink[];
  /** Rows that the run may hold and have visited in all. */
  readonly pageLimit: number;
};

/** A link in normal form that the crawler saw and did not follow. */
export type UnfollowedLink = {
  readonly url: string;
  readonly reason: 'nofollow' | 'too-deep' | 'page-limit';
  readonly depth: number;
};

export type VisitLog = {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly httpStatus: number | undefined;
  readonly bytes: number;
  readonly millis: number;
  /** JSON: redirects, rule, robots line. */
  readonly detail: string | undefined;
};

export type RecordReceipt = {
  /** The lane is no longer the caller's: nothing was applied. */
  readonly lost: boolean;
  /** By place in the request: false when the row's lease was gone. */
  readonly applied: readonly boolean[];
  /** Ids of `links.fresh`, by place in the request; undefined for one beyond the page limit or of a closed pattern. */
  readonly freshIds: readonly (readonly (number | undefined)[])[];
  /** Failures in a row of the hosts that were visited. */
  readonly failures: ReadonlyMap<number, number>;
  /** Patterns that got statistics, as they are now. */
  readonly patterns: readonly CountedPattern[];
};
