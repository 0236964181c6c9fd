import type { PageElement } from './page-tree.ts';

/**
 * Why an element may hold a date: a property of structured data that says so, `time`, a class that names nothing else,
 * or a word in its class or id that often goes with one.
 */
export type DateHint = 'property' | 'time' | 'named' | 'hinted';

/** Elements whose attributes say what they hold, in document order. */
export type MarkedElements = {
  readonly breadcrumbs: PageElement[];
  readonly dated: Readonly<Record<DateHint, PageElement[]>>;
  readonly bylines: PageElement[];
  /** Links to all pages with a tag. */
  readonly tags: PageElement[];
};

/** Elements of each hint: those behind are of lists and comments. */
const MAX_DATED = 150;
const BREADCRUMB = /bread-?crumb/i;
const BYLINE = /(?:^|[\s_-])(?:byline|author|authors|writer|posted-?by|written-?by)(?:$|[\s_-])|\bbyline|author-?name/i;
const NAMED =
  /\b(?:entry-date|published|post-date|date-published|article-date|pubdate|dateline|publish-date|published-date|datepublished)\b/i;
const HINTED =
  /date|time|publish|posted|byline|meta|submitted|info|author|datum|fecha|autor|stand|details|subline|kicker|veröff/i;
const DATE_PROPERTY =
  /(?:^|[\s:/])date(?:Published|Created|Modified|)(?:$|\s)|(?:^|\s)(?:dc|dcterms):(?:date|issued|created|modified)/i;
/** Their classes are about the whole page. */
const WHOLE_PAGE = new Set(['html', 'body', 'main', 'article', 'section']);

export function noMarkedElements(): MarkedElements {
  return { breadcrumbs: [], dated: { property: [], time: [], named: [], hinted: [] }, bylines: [], tags: [] };
}

/** Adds an element to the lists that it belongs to. */
export function markElement(lists: MarkedElements, element: PageElement): void {
  const { attributes, name } = element;
  const words = wordsOf(element);
  const property = attributes['itemprop'] ?? attributes['property'] ?? '';
  const label = attributes['aria-label'] ?? '';
  if ((words !== '' || label !== '') && BREADCRUMB.test(`${words} ${label}`)) lists.breadcrumbs.push(element);
  const hint = WHOLE_PAGE.has(name) ? undefined : hintOf(element, words, property);
  if (hint !== undefined && lists.dated[hint].length < MAX_DATED) lists.dated[hint].push(element);
  const relations = attributes['rel'] ?? '';
  if (/\btag\b/.test(relations)) lists.tags.push(element);
  const isAuthor = /\bauthor\b/.test(relations) || /\bauthor$/.test(property) || BYLINE.test(words);
  if (isAuthor && !WHOLE_PAGE.has(name) && name !== 'meta' && name !== 'link') lists.bylines.push(element);
}

function hintOf({ name, attributes }: PageElement, words: string, property: string): DateHint | undefined {
  if (property !== '' && DATE_PROPERTY.test(property)) return 'property';
  if (name === 'time') return 'pubdate' in attributes ? 'property' : 'time';
  if (name === 'meta' || name === 'link' || words === '') return undefined;
  if (NAMED.test(words)) return 'named';
  return HINTED.test(words) ? 'hinted' : undefined;
}

function wordsOf({ attributes }: PageElement): string {
  const [own = '', id = ''] = [attributes['class'], attributes['id']];
  return own === '' || id === '' ? own + id : `${own} ${id}`;
}
