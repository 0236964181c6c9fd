import { type DateReading, findDates } from './dates.ts';
import { metaOf, type PageFacts } from './page-facts.ts';
import { articleOf } from './page-tree.ts';
import { type DataItem, isOfType } from './structured-data.ts';

export type PageKindSource = {
  readonly url: string;
  readonly facts: PageFacts;
  readonly items: readonly DataItem[];
  readonly content: string;
};

/** What speaks for and against a date of publication: pages of products, lists and services have dates of other things. */
export type DatedPage = {
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

export function datedPageOf({ url, facts, items, content }: PageKindSource, reading: DateReading): DatedPage {
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
