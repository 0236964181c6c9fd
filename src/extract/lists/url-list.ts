import { parseDate } from '../../core/field-values.ts';

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

const DAY_MS = 86_400_000;
/** A date without a time may be that of the last time zone of the earth (UTC-12). */
const LAST_ZONE_MS = DAY_MS / 2;

/** Last millisecond that a time of a sitemap (W3C) or feed (RFC 3339, RFC 822) may mean; undefined for other texts. */
export function listTime(text: string): number | undefined {
  const trimmed = text.trim();
  const span = parseDate(trimmed);
  if (span !== undefined) return span.to - span.from < DAY_MS - 1 ? span.to : span.to + LAST_ZONE_MS;
  if (!/^(?:[a-z]{3,9},\s*)?\d{1,2}\s+[a-z]{3,9}\s+\d{2,4}\b/i.test(trimmed)) return undefined;
  const at = Date.parse(trimmed);
  return Number.isNaN(at) ? undefined : at + 999;
}

/** The time names a day, not an instant: it may mean anything from its start on. */
export function isWholeDay(at: number): boolean {
  return (at + 1) % DAY_MS === LAST_ZONE_MS;
}
