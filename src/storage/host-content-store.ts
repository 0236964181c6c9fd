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
