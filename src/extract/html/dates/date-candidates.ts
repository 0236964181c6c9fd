import { EXTRACT_LIMITS } from '../../extract-limits.ts';
import type { DateHint } from '../marked-elements.ts';
import type { PageFacts } from '../page-facts.ts';
import { type PageElement, textOf } from '../page-tree.ts';
import { type DataItem, isOfType, textAt } from '../structured-data.ts';
import {
  announcedDate,
  closestFirst,
  type DateCandidate,
  type DateOrigin,
  type DateSource,
  isInText,
  isOfOthers,
  labelledDate,
  lineDate,
  mainArticleTest,
  mostFrequent,
  oneDay,
  placeTest,
  saidDate,
  textAroundTitle,
} from './date-lines.ts';
import { findDates, findLoneDates, namesPeriod, readDate } from './dates.ts';

/** Without signs, as their names are written in many ways. */
const STRONG_METAS = new Set(
  (
    'articlepublishedtime ogarticlepublishedtime ogpublishedtime datepublished articlepublished publicationdate ' +
    'publishdate publisheddate pubdate published parselypubdate sailthrudate citationpublicationdate ' +
    'citationonlinedate originalpublicationdate articledateoriginal cxenseparserecspublishtime btpubdate ' +
    'rnewsdatepublished ogpubdate articlepubdate bloggerdate articlepostdate'
  ).split(' '),
);
const WEAK_METAS = new Set(
  (
    'dcdateissued dctermsissued dcdate dctermsdate dcdatecreated dctermscreated dccreated citationdate date created ' +
    'videoreleasedate releasedate time timestamp uploaded uploaddate'
  ).split(' '),
);
const CHANGED_METAS = new Set(
  (
    'articlemodifiedtime ogarticlemodifiedtime ogupdatedtime ogmodifiedtime datemodified articleupdated ' +
    'dctermsmodified dcdatemodified modified lastmod lastmodified revised updatedtime modifieddate'
  ).split(' '),
);

const ARTICLE = /(?:Article|Posting|Report|Review|Recipe|HowTo|Video|Podcast|DiscussionForum|QAPage)/;
const PAGE = /(?:WebPage|ItemPage|CollectionPage|AboutPage)$/;

/** Dates that may be that of publication, best first; made one by one, as the first ones are cheap and mostly right. */
export function* publishedCandidates(source: DateSource): Generator<DateCandidate> {
  const { facts, items, url, reading } = source;
  const read = (text: string) => readDate(text, reading.now, reading.order);
  const isHeld = (item: DataItem) => item.from === 'json-ld';
  const articles = ownArticles(items);
  const ofItems = (chosen: readonly DataItem[], ...members: readonly string[]) => itemDate(chosen, members, read);
  const stated = [
    ...metaDates(facts, STRONG_METAS, read, 'stated'),
    ...made('stated', 'json-ld', ofItems(articles.filter(isHeld), 'datePublished', 'uploadDate')),
  ];
  yield* shownBefore(stated, source);
  yield* stated;
  const others = [...items.filter((item) => isOfType(item, PAGE)), ...items].filter(
    (item) => isHeld(item) && !item.isListed,
  );
  yield* made('page', 'json-ld', ofItems(others, 'datePublished', 'uploadDate'));
  yield* made('stated', 'json-ld', ofItems(articles.filter(isHeld), 'dateCreated'));
  const marked = articles.filter((item) => !isHeld(item));
  yield* made('stated', 'markup', ofItems(marked, 'datePublished', 'dateCreated', 'created', 'date', 'issued'));
  const { placed, inPlace } = placesOf(source);
  yield* made('stated', 'property', elementDate(inPlace('property').filter(isPublication), read));
  yield* made('stated', 'url', dateInUrl(url, read));
  yield* made('marked', 'class', elementDate(inPlace('named'), read));
  const times = inPlace('time');
  yield* made('marked', 'time', elementDate(times.filter(isInText), read) || elementDate(times, read));
  yield* made('marked', 'only time', onlyDate([...facts.marked.dated.time, ...facts.marked.dated.named], read));
  yield* made('near', 'element', elementDate(inPlace('hinted'), read, HINTED_CHARS));
  const around = textAroundTitle(source, placed);
  yield* made('titled', 'behind title', findLoneDates(around.behind, reading, 1)[0]?.date ?? '');
  yield* metaDates(facts, WEAK_METAS, read, 'stated');
  yield* made('near', 'before title', findLoneDates(around.before, reading).at(-1)?.date ?? '');
  yield* made('near', 'announced', announcedDate(source));
  yield* made('near', 'byline', elementDate(bylinesOf(facts).filter(placed), read));
  yield* made('near', 'labelled', labelledDate(source, placed));
  yield* made('near', 'line', lineDate(source));
  yield* made('page', 'script', scriptDate(facts, read));
  yield* made('said', 'words', saidDate(source));
  yield* made('changed', 'modified', modifiedDate(source).date);
  yield* made('only', 'text', mostFrequent(source));
}

