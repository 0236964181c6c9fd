/** The whole unit that a date text names: its first and its last millisecond, both inclusive. */
export type DateSpan = { readonly from: number; readonly to: number };

const FORMS = [
  /^(?<year>\d{4})$/,
  /^(?<year>\d{4})-(?<month>\d\d)$/,
  /^(?<year>\d{4})(?<mark>[-/])(?<month>\d\d)\k<mark>(?<day>\d\d)$/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/,
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[Tt ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)? ?(?<zone>[Zz]|[+-]\d\d:?\d\d)?$/,
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)[Tt](?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?(?<zone>[Zz]|[+-]\d\d:?\d\d)?$/,
] as const;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Reads the date forms of contract 2.3: year, year and month, date (`-`, `/` or compact), date-time with zone,
 * without one (UTC), with or without seconds. Undefined for impossible days and every other text.
 */
export function parseDate(text: string): DateSpan | undefined {
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return spanOf(parts);
  }
  return undefined;
}

type Parts = Readonly<Record<string, string | undefined>>;

function spanOf(parts: Parts): DateSpan | undefined {
  const year = Number(parts['year']);
  const month = Number(parts['month'] ?? '01');
  const day = Number(parts['day'] ?? '01');
  const date = utc(year, month - 1, day);
  if (date === undefined) return undefined;
  if (parts['month'] === undefined) return { from: date, to: firstOfMonth(year + 1, 0) - 1 };
  if (parts['day'] === undefined) return { from: date, to: firstOfMonth(year, month) - 1 };
  return parts['hour'] === undefined ? { from: date, to: date + DAY_MS - 1 } : timeSpan(date, parts);
}

function timeSpan(date: number, parts: Parts): DateSpan | undefined {
  const hour = Number(parts['hour']);
  const minute = Number(parts['minute']);
  const second = Number(parts['second'] ?? '0');
  const offsetMs = zoneOffsetMs(parts['zone'] ?? 'Z');
  if (hour > 23 || minute > 59 || second > 59 || offsetMs === undefined) return undefined;
  const fraction = parts['fraction'];
  const fractionMs = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * SECOND_MS);
  const from = date + hour * 60 * MINUTE_MS + minute * MINUTE_MS + second * SECOND_MS + fractionMs - offsetMs;
  if (fraction !== undefined) return { from, to: from };
  return { from, to: from + (parts['second'] === undefined ? MINUTE_MS : SECOND_MS) - 1 };
}

function zoneOffsetMs(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2));
  if (hours > 18 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

function firstOfMonth(year: number, monthIndex: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, monthIndex, 1);
  return date.getTime();
}

/** Start of the day, undefined when the calendar has no such day. `Date.UTC` would map years below 100 to 19xx. */
function utc(year: number, monthIndex: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, monthIndex, day);
  const same = date.getUTCMonth() === monthIndex && date.getUTCDate() === day;
  return same ? date.getTime() : undefined;
}
