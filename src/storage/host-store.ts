import type { Reason } from '../core/crawl-words.ts';
import type { UrlFacts } from './frontier-store.ts';

/**
 * Part of the port `EngineStore`: what hosts answer beside their pages, so that a broken site is not taken for a
 * changed one. Promises:
 * 1. `livePages` are live pages of the host whose text is known, from a place in their order on that the caller
 *    chooses, the first ones after the last, of at most 64 that are looked at;
 * 2. what was noted of a host is seen by all processes as soon as it is written;
 * 3. a released host is not held any more, also by a look that was under way, and its suspicious changes are believed
 *    until the time given;
 * 4. hosts are listed once each, in the order of their ids.
 */
export interface HostContentStore {
  livePages(input: LivePagesOf): Promise<readonly LivePage[]>;
  /**
   * `hold`: of a host that does not look like itself, in the same write. False, and nothing is stored, when somebody
   * vouches for what the host answered at `probe.at`.
   */
  noteProbe(hostId: number, probe: HostProbe, hold: Hold | undefined): Promise<boolean>;
  noteNotFound(hostId: number, page: NotFoundPage): Promise<void>;
  /** Is there another live URL of the crawler with this content? */
  hasSameContent(input: { crawlerId: number; urlId: number; contentHash: string }): Promise<boolean>;
  /** Families of URLs that lead to this one, at most 50 URLs looked at. */
  countTemplatesLeadingTo(crawlerId: number, url: string): Promise<number>;
  listHosts(input: { crawlerId: number; after: number; limit: number }): Promise<readonly HostState[]>;
  releaseHost(hostId: number, believedUntil: number): Promise<void>;
  /** The copy of robots.txt is asked for anew with the next visit. */
  forgetRobots(hostId: number): Promise<void>;
}

/** A crawler's own hold of a host; one of a host for all crawlers is a `HostHold`. `HostProbe.cause` says more. */
export type Hold = { readonly untilAt: number; readonly reason: 'robots-unreachable' | 'start-probe' };

export type LivePagesOf = {
  readonly hostId: number;
  /** A signed 64-bit integer as decimal text. */
  readonly from: string;
  /** Pages that were visited since are left out. */
  readonly visitedBefore: number;
  readonly limit: number;
};

export type LivePage = {
  readonly url: string;
  readonly title: string;
  readonly facts: Pick<UrlFacts, 'similarity' | 'extractVersion' | 'asksPassword'>;
};

/** The last look at live pages of a host before a run visits it. */
export type HostProbe = {
  readonly at: number;
  /** Since when none of them is as it is stored. */
  readonly failedSince: number | undefined;
  /** What they answer instead; absent where nothing is known but that they differ, or where they do not. */
  readonly cause?: Reason | undefined;
};

/** What a host answers to a path that cannot exist. */
export type NotFoundPage = {
  readonly at: number;
  /** Where such paths are redirected to, in normal form. */
  readonly target: string | undefined;
  /** Similarity of the text without its own URL, 16 hexadecimal digits; undefined: an answer of 404 or so. */
  readonly similarity: string | undefined;
};

export type HostContent = {
  readonly probe: HostProbe | undefined;
  readonly notFound: NotFoundPage | undefined;
  /** Until then the operator vouches for what the host answers. */
  readonly believedUntil: number;
};

export type HostState = {
  readonly id: number;
  readonly origin: string;
  readonly waiting: number;
  readonly heldUntil: number;
  readonly holdReason: Reason | undefined;
  readonly failures: number;
  /** As `Host.health`. */
  readonly health: string;
  readonly robotsStatus: number | undefined;
  readonly robotsAt: number | undefined;
  readonly content: HostContent;
};

/**
 * Why nothing, or nothing of one URL template of URLs, starts on a host until a time. A host is shared by all engines and
 * customers, so its holds are, too. A hold whose time has passed stays until the host has answered well: the next
 * answer tells whether it is confirmed.
 */