/** Of several days that are stated, an earlier one that the page shows: the others are of later editions. */
function shownBefore(stated: readonly DateCandidate[], source: DateSource): readonly DateCandidate[] {
  const first = dayOf(stated[0]);
  const earlier = stated.filter((candidate) => dayOf(candidate) < first);
  if (earlier.length === 0) return [];
  const read = (text: string) => readDate(text, source.reading.now, source.reading.order);
  const { placed, inPlace } = placesOf(source);
  const shown =
    elementDate(inPlace('named'), read) ||
    elementDate(inPlace('time'), read) ||
    elementDate(inPlace('hinted'), read, HINTED_CHARS) ||
    (findDates(textAroundTitle(source, placed).behind, source.reading, 1)[0]?.date ?? '');
  return earlier.filter((candidate) => dayOf(candidate) === shown.slice(0, DAY_CHARS));
}

/** `2026-03-04` */
const DAY_CHARS = 10;

function dayOf(candidate: DateCandidate | undefined): string {
  return candidate?.date.slice(0, DAY_CHARS) ?? '';
}

type Regions = {
  readonly placed: (element: PageElement) => boolean;
  /** Elements of a hint that may hold the date of the page, those closest to the title first. */
  readonly inPlace: (hint: DateHint) => readonly PageElement[];
};

function placesOf(source: DateSource): Regions {
  const { facts } = source;
  const placed = placeTest(source);
  const ofPage = mainArticleTest(facts);
  const byTitle = closestFirst(source);
  return {
    placed,
    inPlace: (hint) => byTitle(facts.marked.dated[hint].filter((element) => placed(element) && ofPage(element))),
  };
}

/** Several of them, each with a date of its own, are a list of other pages. */
function ownArticles(items: readonly DataItem[]): readonly DataItem[] {
  const articles = items.filter((item) => !item.isListed && isOfType(item, ARTICLE));
  const dates = new Set(articles.map(({ data }) => textAt(data, 'datePublished')));
  return dates.size > MAX_ARTICLE_DATES ? [] : articles;
}

const MAX_ARTICLE_DATES = 3;

/** Date of the last change that the page states. */
export function modifiedDate({ facts, items, reading }: DateSource): {
  readonly date: string;
  readonly source: string;
} {
  const read = (text: string) => readDate(text, reading.now, reading.order);
  for (const { date, source } of metaDates(facts, CHANGED_METAS, read, 'changed')) return { date, source };
  const inItem = itemDate(items, ['dateModified'], read);
  if (inItem !== '') return { date: inItem, source: 'json-ld' };
  const elements = facts.marked.dated.property.filter((element) => !isPublication(element));
  const date = elementDate(elements, read);
  return { date, source: date === '' ? 'none' : 'property' };
}

/** Longer texts of elements with a word that often goes with dates are not about a date. */
const HINTED_CHARS = 400;
const MARKED_CHARS = 150;

function* made(origin: DateOrigin, source: string, date: string): Generator<DateCandidate> {
  if (date !== '') yield { origin, source, date };
}

function* metaDates(
  { metas }: PageFacts,
  wanted: ReadonlySet<string>,
  read: (text: string) => string,
  origin: DateOrigin,
): Generator<DateCandidate> {
  for (const [name, contents] of metas) {
    if (!wanted.has(letters(name)) && !wanted.has(letters(name.slice(name.search(LAST_PART))))) continue;
    for (const content of contents) yield* made(origin, `meta ${name}`, read(content));
  }
}

