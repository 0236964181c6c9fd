/**
 * Part of the port `EngineStore`: families of URLs of a host, and what was learned of them. Promises:
 * 1. every URL record belongs to the pattern of its URL on its host, from the moment it is known;
 * 2. lessons about rendering are learned one after another, whichever process recorded them, and one that settles
 *    a claim makes the pages due that waited for it.
 */
export interface PatternStore {
  findPattern(patternId: number): Promise<UrlPatternRecord | undefined>;
}

export type UrlPatternRecord = {
  readonly id: number;
  readonly hostId: number;
  /** `/blog/{date}/{s}.html?page` (`core/url-pattern.ts`). */
  readonly pattern: string;
  /** URLs known, and visits made. */
  readonly known: number;
  readonly visited: number;
  /** Visits that brought text of their own. */
  readonly informative: number;
  /** Bit ring of the last 20 visits, newest lowest: 1 = informative. */
  readonly recent: number;
  readonly closedAt: number | undefined;
  /** Name of the rule that closed it. */
  readonly closeRule: string | undefined;
  /** JSON: verdict about rendering. */
  readonly render: string | undefined;
};
