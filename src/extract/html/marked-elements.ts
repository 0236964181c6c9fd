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

export type ElementMarker = { readonly lists: MarkedElements; readonly mark: (element: PageElement) => void };

/** Adds elements to the lists that they belong to. Classes repeat on a page, so that each is read once. */
export function createElementMarker(): ElementMarker {
  const dated = { property: [], time: [], named: [], hinted: [] };
  const lists: MarkedElements = { breadcrumbs: [], dated, bylines: [], tags: [] };
  const known = new Map<string, WordMeaning>();
  const meaningOf = (words: string) => {
    const meaning = known.get(words) ?? readWords(words);
    if (known.size < MAX_KNOWN_WORDS) known.set(words, meaning);
    return meaning;
  };
  return { lists, mark: (element) => markElement(lists, element, meaningOf(wordsOf(element))) };
}

const MAX_KNOWN_WORDS = 5_000;

/** What class and id of an element say. */
type WordMeaning = {
  readonly isBreadcrumb: boolean;
  readonly hint: 'named' | 'hinted' | undefined;
  readonly isByline: boolean;
};

const NO_MEANING: WordMeaning = { isBreadcrumb: false, hint: undefined, isByline: false };

function readWords(words: string): WordMeaning {
  if (words === '') return NO_MEANING;
  const hint = NAMED.test(words) ? 'named' : HINTED.test(words) ? 'hinted' : undefined;
  return { isBreadcrumb: BREADCRUMB.test(words), hint, isByline: BYLINE.test(words) };
}

function markElement(lists: MarkedElements, element: PageElement, words: WordMeaning): void {
  const { attributes, name } = element;
  const label = attributes['aria-label'];
  if (words.isBreadcrumb || (label !== undefined && BREADCRUMB.test(label))) lists.breadcrumbs.push(element);
  const relations = attributes['rel'];
  if (relations !== undefined && /\btag\b/.test(relations)) lists.tags.push(element);
  if (WHOLE_PAGE.has(name)) return;
  const property = attributes['itemprop'] ?? attributes['property'];
  const hint = hintOf(element, words, property);
  if (hint !== undefined && lists.dated[hint].length < MAX_DATED) lists.dated[hint].push(element);
  if (name === 'meta' || name === 'link') return;
  const isAuthor = words.isByline || /\bauthor$/.test(property ?? '') || /\bauthor\b/.test(relations ?? '');
  if (isAuthor) lists.bylines.push(element);
}

function hintOf(
  { name, attributes }: PageElement,
  words: WordMeaning,
  property: string | undefined,
): DateHint | undefined {
  if (property !== undefined && DATE_PROPERTY.test(property)) return 'property';
  if (name === 'time') return 'pubdate' in attributes ? 'property' : 'time';
  return name === 'meta' || name === 'link' ? undefined : words.hint;
}

function wordsOf({ attributes }: PageElement): string {
  const [own = '', id = ''] = [attributes['class'], attributes['id']];
  return own === '' || id === '' ? own + id : `${own} ${id}`;
}
