import { monthOf } from './date-words.ts';

/** Which of two numbers is the day where both may be. */
export type DayOrder = 'day-first' | 'month-first';

export type DateReading = {
  /** Epoch milliseconds; a date after the next day is none. */
  readonly now: number;
  readonly order: DayOrder;
};

export type FoundDate = {
  /** ISO 8601, as precise as the text, offset kept as written. */
  readonly date: string;
  /** Where its year stands in the text. */
  readonly at: number;
};

const DAY_MS = 86_400_000;
const FIRST_YEAR = 1995;
/** Read of a text that is a date: the rest is something else. */
const DATE_CHARS = 100;

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\s?(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s*(Z|[+-]\d\d:?\d\d)?)?/i;
const COMPACT = /^(\d{4})(\d\d)(\d\d)(?:T|\d{4,6}|$)/;
const SHORT_YEAR = /(?<![\d.])(\d{1,2})([./-])(\d{1,2})\2(\d\d)(?![\d./])/;
/** Short years from here on belong to the last century, which is out of range anyway. */
const LAST_SHORT_YEAR = 60;

/** ISO 8601 form of a text that is a date, or begins with one; `''` when it is none, or outside of 1995 to tomorrow. */
export function readDate(text: string, now: number, order: DayOrder = 'day-first'): string {
  const trimmed = text.trim().slice(0, DATE_CHARS);
  const iso = ISO.exec(trimmed);
  if (iso !== null) return readIso(iso, now);
  const compact = COMPACT.exec(trimmed);
  if (compact !== null) return dayOf(compact[1], compact[2], compact[3], now);
  return findDates(trimmed, { now, order })[0]?.date ?? shortYear(trimmed, { now, order });
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;
/** Longest text of a date before and behind its year: `Wednesday, the 21st of September 10:00:00 GMT`. */
const REACH = 40;
const YEAR_CHARS = 4;

/** All dates with a four-digit year in a text, in order. O(text). */
export function findDates(text: string, reading: DateReading, limit = 100): readonly FoundDate[] {
  const found: FoundDate[] = [];
  let readTo = 0;
  for (const { index } of text.matchAll(YEAR)) {
    if (found.length === limit) break;
    if (index < readTo) continue;
    const behind = yearFirst(text.slice(index, index + REACH), reading);
    const year = text.slice(index, index + YEAR_CHARS);
    const isPart = /^\.\d/.test(text.slice(index + YEAR_CHARS, index + YEAR_CHARS + 2));
    const before = isPart ? '' : text.slice(Math.max(readTo, index - REACH), index);
    const date = behind?.date ?? yearLast(before, year, reading);
    if (date === '') continue;
    found.push({ date, at: index });
    readTo = index + (behind?.length ?? YEAR_CHARS);
  }
  return found;
}

const NUMBERS_BEHIND = /^(\d{4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d)/;
const SIGNS_BEHIND = /^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/;
const WORD_BEHIND = /^(\d{4})[.,]?\s+(?:m\.\s+)?(\p{L}{3,12})\.?\s+(\d{1,2})(?!\d)/u;

function yearFirst(text: string, { now }: DateReading): { date: string; length: number } | undefined {
  const iso = ISO.exec(text);
  if (iso !== null) return { date: readIso(iso, now), length: iso[0].length };
  const numbers = NUMBERS_BEHIND.exec(text);
  if (numbers !== null) return { date: dayOf(numbers[1], numbers[3], numbers[4], now), length: numbers[0].length };
  const named = SIGNS_BEHIND.exec(text) ?? WORD_BEHIND.exec(text);
  const month = named === null ? undefined : (monthOf(named[2] ?? '') ?? Number(named[2]));
  if (named === null || month === undefined || Number.isNaN(month)) return undefined;
  const date = dayOf(named[1], String(month), named[3], now);
  return date === '' ? undefined : { date, length: named[0].length };
}

const DAY_MONTH =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|ª)?\.?\s*(?:of |de |d['’]\s?|den |-|\/)?\s*(\p{L}{3,12})[.,]?\s*(?:de |del |do |d['’]|-|\/)?,?\s*$/iu;
const MONTH_DAY =
  /(?<!\p{L})(\p{L}{3,12})\.?\s*[-/]?(\d{1,2})(?:st|nd|rd|th)?\.?,?\s*[-/]?(?:\s+(?:de |del )?)?(?:\d\d:\d\d(?::\d\d)?\s+(?:[A-Z]{2,4}\s+|[+-]\d{4}\s+)?)?$/u;
const NUMBERS = /(?<![\d.])(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?$/;

function yearLast(before: string, year: string, { now, order }: DateReading): string {
  const dayMonth = DAY_MONTH.exec(before);
  const ownMonth = dayMonth === null ? undefined : monthOf(dayMonth[2] ?? '');
  if (ownMonth !== undefined) return dayOf(year, String(ownMonth), dayMonth?.[1], now);
  const monthDay = MONTH_DAY.exec(before);
  const month = monthDay === null ? undefined : monthOf(monthDay[1] ?? '');
  if (month !== undefined) return dayOf(year, String(month), monthDay?.[2], now);
  const numbers = NUMBERS.exec(before);
  return numbers === null
    ? ''
    : ordered({ first: numbers[1], sign: numbers[2], second: numbers[3], year }, { now, order });
}

function shortYear(text: string, reading: DateReading): string {
  const [, first, sign, second, year] = SHORT_YEAR.exec(text) ?? [];
  if (year === undefined || Number(year) > LAST_SHORT_YEAR) return '';
  return ordered({ first, sign, second, year: `20${year}` }, reading);
}

type Numbers = Record<'first' | 'sign' | 'second' | 'year', string | undefined>;

/** The month comes first with slashes only; an impossible month is the day. */
function ordered({ first, sign, second, year }: Numbers, { now, order }: DateReading): string {
  const dayFirst = dayOf(year, second, first, now);
  const monthFirst = dayOf(year, first, second, now);
  return sign === '/' && order === 'month-first' ? monthFirst || dayFirst : dayFirst || monthFirst;
}

function readIso([, year, month, day, hour, minute, second, zone]: RegExpExecArray, now: number): string {
  const date = dayOf(year, month, day, now);
  if (date === '' || hour === undefined || Number(hour) > 23 || Number(minute) > 59) return date;
  const offset = zone?.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2') ?? '';
  return `${date}T${hour}:${minute}:${second ?? '00'}${offset}`;
}

/** The day when the calendar has it and it lies in the accepted range. */
function dayOf(year = '', month = '', day = '', now = 0): string {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  return isDay && Number(year) >= FIRST_YEAR && at <= now + DAY_MS ? text : '';
}
