import type { TextBlock } from './blocks.ts';
import { type DateReading, findDates, readDate } from './dates.ts';
import type { DateHint } from './marked-elements.ts';
import type { PageFacts } from './page-facts.ts';
import { articleOf, foldText, isWithin, type PageElement, textOf } from './page-tree.ts';
import { type DataItem, isOfType, textAt } from './structured-data.ts';

/**
 * `stated`: the page says that it is the date of publication · `page`: of the page as a whole, which systems set for
 * every page · `marked`: an element that is made for a date · `near`: stands by the title or where dates do ·
 * `said`: behind a word such as "published" · `changed`: date of the last change · `only`: most frequent in the text.
 */
export type DateEvidence = 'stated' | 'page' | 'marked' | 'near' | 'said' | 'changed' | 'only';
export type DateCandidate = { readonly date: string; readonly source: string; readonly evidence: DateEvidence };

export type DateSource = {
  readonly url: string;
  readonly facts: PageFacts;
  readonly items: readonly DataItem[];
  /** All text of the page in document order. */
  readonly blocks: readonly TextBlock[];
  readonly content: string;
  readonly title: string;
  readonly reading: DateReading;
};

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
    'videoreleasedate releasedate time timestamp'
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
  yield* metaDates(facts, STRONG_METAS, read, 'stated');
  yield* made('stated', 'json-ld', ofItems(articles.filter(isHeld), 'datePublished', 'uploadDate'));
  const others = [...items.filter((item) => isOfType(item, PAGE)), ...items].filter(
    (item) => isHeld(item) && !item.isListed,
  );
  yield* made('page', 'json-ld', ofItems(others, 'datePublished', 'uploadDate'));
  yield* made('stated', 'json-ld', ofItems(articles.filter(isHeld), 'dateCreated'));
  const marked = articles.filter((item) => !isHeld(item));
  yield* made('stated', 'markup', ofItems(marked, 'datePublished', 'dateCreated', 'created', 'date', 'issued'));
  const placed = placeTest(source);
  const ofPage = mainArticleTest(facts);
  const inPlace = (hint: DateHint) => facts.marked.dated[hint].filter((element) => placed(element) && ofPage(element));
  yield* made('stated', 'property', elementDate(inPlace('property').filter(isPublication), read));
  yield* made('stated', 'url', dateInUrl(url, read));
  yield* made('marked', 'class', elementDate(inPlace('named'), read));
  const times = inPlace('time');
  yield* made('marked', 'time', elementDate(times.filter(isInText), read) || elementDate(times, read));
  yield* made('marked', 'only time', onlyDate([...facts.marked.dated.time, ...facts.marked.dated.named], read));
  yield* made('near', 'element', elementDate(inPlace('hinted'), read, HINTED_CHARS));
  const around = textAroundTitle(source, placed);
  yield* made('near', 'behind title', findDates(around.behind, reading, 1)[0]?.date ?? '');
  yield* metaDates(facts, WEAK_METAS, read, 'stated');
  yield* made('near', 'before title', findDates(around.before, reading).at(-1)?.date ?? '');
  yield* made('near', 'announced', dateBehind(ANNOUNCED, source));
  yield* made('said', 'words', dateBehind(WORDS, source));
  yield* made('changed', 'modified', modifiedDate(source).date);
  yield* made('only', 'text', mostFrequent(source));
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

function* made(evidence: DateEvidence, source: string, date: string): Generator<DateCandidate> {
  if (date !== '') yield { evidence, source, date };
}

function* metaDates(
  { metas }: PageFacts,
  wanted: ReadonlySet<string>,
  read: (text: string) => string,
  evidence: DateEvidence,
): Generator<DateCandidate> {
  for (const [name, contents] of metas) {
    if (!wanted.has(name.replace(/[^a-z]/g, ''))) continue;
    for (const content of contents) yield* made(evidence, `meta ${name}`, read(content));
  }
}

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

const OUTSIDE =
  /(?:^|[\s_-])(?:comments?|comment-?list|related|sidebar|recommended)(?:$|[\s_-])|(?:^|\s)(?:widgets?|(?:site-|page-)?footer)(?:$|\s)/i;

/** True of elements outside of navigation, comments, sidebars and lists of other pages. */
function placeTest({ facts, blocks, title }: DateSource): (element: PageElement) => boolean {
  const known = new Map<PageElement, boolean>();
  // What holds the title is the page, whatever it is called.
  const titled = blocks.find(({ text }) => text === title)?.element;
  for (const heading of [...facts.h1.slice(0, MAX_H1), ...(titled === undefined ? [] : [titled])]) {
    for (let at: PageElement | undefined = heading.parent; at !== undefined && !known.has(at); at = at.parent)
      known.set(at, true);
  }
  const isIn = (element: PageElement): boolean => {
    const chain: PageElement[] = [];
    let at: PageElement | undefined = element;
    for (; at !== undefined && !known.has(at); at = at.parent) chain.push(at);
    let answer = at === undefined ? true : (known.get(at) ?? true);
    for (const link of chain.reverse()) {
      answer &&= !isOutside(link);
      known.set(link, answer);
    }
    return answer;
  };
  return isIn;
}

