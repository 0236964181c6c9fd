import type { Outcome, Reason, RemovalClass, Stage } from '../../core/crawl-words.ts';
import type { NewDocument } from '../../core/document.ts';
import type { RenderObservation } from '../../core/render-verdict.ts';
import { defineStore } from '../sql/operation.ts';
import type { NewUrl } from './frontier.ts';
import type { LastmodObservation } from './host-trust.ts';
import type { LeasedLane } from './lanes.ts';
import type { UnfollowedLink } from './outlinks.ts';
import type { CountedPattern, PatternStatistics } from './patterns.ts';
import { recordVisits } from './record-visits.ts';
import type { NewSitemap } from './sitemaps.ts';
import type { PageTemplates } from './templates.ts';
import type { UrlFacts } from './urls.ts';

/**
 * Part of the port `EngineStore`: what visits have found. Promises:
 * 1. `recordVisits` applies URL record, document, outlinks, new URLs, log row and counters of a visit together, once
 *    per lease; what comes from an old fence or without a lease is dropped;
 * 2. new URLs of a page enter only while their run holds fewer than its page limit; others are kept as left links;
 * 3. a page that was left out on the word of a sitemap is visited when the sitemap has named a change meanwhile.
 */
export interface VisitStore {
  recordVisits(input: RecordVisits): Promise<RecordReceipt>;
}

export type RecordVisits = {
  readonly lane: LeasedLane;
  readonly crawlerId: number;
  readonly activation: number;
  readonly now: number;
  readonly visits: readonly RecordedVisit[];
};

/**
 * How a host answered; kept for its health. `forbidden`: it refuses access · `directive`: the page asks not to be
 * found · `soft`: it looks like a missing page · `identical`, `login`: its text changed in a suspicious way · `wall`: a
 * page that keeps robots out.
 */
const HOST_ANSWERS = [
  'good',
  'missing',
  'failure',
  'forbidden',
  'directive',
  'soft',
  'identical',
  'login',
  'wall',
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

type RemovalGuard = {
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

/** A text of a link; `link` is its place among `known`, then `fresh`. */
export type LinkName = { readonly link: number; readonly text: string };

type PageLinks = {
  /** Ids of links that were known to the caller. */
  readonly known: readonly number[];
  readonly fresh: readonly NewUrl[];
  /** Not followed, and why; found again by their URL until newer ones take their place. */
  readonly left?: readonly UnfollowedLink[];
  /** How the page calls what it links to; absent = by no name. */
  readonly names?: readonly LinkName[];
  /** Rows that the run may hold and have visited in all. */
  readonly pageLimit: number;
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

export const visitStore = defineStore<VisitStore>()({}, { recordVisits });
