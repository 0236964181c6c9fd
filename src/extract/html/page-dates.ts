import { dateInUrl, modifiedDate, publishedCandidates } from './date-candidates.ts';
import type { DateCandidate, DateSource } from './date-source.ts';
import { type DatedPage, datedPageOf } from './dated-page.ts';
import { type DateReading, readDate } from './dates.ts';
import type { PageFacts } from './page-facts.ts';

export type PageDates = {
  /** ISO 8601, as precise as the page states it, offset kept as written. `''` when unknown. */
  readonly published: string;
  readonly publishedFrom: string;
  readonly modified: string;
  readonly modifiedFrom: string;
};

export type PageDatesSource = Omit<DateSource, 'reading'> & {
  /** Epoch milliseconds. */
  readonly now: number;
};

/** Publication and modification date: what the page states, else what it shows where pages show it. */
export function pickDates({ now, ...page }: PageDatesSource): PageDates {
  const source = { ...page, reading: { now, order: orderOf(page.facts) } };
  const published = publishedOf(source);
  const modified = modifiedDate(source);
  const isLater = published.date === '' || modified.date.slice(0, 10) >= published.date.slice(0, 10);
  return {
    published: published.date,
    publishedFrom: published.source,
    modified: isLater ? modified.date : '',
    modifiedFrom: modified.source,
  };
}

/** American pages and those of undeclared English write the month first. */
function orderOf({ declaredLanguage }: PageFacts): DateReading['order'] {
  return /^en(?:[-_]us)?$/i.test(declaredLanguage.trim()) ? 'month-first' : 'day-first';
}

function publishedOf(source: DateSource): Pick<DateCandidate, 'date' | 'source'> {
  let page: DatedPage | undefined;
  for (const candidate of publishedCandidates(source)) {
    page ??= datedPageOf(source, source.reading);
    if (isBelieved(candidate, page)) return inLocalDay(candidate, source);
  }
  return { date: '', source: 'none' };
}

/** Dates in the main text up to which one by the title is the page's, whatever kind of page it is. */
const FEW_DATES = 10;
/** The same for dates in the text, which are mostly of what it tells about. */
const HARDLY_ANY_DATES = 2;

function isBelieved({ origin }: DateCandidate, page: DatedPage): boolean {
  const isStated = origin === 'stated';
  if (page.isProduct || (page.isHome && !(page.hasArticleItem && isStated))) return false;
  if ((page.isList || page.isTimeless) && !isStated) return false;
  if (page.isBusiness && !isStated) return origin === 'titled' && page.dateCount <= HARDLY_ANY_DATES;
  switch (origin) {
    case 'stated':
    case 'marked':
      return true;
    case 'page':
    case 'changed':
      return page.isArticle;
    case 'titled':
    case 'near':
      return page.isArticle || page.dateCount <= FEW_DATES;
    case 'said':
    case 'only':
      return page.isArticle || page.dateCount <= HARDLY_ANY_DATES + (page.maybeArticle ? 1 : 0);
  }
}

const DAY_MS = 86_400_000;

/** An instant in UTC may lie on another day than where it was published: then the day in the URL is the local one. */
function inLocalDay(found: DateCandidate, { url, reading }: DateSource): Pick<DateCandidate, 'date' | 'source'> {
  if (!/(?:Z|\+00:00)$/.test(found.date)) return found;
  const date = dateInUrl(url, (text) => readDate(text, reading.now));
  return Math.abs(Date.parse(date) - Date.parse(found.date.slice(0, 10))) === DAY_MS ? { date, source: 'url' } : found;
}