function isOutside({ name, attributes }: PageElement): boolean {
  if (name === 'aside' || name === 'footer' || name === 'nav') return true;
  if (name === 'html' || name === 'body' || name === 'main' || name === 'article') return false;
  const names = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`;
  return OUTSIDE.test(names) && !POSTS.test(names);
}

/** The part of Blogger's pages that holds the post is a widget like those around it. */
const POSTS = /\bwidget Blog\b/;
const MAX_H1 = 3;

/** Of several articles only the one with the title is the page, and none when the title stands elsewhere. */
function mainArticleTest({ h1, marked }: PageFacts): (element: PageElement) => boolean {
  const dated = [...marked.dated.time, ...marked.dated.named].map(articleOf).filter((article) => article !== undefined);
  if (new Set(dated).size <= 1) return () => true;
  const main = h1
    .slice(0, MAX_H1)
    .map(articleOf)
    .find((article) => article !== undefined);
  return (element) => {
    const own = articleOf(element);
    return own === undefined || own === main;
  };
}

function isInText(element: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) {
    if (at.name === 'header' || at.name === 'article' || at.name === 'main') return true;
  }
  return false;
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
    const text = textOf(element, maxChars + 1);
    const year = text.length > maxChars ? -1 : text.search(/(?:19|20)\d\d/);
    const shown = text.length > maxChars ? '' : read(text.slice(Math.max(0, year - DATE_REACH)));
    if (shown !== '') return shown;
  }
  return '';
}

/** Elements for dates may stand beside the text when all say the same. */
function onlyDate(elements: readonly PageElement[], read: (text: string) => string): string {
  const dates = new Map<string, string>();
  for (const element of elements) {
    const date = isOfOthers(element) ? '' : elementDate([element], read);
    if (date !== '') dates.set(date.slice(0, 10), dates.get(date.slice(0, 10)) ?? date);
  }
  const [only = ''] = dates.values();
  return dates.size === 1 ? only : '';
}

const OF_OTHERS = /(?:^|[\s_-])(?:comments?|related|recommended|recent|popular|latest|teasers?|cards?)(?:$|[\s_-])/i;

function isOfOthers(element: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) {
    if (at.name === 'footer' || at.name === 'nav') return true;
    if (OF_OTHERS.test(`${at.attributes['class'] ?? ''} ${at.attributes['id'] ?? ''}`)) return true;
  }
  return false;
}

/** Before its year; a text that is read as a date begins with it. */
const DATE_REACH = 40;
const BEHIND_CHARS = 500;
const BEFORE_CHARS = 200;

type TitleSurroundings = { readonly behind: string; readonly before: string };

function textAroundTitle(
  { facts, blocks, title }: DateSource,
  placed: (element: PageElement) => boolean,
): TitleSurroundings {
  const h1 = facts.h1.find((element) => foldText(textOf(element, BEFORE_CHARS)) !== '');
  const inHeading = h1 === undefined ? -1 : blocks.findLastIndex(({ element }) => isWithin(element, h1));
  const at = inHeading >= 0 ? inHeading : blocks.findIndex(({ text }) => text === title);
  if (at < 0) return { behind: '', before: '' };
  let behind = '';
  for (let next = at + 1; next < blocks.length && behind.length < BEHIND_CHARS; next++) {
    behind += textInPlace(blocks[next], placed);
  }
  let before = '';
  for (let last = at - 1; last >= 0 && before.length < BEFORE_CHARS; last--) {
    before = textInPlace(blocks[last], placed) + before;
  }
  return { behind: behind.slice(0, BEHIND_CHARS), before: before.slice(-BEFORE_CHARS) };
}

function textInPlace(block: TextBlock | undefined, placed: (element: PageElement) => boolean): string {
  return block === undefined || !placed(block.element) ? '' : `${block.text.slice(0, BEHIND_CHARS)}\n`;
}

const WORDS =
  /(?:published|posted|updated|veröffentlicht|erschienen|erstellt|geschrieben|publié|mis en ligne|publicado|pubblicato|gepubliceerd|publicerad|udgivet|opublikowano|datum|stand|date)\s*(?:on|am|le|il|el|den)?\s*:?\s*(.{0,40})/gi;
/** Sentences that say of the page when it was published, and nothing else. */
const ANNOUNCED =
  /(?:\b(?:published|posted|veröffentlicht|erschienen|publié|mis en ligne|publicado|pubblicato|gepubliceerd|publicerad|udgivet|opublikowano)\s*(?:on|am|le|il|el|op|den)?\s*:|(?:artikel|beitrag|eintrag|text) (?:wurde|ist) am|(?:article|post|entry|story) was (?:first |originally )?(?:published|posted|written) on)\s*(.{0,40})/gi;
/** Blocks that are looked at, and characters of each: such lines are short. */
const MAX_WORD_BLOCKS = 1_000;
const WORD_BLOCK_CHARS = 500;
/** What every date has. */
const YEAR = /(?:19|20)\d\d/;
/** Characters between the word and the year. */
const WORD_REACH = 30;

function dateBehind(words: RegExp, { blocks, reading }: DateSource): string {
  for (const { text } of blocks.slice(0, MAX_WORD_BLOCKS)) {
    const head = text.slice(0, WORD_BLOCK_CHARS);
    if (!YEAR.test(head)) continue;
    for (const [, behind = ''] of head.matchAll(words)) {
      const found = findDates(behind, reading, 1)[0];
      if (found !== undefined && found.at <= WORD_REACH) return found.date;
    }
  }
  return '';
}

const COUNTED_CHARS = 20_000;

/** `''` when two are as frequent. */
function mostFrequent({ content, reading }: DateSource): string {
  const counts = new Map<string, number>();
  for (const { date } of findDates(content.slice(0, COUNTED_CHARS), reading)) {
    const day = date.slice(0, 10);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
  return first !== undefined && first[1] > (second?.[1] ?? 0) ? first[0] : '';
}
