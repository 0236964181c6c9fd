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