function letters(name: string): string {
  return name.replace(/[^a-z]/g, '');
}

/** Behind the prefix of a vocabulary. */
const LAST_PART = /[^:.]*$/;

/** The first item's with a date. */
function itemDate(items: readonly DataItem[], members: readonly string[], read: (text: string) => string): string {
  for (const { data } of items) {
    for (const member of members) {
      const date = read(textAt(data, member));
      if (date !== '') return date;
    }
  }
  return '';
}

function isPublication({ attributes }: PageElement): boolean {
  return !/modified/i.test(attributes['itemprop'] ?? attributes['property'] ?? '');
}

const URL_DAYS = [
  /\/(?<year>(?:19|20)\d\d)[/_-](?<month>\d{1,2})[/_-](?<day>\d{1,2})(?!\d)/,
  /(?<!\d)(?<year>20\d\d)-?(?<month>0\d|1[0-2])-?(?<day>[0-2]\d|3[01])(?!\d)/,
  /[/_-](?<day>\d\d)[-.](?<month>\d\d)[-.](?<year>20\d\d)(?!\d)/,
];

/** The day that the address names. */
export function dateInUrl(url: string, read: (text: string) => string): string {
  for (const pattern of URL_DAYS) {
    const { year, month = '', day = '' } = pattern.exec(url)?.groups ?? {};
    const date = year === undefined ? '' : read(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
    if (date !== '') return date;
  }
  return '';
}

/** Of the first element with one: in its attributes, else in its text when that is short. */
function elementDate(
  elements: readonly PageElement[],
  read: (text: string) => string,
  maxChars: number = MARKED_CHARS,
): string {
  for (const element of elements) {
    const { datetime, content, title } = element.attributes;
    const marked = read(datetime ?? content ?? '') || read(title ?? '');
    if (marked !== '') return marked;
    const text = textOf(element, maxChars + 1).replace(JOINED, '$& ');
    const year = text.length > maxChars ? -1 : text.search(/(?:19|20)\d\d/);
    const isNone = text.length > maxChars || (year >= 0 && namesPeriod(text));
    const shown = isNone ? '' : read(text.slice(Math.max(0, year - DATE_REACH)));
    if (shown !== '') return shown;
  }
  return '';
}

/** Where elements without a blank between them meet. */
const JOINED = /\p{Ll}(?=\p{Lu})|\d(?=\p{Lu}\p{Ll})/gu;

/** Before its year; a text that is read as a date begins with it. */
const DATE_REACH = 40;

/** Elements for dates may stand beside the text when all say the same. */
function onlyDate(elements: readonly PageElement[], read: (text: string) => string): string {
  const dates = elements.map((element) => (isOfOthers(element) ? '' : elementDate([element], read)));
  return oneDay(dates.filter((date) => date !== ''));
}

/** More are those of a list. */
const MAX_BYLINES = 3;

/** What holds an author is the line in which the day stands, too. */
function bylinesOf({ marked }: PageFacts): readonly PageElement[] {
  return marked.bylines.slice(0, MAX_BYLINES).flatMap(({ parent }) => (parent === undefined ? [] : [parent]));
}

/** Names by which applications and broken JSON-LD say when a page was published; quotation marks may be escaped. */
const SCRIPT_DATE =
  /"(?:date_?[Pp]ublished|datePublication|pub(?:lish(?:ed)?|lication)?_?(?:[Dd]ate|[Aa]t|[Oo]n)|firstPublished(?:At)?)\\?"\s{0,9}:\s{0,9}\\?"([^"\\]{8,40})/g;

/** The day of publication in the data of scripts, when all name the same. O(characters of the scripts). */
function scriptDate({ scripts }: PageFacts, read: (text: string) => string): string {
  const dates: string[] = [];
  let left = EXTRACT_LIMITS.stateChars;
  for (const script of scripts) {
    left -= script.length;
    if (left < 0) break;
    for (const [, text = ''] of script.matchAll(SCRIPT_DATE)) dates.push(read(text));
  }
  return oneDay(dates.filter((date) => date !== ''));
}
