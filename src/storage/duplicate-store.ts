import type { Outcome, Reason, UrlOrigin } from '../core/crawl-words.ts';

/**
 * Part of the port `EngineStore`: pages with the same or nearly the same content, and the counts of a run. Promises:
 * 1. `sameContent` and `contentAfter` see live records only, whose text was not seen once only;
 * 2. `collapseDuplicates` makes each named record a duplicate of its keeper and takes its document out, kept for an undo, unless
 *    the record has changed meanwhile;
 * 3. duplicates of a keeper, and what names it as canonical, are due at once when a visit says so (`wakes`);
 * 4. a page that keeps its document although others name the same canonical URL still points to it.
 */
export interface DuplicateStore {
  /** Live records of the crawler with this content, at most 10, in no order. */
  sameContent(crawlerId: number, contentHash: string): Promise<readonly ContentUrl[]>;
  /** Records that point to this one, at most 100, in no order. */
  declaringUrls(urlId: number): Promise<readonly DeclaringUrl[]>;
  /** Live records with content of at least `minChars`, ascending by id after `after`. */
  contentAfter(of: ContentAfter): Promise<readonly ContentHashes[]>;
  /** In no order; unknown ids are left out. */
  contentUrls(ids: readonly number[]): Promise<readonly ContentUrl[]>;
  /** Resolves with how many became duplicates. */
  collapseDuplicates(input: CollapseDuplicates): Promise<number>;
  /** Records that are duplicates, ascending by id after `after`. */
  listDuplicates(of: {
    readonly crawlerId: number;
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly DuplicateRecord[]>;
  /** Visits of the run by outcome and reason. */
  countVisits(run: {
    readonly id: number;
    readonly crawlerId: number;
    readonly since: number;
  }): Promise<readonly VisitCount[]>;
}

export type ContentUrl = {
  readonly id: number;
  readonly url: string;
  readonly origin: UrlOrigin;
  readonly firstSeenAt: number;
};

export type DeclaringUrl = {
  readonly id: number;
  readonly url: string;
  readonly depth: number;
  readonly reason: Reason;
  readonly patternId: number | undefined;
  /** Signed 64 bits as decimal text. */
  readonly similarity: string | undefined;
};

export type ContentAfter = {
  readonly crawlerId: number;
  readonly minChars: number;
  readonly after: number;
  readonly limit: number;
};

/** Hashes of 64 bits as their upper and lower 32. */
export type ContentHashes = {
  readonly id: number;
  readonly content: readonly [number, number];
  readonly similarity: readonly [number, number];
};

export type CollapseDuplicates = {
  readonly crawlerId: number;
  readonly runId: number;
  readonly now: number;
  readonly duplicates: readonly { readonly urlId: number; readonly url: string; readonly keeperId: number }[];
};

export type DuplicateRecord = { readonly id: number; readonly url: string; readonly duplicateOf: string };

export type VisitCount = { readonly outcome: Outcome; readonly reason: Reason; readonly count: number };
