/**
 * Part of the port `EngineStore`: URL templates of a host, and what was learned of them. Promises:
 * 1. every URL record belongs to the pattern of its URL on its host, from the moment it is known; a pattern belongs to
 *    its URL template, which is a pattern of its own kind, where it has one;
 * 2. `evidence` of a visit counts once in the pattern of its URL and once in that one's URL template;
 * 3. a new link of a closed pattern is known as `skipped`/`trap` and does not wait; what a seed, a list of URLs or the
 *    API names waits all the same, and so does, of a pattern without a query closed for `nothing-new`, a link that a
 *    page of an open pattern names; 1 in 100 is a sample of each later run;
 * 4. rows of a closed pattern are taken with the rule that closed it (`closedBy`), with the same exceptions;
 * 5. closing a URL template closes its patterns of which less than half of the pages (with a query: less than 3) brought
 *    anything, and those that are found later; opening it opens them, and what was refused meanwhile is visited by the
 *    run under way, else by the next one;
 * 6. lessons about rendering are learned one after another, whichever process recorded them, finished pairs by the
 *    URL template of the pattern, too; one that settles a claim makes the pages due that waited for it.
 */
export interface PatternStore {
  findPattern(patternId: number): Promise<UrlPatternRecord | undefined>;
  /** Ascending by id after `after`. */
  listPatterns(input: ListPatterns): Promise<readonly UrlPatternRecord[]>;
  changePattern(change: PatternChange): Promise<void>;
}

export type ListPatterns = {
  readonly crawlerId: number;
  readonly after: number;
  readonly limit: number;
  readonly closed?: boolean;
};

/** Rules that close a pattern; `kept-open` stands beside an open one that no rule may close. */
export const CLOSE_RULES = ['nothing-new', 'same-text', 'operator', 'kept-open'] as const;
export type CloseRule = (typeof CLOSE_RULES)[number];

export type PatternChange = {
  readonly patternId: number;
  readonly to: 'open' | 'quarantine' | 'closed';
  readonly rule: CloseRule | undefined;
  readonly at: number;
  /** What its pages said, by which a later sample is judged. */
  readonly seen?: Uint8Array | undefined;
  /** URLs of pages that brought nothing. */
  readonly examples?: readonly string[];
};

export type UrlPatternRecord = {
  readonly id: number;
  readonly crawlerId: number;
  readonly hostId: number;
  /** `/blog/{date}/{s}.html?page`, or a URL template (`core/url.ts`). */
  readonly pattern: string;
  readonly urlTemplateId: number | undefined;
  /** URLs known (of a URL template: patterns), and first visits made. */
  readonly known: number;
  readonly visited: number;
  /** First visits that brought something of their own. */
  readonly informative: number;
  /** Bit ring of the last 20 first visits, newest lowest: 1 = informative. */
  readonly recent: number;
  /** The same for visits that brought the text of another page. */
  readonly sameText: number;
  /** Brought so little that its URLs come last. */
  readonly quarantine: boolean;
  readonly closedAt: number | undefined;
  readonly closeRule: CloseRule | undefined;
  readonly seen: Uint8Array | undefined;
  /** Of a closed one: URLs of pages that brought nothing. */
  readonly examples: readonly string[];
  /** JSON: verdict about rendering. */
  readonly render: string | undefined;
};

/** What decides about a pattern after a visit of it. */
export type CountedPattern = Omit<UrlPatternRecord, 'crawlerId' | 'known' | 'seen' | 'examples' | 'render'>;

/** What a first visit says about the pattern of its URL. */
export type PatternStatistics = { readonly informative: boolean; readonly sameText: boolean };

/** Pages of a pattern that its rings remember. */
export const RING_PAGES = 20;
