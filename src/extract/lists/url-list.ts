/** Bounds of one sitemap or feed (reliability: limits on what is fetched). */
export const URL_LIST_LIMITS = {
  /** Inflated. */
  bytes: 50 * 1024 * 1024,
  entries: 50_000,
  /** Inflated size to size on the wire, once the first million bytes have passed. */
  ratio: 200,
  ratioFromBytes: 1024 * 1024,
  /** Open elements: no list of URLs nests deeper. */
  depth: 64,
  /** Text of one address or time. */
  textChars: 8_192,
  /** A feed in JSON is parsed at once. */
  jsonBytes: 2 * 1024 * 1024,
} as const;

/** `index` names other lists; `unknown` is no list at all. */
export type UrlListFormat = 'urlset' | 'index' | 'feed' | 'text' | 'unknown';

/** `at` is the last millisecond that the time of the list may mean; undefined without a valid one. */
export type UrlListEntry = { readonly url: string; readonly at: number | undefined; readonly isSitemap: boolean };

export type UrlListEnd = {
  readonly format: UrlListFormat;
  readonly entries: number;
  /** Why the rest was not read. */
  readonly cut: 'bytes' | 'entries' | 'malformed' | undefined;
};