export type HostHold = {
  readonly origin: string;
  /** URL pattern of the URL template; `''`: the whole host. */
  readonly urlTemplate: string;
  readonly reason: Reason;
  /** The first bad answer. */
  readonly since: number;
  readonly until: number;
  /** Until when the host asked to be left alone, where that is later; undefined: it did not say, or it is kept. */
  readonly askedUntil: number | undefined;
  /** Holds in a row. */
  readonly times: number;
  /** An answer after an earlier end of the hold was as bad. */
  readonly confirmed: boolean;
  /** URLs that have answered badly since another one of the URL template answered well, and since one of the host did. */
  readonly urlTemplateSuspects: number;
  readonly hostSuspects: number;
  /** URLs that answered badly and not well since, newest last, at most 20. */
  readonly urls: readonly string[];
  /** Whose visit caused the hold, and the version of its settings then. */
  readonly crawlerId: number;
  readonly configVersion: number;
};

export type StoredHold = HostHold & {
  /** Grows with every change of any hold. */
  readonly generation: number;
};

export type HoldKey = Pick<HostHold, 'origin' | 'urlTemplate'>;

/**
 * Part of the port `SystemStore`: holds of hosts. Promises:
 * 1. `changeHolds` takes the place of holds of the same origin and URL template, each under a new generation, and drops
 *    others, together;
 * 2. `listHolds` and `holdsOf` show every hold that any process has committed, also those whose time has passed;
 * 3. `endHolds` drops all holds of an origin and resolves with them;
 * 4. `dropHolds` drops what ended before a time, at most `limit`.
 */
export interface HostHoldStore {
  changeHolds(change: { readonly put: readonly HostHold[]; readonly drop: readonly HoldKey[] }): Promise<void>;
  /** At once, for the snapshot of a process. At most 10,000, those that last longest first. */
  listHolds(): readonly StoredHold[];
  holdsOf(origin: string): Promise<readonly StoredHold[]>;
  endHolds(origin: string): Promise<readonly StoredHold[]>;
  dropHolds(before: number, limit: number): Promise<number>;
}

/** What a host has shown of its own words about change: dates of its sitemap, answers of 304. */
export type HostTrust = {
  /** Times of the last changes that the sitemap had announced, oldest first, at most 10. */
  readonly announcedAt: readonly number[];
  /** Last change of a listed page that the sitemap had not announced. */
  readonly silentAt: number | undefined;
  /** Announced visits, oldest first, at most 20: `1` = the page had changed. */
  readonly announced: string;
  /** URLs with a time in the sitemap. */
  readonly listed: number;
  /** Visits that found the page's own date, and how many of them agree with the listed time. */
  readonly compared: number;
  readonly agreed: number;
  /** Of the listed times that were compared. */
  readonly oldestAt: number | undefined;
  readonly newestAt: number | undefined;
  /** Whole answers to requests with validators although nothing had changed, since the last 304; at most 20. */
  readonly ignored: number;
  /** Last answer of 304, and last one that turned out wrong. */
  readonly notModifiedAt: number | undefined;
  readonly wrongAt: number | undefined;
  /** Runs in which answers of 304 were checked, within 30 days from `since` on, and the last of them. */
  readonly checked: { readonly runId: number; readonly since: number; readonly runs: number } | undefined;
};

/** What one visit adds to it. */
export type LastmodObservation = {
  /** The sitemap announced a change since the visit before: was there one? */
  readonly announced?: { readonly changed: boolean };
  /** The page changed without a word of the sitemap. */
  readonly silent?: true;
  /** The listed time beside the page's own date. */
  readonly compared?: { readonly listedAt: number; readonly agrees: boolean };
  readonly notModified?: true;
  /** The page was sent whole, as it was, although its validators were sent along. */
  readonly ignored?: true;
  /** An answer of 304 is checked in this run · it was wrong. */
  readonly check?: 'begun' | 'wrong';
};

export const NO_TRUST: HostTrust = {
  announcedAt: [],
  silentAt: undefined,
  announced: '',
  listed: 0,
  compared: 0,
  agreed: 0,
  oldestAt: undefined,
  newestAt: undefined,
  ignored: 0,
  notModifiedAt: undefined,
  wrongAt: undefined,
  checked: undefined,
};
