import { ATTRIBUTE_BITS, attributeOf, mayHave } from './attribute-bits.ts';
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
/** Also as systems of other languages say it: TYPO3 has a `rootline`. */
const BREADCRUMB =
  /bread-?crumb|rootline|brotkrume|(?:fil-?(?:d-?)?|\b)ariane\b|kruimelpad|you-?are-?here|sie-?sind-?hier/i;
const BYLINE = /(?:^|[\s_-])(?:byline|author|authors|writer|posted-?by|written-?by)(?:$|[\s_-])|\bbyline|author-?name/i;
const NAMED =
  /\b(?:entry-date|published|post-date|date-published|article-date|pubdate|dateline|publish-date|published-date|datepublished)\b/i;
const HINTED =
  /date|time|publish|posted|byline|meta|submitted|info|author|datum|fecha|autor|stand|details|subline|kicker|veröff/i;
/** What is in all of the three above and in `BREADCRUMB`. */
const HAS_MARKER =
  /crumb|rootline|krume|ariane|kruimel|here|hier|date|time|publish|posted|byline|meta|submitted|info|author|datum|fecha|autor|stand|details|subline|kicker|veröff|writ/i;
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
  const meaningOf = (words: string | undefined) => {
    if (words === undefined || words === '') return NO_MEANING;
    const found = known.get(words);
    if (found !== undefined) return found;
    const meaning = readWords(words);
    if (known.size < MAX_KNOWN_WORDS) known.set(words, meaning);
    return meaning;
  };
  const mark = (element: PageElement) => {
    if (!mayHave(element, MARKING) && element.name !== 'time') return;
    const { class: own, id } = element.attributes;
    markElement(lists, element, joined(meaningOf(own), meaningOf(id)));
  };
  return { lists, mark };
}

/** Attributes without which only `time` is marked. */
const MARKING =
  ATTRIBUTE_BITS.class | ATTRIBUTE_BITS.id | ATTRIBUTE_BITS.label | ATTRIBUTE_BITS.relation | ATTRIBUTE_BITS.property;
const MAX_KNOWN_WORDS = 5_000;

/** What class and id of an element say. */
type WordMeaning = {
  readonly isBreadcrumb: boolean;
  readonly hint: 'named' | 'hinted' | undefined;
  readonly isByline: boolean;
};

const NO_MEANING: WordMeaning = { isBreadcrumb: false, hint: undefined, isByline: false };

/** No word reaches over the blank between class and id. */
function joined(own: WordMeaning, other: WordMeaning): WordMeaning {
  if (other === NO_MEANING) return own;
  if (own === NO_MEANING) return other;
  const hint = own.hint === 'named' || other.hint === 'named' ? 'named' : (own.hint ?? other.hint);
  return {
    isBreadcrumb: own.isBreadcrumb || other.isBreadcrumb,
    hint,
    isByline: own.isByline || other.isByline,
  };
}

function readWords(words: string): WordMeaning {
  if (!HAS_MARKER.test(words)) return NO_MEANING;
  const hint = NAMED.test(words) ? 'named' : HINTED.test(words) ? 'hinted' : undefined;
  return { isBreadcrumb: BREADCRUMB.test(words), hint, isByline: BYLINE.test(words) };
}

function markElement(lists: MarkedElements, element: PageElement, words: WordMeaning): void {
  const { name } = element;
  const label = attributeOf(element, 'aria-label', ATTRIBUTE_BITS.label);
  if (words.isBreadcrumb || (label !== undefined && BREADCRUMB.test(label))) lists.breadcrumbs.push(element);
  const relations = attributeOf(element, 'rel', ATTRIBUTE_BITS.relation);
  if (relations !== undefined && /\btag\b/.test(relations)) lists.tags.push(element);
  if (WHOLE_PAGE.has(name)) return;
  const property =
    attributeOf(element, 'itemprop', ATTRIBUTE_BITS.property) ??
    attributeOf(element, 'property', ATTRIBUTE_BITS.property);
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
