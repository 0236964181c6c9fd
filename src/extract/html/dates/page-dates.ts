import { metaOf, type PageFacts } from '../page-facts.ts';
import { articleOf } from '../page-tree.ts';
import { type DataItem, isOfType } from '../structured-data.ts';
import { dateInUrl, modifiedDate, publishedCandidates } from './date-candidates.ts';
import type { DateCandidate, DateSource } from './date-lines.ts';
import { type DateReading, findDates, readDate } from './dates.ts';

export type PageDates = {
  /** ISO 8601, as precise as the page states it, offset kept as written. `''` when unknown. */
  readonly published: string;
  readonly publishedFrom: string;
  readonly modified: string;
  readonly modifiedFrom: string;
};

export type PageDatesSource = Omit<DateSource, 'reading'> & {
  /** The page has a price: it sells what it is about. */
  readonly isSold: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
};

/** Publication and modification date: what the page states, else what it shows where pages show it. */
export function pickDates({ now, isSold, ...page }: PageDatesSource): PageDates {
  const source = { ...page, reading: { now, order: orderOf(page.facts) } };
  const published = publishedOf(source, isSold);
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

function publishedOf(source: DateSource, isSold: boolean): Pick<DateCandidate, 'date' | 'source'> {
  let page: DatedPage | undefined;
  for (const candidate of publishedCandidates(source)) {
    page ??= datedPageOf(source, source.reading);
    if (isSold && !page.hasArticleItem) break;
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

export type PageKindSource = {
  readonly url: string;
  readonly facts: PageFacts;
  readonly items: readonly DataItem[];
  readonly content: string;
};

/** What speaks for and against a date of publication: pages of products, lists and services have dates of other things. */
type DatedPage = {
  /** An article by its items, metas, byline or URL. */
  readonly isArticle: boolean;
  /** An article, or one that says so where sites say it of every page. */
  readonly maybeArticle: boolean;
  readonly hasArticleItem: boolean;
  readonly isProduct: boolean;
  readonly isHome: boolean;
  readonly isList: boolean;
  /** Documentation is as new as its last change. */
  readonly isTimeless: boolean;
  /** Businesses are not published; some publish. */
  readonly isBusiness: boolean;
  /** Dates in the main text. */
  readonly dateCount: number;
};

const ARTICLE_ITEM = /(?:Article|Posting|Report)$/;
const OTHER_ARTICLE_ITEM = /(?:Recipe|HowTo|VideoObject|PodcastEpisode|QAPage)$/;
const ARTICLE_METAS = ['published_time', 'section', 'tag', 'author', 'opinion'].map((name) => `article:${name}`);
const ARTICLE_PATH =
  /(?:^|[/_.-])(?:blogs?|news|newsroom|articles?|artikel|story|stories|posts?|magazine?|presse?|aktuell(?:es)?|actualites?|noticias?|notizie|nachrichten|meldung(?:en)?|pressemitteilung(?:en)?|archives?|archiv|insights|journal|editorial|20[012]\d)(?:[/_.-]|$)/i;
/** Products and services: their dates are of offers and reviews. */
const PRODUCT_PATH = /\/(?:products?|shop|pr|dp|itm|services?|solutions?)\//i;
const LIST_PATH =
  /\/(?:c|collections?|category|categories|topics?|tags?|genre|browse|list|lists)\/|\/(?:news|blogs?)\/?$/i;
const REFERENCE =
  /\/(?:docs?|documentation|reference|handbook|api|manual|usersguide)\/|^https?:\/\/(?:docs|developers?|api)\./i;
const LIST_ITEM = /^(?:ItemList|CollectionPage)$/;
const SERVICE_ITEM = /^(?:Service|LocalBusiness|ProfessionalService)$/;
/** More are those of a list or a discussion. */
const MAX_BYLINES = 30;
/** More articles with a date of their own make a list. */
const MAX_DATED_ARTICLES = 6;
const MAX_COUNTED = 50;
/** Of the main text; dates behind are of other things. */
const COUNTED_CHARS = 20_000;

function datedPageOf({ url, facts, items, content }: PageKindSource, reading: DateReading): DatedPage {
  const path = URL.parse(url)?.pathname ?? '';
  const type = metaOf(facts, 'og:type');
  const own = items.filter((item) => !item.isListed);
  const hasArticleItem = own.some((item) => isOfType(item, ARTICLE_ITEM));
  const { bylines, dated } = facts.marked;
  const isSigned = bylines.length > 0 && bylines.length < MAX_BYLINES;
  const isArticle = hasArticleItem || metaOf(facts, ...ARTICLE_METAS) !== '' || isSigned || ARTICLE_PATH.test(path);
  const hasOtherItem = own.some((item) => isOfType(item, OTHER_ARTICLE_ITEM));
  const isProductItem = !hasArticleItem && own.some((item) => isOfType(item, /^Product$/));
  const isUndated = !hasArticleItem && !ARTICLE_PATH.test(path);
  const dates = [...dated.time, ...dated.named];
  return {
    isArticle,
    maybeArticle: isArticle || hasOtherItem || type === 'article',
    hasArticleItem,
    isProduct: isProductItem || type.includes('product') || (PRODUCT_PATH.test(path) && !ARTICLE_PATH.test(path)),
    isHome: path === '/',
    isList:
      !hasArticleItem &&
      (LIST_PATH.test(path) ||
        items.some((item) => isOfType(item, LIST_ITEM)) ||
        new Set(dates.map(articleOf)).size > MAX_DATED_ARTICLES),
    isTimeless: isUndated && REFERENCE.test(url),
    isBusiness: isUndated && items.some((item) => isOfType(item, SERVICE_ITEM)),
    dateCount: findDates(content.slice(0, COUNTED_CHARS), reading, MAX_COUNTED).length,
  };
}
