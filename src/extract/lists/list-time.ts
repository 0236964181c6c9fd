import { parseDate } from '../../core/dates.ts';

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
