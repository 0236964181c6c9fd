import { type CloseRule, RING_PAGES, type UrlPatternRecord } from '../../storage/engine/patterns.ts';

/** Dates further ahead are pages of a calendar without end (crawling 18). */
const YEARS_AHEAD = 2;
const MAX_REPEATS = 2;
/**
 * A path that leads into itself is made of few names: at most so many of its segments are different ones. Folders of
 * manuals repeat a name, too (`/api/org/acme/api/io/api/`), among others (decision 0115).
 */
const MAX_DIFFERENT_RATIO = 0.6;
/** Visits after which a pattern may be in doubt, and how many of the last may have been informative. */
const QUARANTINE_PAGES = 10;
const QUARANTINE_INFORMATIVE = 2;
/** Of 20 pages that brought nothing, so many that repeat others make it a copy of the site. */
const COPY_PAGES = 18;
/** Good samples among the last 20 pages that open a whole URL template; one opens a pattern. */
const URL_TEMPLATE_SAMPLES = 3;
/** Queries of a path of which after so many pages no more than 1 in 4 was informative are combinations (`traps.test.ts`). */
const URL_TEMPLATE_PAGES = 25;
const URL_TEMPLATE_RATIO = 4;
/** Shorter texts say nothing of their own (crawling 18). */
const MIN_CHARS = 200;
/** Share of a page's words, in runs of three, that the last pages of its pattern did not have (crawling 18). */
const MIN_NEW_RATIO = 0.05;
/** A name that stands for what was searched or filtered changes up to 7 of them (`traps.test.ts`). */
const MIN_NEW_RUNS = 8;

/** What is wrong with a URL at sight, as the text of the rule; undefined for one that may be a page. Pure. */
export function trapAtSight(url: string, now: number): string | undefined {
  const { pathname, search, searchParams } = new URL(url);
  if (/%25[0-9a-f]{2}/i.test(pathname + search)) return 'percent codes of percent codes';
  const segments = pathname.split('/').filter((segment) => /\D/.test(segment));
  if (leadsIntoItself(segments)) return 'a segment three times';
  if (endsInRepetition(search.slice(1).split('&'))) return 'a query that repeats itself';
  const texts = [...pathname.split('/'), ...searchParams.values()];
  const lastYear = new Date(now).getUTCFullYear() + YEARS_AHEAD;
  return yearsNamed(texts, searchParams).some((year) => year > lastYear)
    ? 'a date more than two years ahead'
    : undefined;
}

function leadsIntoItself(segments: readonly string[]): boolean {
  if (new Set(segments).size > segments.length * MAX_DIFFERENT_RATIO) return false;
  return segments.some((segment) => countOf(segments, segment) > MAX_REPEATS);
}

function countOf(segments: readonly string[], wanted: string): number {
  return segments.filter((segment) => segment === wanted).length;
}

/** `a=1&b=2&a=1&b=2`: the last parts are those before them once more. */
function endsInRepetition(parts: readonly string[]): boolean {
  for (let size = 1; size * 2 <= parts.length; size++) {
    const tail = parts.slice(-size);
    const before = parts.slice(-2 * size, -size);
    if (tail.every((part, at) => part !== '' && part === before[at])) return true;
  }
  return false;
}

/** Eight digits are a date in this century only: others are numbers of things. */
const DATE =
  /^(?:([2-9]\d\d\d)([-_.])(?:0[1-9]|1[0-2])(?:\2(?:0[1-9]|[12]\d|3[01]))?|(20\d\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))$/;
const MONTH = /^(?:0?[1-9]|1[0-2])$/;
const YEAR = /^[2-9]\d\d\d$/;
/** Sections in which two numbers are a year and a month; elsewhere they may count anything. */
const CALENDAR = /cal|kalend|event|termin|agenda|archiv|month|monat|date/i;

/** Years of dates: `2031-05-01`, `/2031/05`, `year=2031`. A number of four digits alone is no date. */
function yearsNamed(texts: readonly string[], params: URLSearchParams): readonly number[] {
  const years = texts.flatMap((text, at) => {
    const dated = DATE.exec(text);
    if (dated !== null) return [Number(dated[1] ?? dated[3])];
    const isSplit = YEAR.test(text) && MONTH.test(texts[at + 1] ?? '') && CALENDAR.test(texts.slice(0, at).join('/'));
    return isSplit ? [Number(text)] : [];
  });
  const named = [...params].flatMap(([name, value]) =>
    /year|jahr/i.test(name) && YEAR.test(value) ? [Number(value)] : [],
  );
  return [...years, ...named];
}

export type PatternVerdict = { readonly to: 'open' | 'quarantine' | 'closed'; readonly rule: CloseRule | undefined };

type Judged = Pick<
  UrlPatternRecord,
  'pattern' | 'visited' | 'informative' | 'recent' | 'sameText' | 'closedAt' | 'closeRule' | 'quarantine'
>;

/**
 * What becomes of a pattern by its last visits; undefined when it stays as it is. `sampled`: the last of them was
 * made although the pattern is closed. (crawling 18)
 */
export function judgePattern(pattern: Judged, sampled: boolean): PatternVerdict | undefined {
  const { visited, recent, closedAt, closeRule, quarantine } = pattern;
  if (closeRule === 'operator' || closeRule === 'kept-open') return undefined;
  const informative = bitsOf(recent);
  if (closedAt !== undefined) {
    const wanted = pattern.pattern.endsWith('…') ? URL_TEMPLATE_SAMPLES : 1;
    return sampled && informative >= wanted ? { to: 'open', rule: undefined } : undefined;
  }
  const rule = closingRule(pattern);
  if (rule !== undefined) return { to: 'closed', rule };
  const isQuarantined = visited >= QUARANTINE_PAGES && informative <= QUARANTINE_INFORMATIVE;
  if (isQuarantined === quarantine) return undefined;
  return { to: quarantine ? 'open' : 'quarantine', rule: undefined };
}

function closingRule({ pattern, visited, informative, recent, sameText }: Judged): CloseRule | undefined {
  if (visited >= RING_PAGES && recent === 0) return bitsOf(sameText) >= COPY_PAGES ? 'same-text' : 'nothing-new';
  const isCombined =
    pattern.endsWith('?…') && visited >= URL_TEMPLATE_PAGES && informative * URL_TEMPLATE_RATIO <= visited;
  return isCombined ? 'nothing-new' : undefined;
}

function bitsOf(ring: number): number {
  let bits = 0;
  for (let rest = ring; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

/** Has a page of so many characters, so many of its runs of words new to its pattern, something of its own to say? */
export function isInformative(
  chars: number,
  { runs, fresh }: { readonly runs: number; readonly fresh: number },
): boolean {
  return chars >= MIN_CHARS && fresh >= Math.max(MIN_NEW_RUNS, runs * MIN_NEW_RATIO);
}
