import type { Outcome, Reason, Stage, UrlKind, UrlOrigin, UrlState } from '../core/crawl-words.ts';
import type { UnfollowedLink } from './frontier-store.ts';
import type { HostState } from './host-store.ts';
import type { Host, LoggedVisit } from './run-store.ts';

/**
 * Part of the port `EngineStore`: what an operator looks up. Reads only. Promises:
 * 1. steps of `stepUrls` that follow one another show each record of a crawler that passes the filter once, ordered by
 *    state, reason and id, as long as none changes its state; a step looks at no more than 2,000 records;
 * 2. `countUrlsBy` counts the records of such steps by one of their properties;
 * 3. `pathTo` leads from a record over the pages that named it first to where the crawler began, at most 20;
 * 4. `listRunVisits` shows each kept visit of a run once, newest first;
 * 5. a host is found by its origin without being made.
 */
export interface UrlBrowser {
  /** Undefined `after`: from the start. */
  stepUrls(filter: UrlFilter, after: UrlCursor | undefined, limit: number): Promise<UrlStep>;
  countUrlsBy(by: UrlGrouping, filter: UrlFilter, after: UrlCursor | undefined): Promise<UrlCountStep>;
  /** Texts of groups by their values, for those that are known. */
  nameGroups(by: UrlGrouping, values: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Hosts of a crawler by origin, or by host with or without port. */
  findHostIds(crawlerId: number, host: string): Promise<readonly number[]>;
  findHostOf(crawlerId: number, origin: string): Promise<Host | undefined>;
  findPatternId(hostId: number, pattern: string): Promise<number | undefined>;
  findUnfollowedLink(crawlerId: number, url: string): Promise<FoundUnfollowedLink | undefined>;
  /** Different links that were left for that reason and are not known since; an estimate from some 1,000 on. */
  countUnfollowedLinks(crawlerId: number, reason: UnfollowedLink['reason']): Promise<number>;
  /** A URL that was sent and dropped, among the newest 5,000 rows of the log. */
  findDiscarded(crawlerId: number, url: string): Promise<{ readonly at: number; readonly reason: Reason } | undefined>;
  placeOf(urlId: number): Promise<UrlNeighbourhood | undefined>;
  /** The record itself first. */
  pathTo(urlId: number): Promise<readonly { readonly url: string; readonly origin: UrlOrigin }[]>;
  /** Pages whose last visit linked to the URL, among the first `limit` pages with links. */
  countInlinks(urlId: number, limit: number): Promise<{ readonly inlinks: number; readonly lookedAt: number }>;
  /** Hosts that pages wait for, at most 1,000, those with most rows first. */
  listWaitingHosts(input: {
    crawlerId: number;
    activation: number;
    startedSince: number;
  }): Promise<readonly WaitingHost[]>;
  /** Hosts that rows wait for or that are held, those with most rows first. */
  listBusyHosts(crawlerId: number, now: number, limit: number): Promise<readonly BusyHost[]>;
  listRunVisits(input: RunVisits): Promise<readonly LoggedVisit[]>;
}

/** What a record must have; undefined members do not matter. */
export type UrlFilter = {
  readonly crawlerId: number;
  readonly state?: UrlState | undefined;
  readonly reason?: Reason | undefined;
  /** Of the newest visit in the log. */
  readonly outcome?: Outcome | undefined;
  readonly hostIds?: readonly number[] | undefined;
  /** `/blog/{date}/{s}.html` */
  readonly pattern?: string | undefined;
  /** HTTP status from, to. */
  readonly status?: readonly [number, number] | undefined;
  /** Part of the URL, in any case. */
  readonly text?: string | undefined;
  /** Epoch milliseconds; what was never visited is left out. */
  readonly visitedBefore?: number | undefined;
};

export const URL_GROUPINGS = ['reason', 'pattern', 'host', 'status'] as const;
export type UrlGrouping = (typeof URL_GROUPINGS)[number];

/** A place in the order of records: codes of state and reason, and the id. */
export type UrlCursor = { readonly state: number; readonly reason: number; readonly id: number };

export type UrlStep = {
  readonly rows: readonly UrlRow[];
  /** Where the next step begins; undefined at the end. */
  readonly next: UrlCursor | undefined;
  /** Records that were looked at, at most. */
  readonly lookedAt: number;
};

export type UrlCountStep = Omit<UrlStep, 'rows'> & {
  /** Value null: records without one. */
  readonly counts: readonly { readonly value: number | null; readonly count: number }[];
};

export type UrlRow = {
  readonly id: number;
  readonly url: string;
  readonly kind: UrlKind;
  readonly state: UrlState;
  readonly reason: Reason;
  readonly origin: UrlOrigin;
  readonly depth: number;
  readonly pattern: string | undefined;
  readonly httpStatus: number | undefined;
  readonly contentChars: number | undefined;
  readonly visits: number;
  readonly firstSeenAt: number;
  readonly visitedAt: number | undefined;
  readonly changedAt: number | undefined;
  readonly nextAt: number | undefined;
};

/** `foundOn` is the id of the page that has the link. */
export type FoundUnfollowedLink = Omit<UnfollowedLink, 'url'> & { readonly foundOn: number; readonly at: number };

export type UrlNeighbourhood = {
  readonly hostId: number;
  readonly patternId: number | undefined;
  /** Its row of the frontier. */
  readonly waiting: WaitingRow | undefined;
};

export type WaitingRow = {
  readonly runId: number;
  readonly activation: number;
  readonly stage: Stage;
  readonly priority: number;
  readonly dueAt: number;
  readonly attempts: number;
  readonly crashes: number;
  readonly isLeased: boolean;
};

export type WaitingHost = Pick<HostState, 'id' | 'origin' | 'heldUntil' | 'holdReason' | 'robotsStatus' | 'content'> & {
  readonly waiting: number;
  /** Of the earliest row that waits to be fetched; undefined: files wait for a parser. */
  readonly dueAt: number | undefined;
  /** A row of the host is leased; a visit of it was recorded since the time asked for. */
  readonly isLeased: boolean;
  readonly isVisited: boolean;
};

export type BusyHost = {
  readonly origin: string;
  readonly waiting: number;
  readonly heldUntil: number;
  readonly holdReason: Reason | undefined;
  /** JSON: what was learned about its pace. */
  readonly pace: string | undefined;
};

export type RunVisits = {
  readonly crawlerId: number;
  readonly runId: number;
  /** Times between which the run lived. */
  readonly since: number;
  readonly until: number;
  /** The last visit of the page before. */
  readonly before: { readonly at: number; readonly id: number } | undefined;
  readonly limit: number;
};
