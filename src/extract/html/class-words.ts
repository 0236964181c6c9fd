import { ATTRIBUTE_BITS, mayHave } from './attribute-bits.ts';
import type { PageElement } from './page-tree.ts';

/**
 * What names of classes, ids, roles and properties say about a region, as words for `wordFinder`. The order is that of
 * the model's features.
 */
const WORDS = {
  nav: '<nav <menu <megamenu <topbar <toolbar <skip',
  breadcrumb: 'crumb',
  side: 'sidebar side-bar <side> <rightcol <right-col <leftcol <left-col <rail aside secondary',
  foot: 'foot',
  head: 'header masthead topnav <top>',
  related:
    'related recommend similar more- also- readnext read-next suggest popular trending latest recent you-may upsell ' +
    'crosssell cross-sell',
  share: 'share social facebook twitter pinterest whatsapp',
  comment: 'comment disqus respond',
  cookie: 'cookie consent gdpr privacy onetrust',
  advert: '<ad> <ads> advert sponsor promo banner dfp outbrain taboola',
  newsletter: 'newsletter subscri signup sign-up optin opt-in mailchimp cta call-to',
  modal: 'modal popup overlay dialog lightbox drawer offcanvas off-canvas toast',
  login: 'login log-in signin register account cart basket checkout wishlist',
  search: 'search filter facet sort refine',
  pages: 'pagina pager <page> <pages> loadmore load-more',
  tags: '<tag> <tags> label badge chip categor topic',
  meta: 'meta byline author date posted published timestamp avatar profile bio',
  hidden: 'hidden visually sr-only screen-reader hide collapse invisible d-none',
  content: 'content article post> post- entry story body text copy prose rich markdown wysiwyg rte',
  main: '<main> primary central center middle',
  product: 'product <pdp sku item- detail',
  summary: 'desc summary intro overview about lead excerpt abstract',
  price: 'price cost amount currency',
  review: 'review rating stars testimonial quote',
  spec: 'spec attribut feature param tech',
  forum: 'forum thread topic message reply replies discussion question answer <post_ postbody bbcode signature',
  card: 'card tile teaser grid list item row col> col- product-item result',
  contents: '<toc> table-of contents on-this-page outline anchor',
  faq: 'faq accordion tab> tabs panel toggle',
  hero: 'hero jumbotron headline title heading',
  code: 'code highlight snippet prettyprint',
  widget: 'widget module block plugin',
  copyright: 'copyright legal disclaimer terms imprint',
  form: 'form input field contact',
  image: 'caption gallery image media photo slider carousel swiper',
} as const;

export const CLASS_WORDS = Object.keys(WORDS);

const CHARS = 128;

const FINDER = wordFinder(Object.values(WORDS).map((words) => words.split(' ')));
/** Long lists of utility classes say little at their end. */
const MAX_CHARS = 400;
/** Attributes that are read, and how much of each. */
const NAMING: ReadonlyMap<string, number> = new Map([
  ['class', MAX_CHARS],
  ['id', MAX_CHARS],
  ['role', MAX_CHARS],
  ['data-testid', MAX_CHARS],
  ['data-component', MAX_CHARS],
  ['itemprop', MAX_CHARS],
  ['aria-label', 40],
]);

/** Those of `NAMING`. */
const NAMES =
  ATTRIBUTE_BITS.class |
  ATTRIBUTE_BITS.id |
  ATTRIBUTE_BITS.role |
  ATTRIBUTE_BITS.testName |
  ATTRIBUTE_BITS.property |
  ATTRIBUTE_BITS.label;

/** Calls `found` with positions in `CLASS_WORDS` that an element's names match, with some more than once. */
export type ReadClassWords = (element: PageElement, found: (word: number) => void) => void;

/** Equal names are searched once. */
export function classWordReader(): ReadClassWords {
  const known = new Map<string, readonly number[]>();
  const wordsOf = (name: string) => {
    let words = known.get(name);
    if (words === undefined) {
      words = findWords(FINDER, name.toLowerCase());
      known.set(name, words);
    }
    return words;
  };
  return (element, found) => {
    if (!mayHave(element, NAMES)) return;
    const { attributes } = element;
    let left = MAX_CHARS;
    for (const attribute in attributes) {
      const limit = NAMING.get(attribute);
      if (limit === undefined || left <= 0) continue;
      const name = (attributes[attribute] ?? '').slice(0, Math.min(limit, left));
      for (const word of wordsOf(name)) found(word);
      left -= name.length + 1;
    }
  };
}

/** Finds words of several groups in one pass over a text (Aho and Corasick 1975). */
export type WordFinder = {
  /** By state and character: the next state. Characters that no word has lead to the start. */
  readonly next: Uint16Array;
  /** By state: words that end there, as numbers of `words`. */
  readonly ends: readonly (readonly Word[])[];
};

type Word = {
  readonly group: number;
  readonly length: number;
  readonly startsWord: boolean;
  readonly endsWord: boolean;
};

/**
 * The groups' words are found anywhere; `<` before a word and `>` behind it ask for a border as `\b` does in expressions.
 * Words are ASCII, lower case, without blanks.
 */
export function wordFinder(groups: readonly (readonly string[])[]): WordFinder {
  const children: Map<number, number>[] = [new Map()];
  const ends: Word[][] = [[]];
  for (const [group, words] of groups.entries()) {
    for (const word of words) {
      const letters = word.replace(/^<|>$/g, '');
      const state = addLetters(children, ends, letters);
      const containers = { startsWord: word.startsWith('<'), endsWord: word.endsWith('>') };
      ends[state]?.push({ group, length: letters.length, ...containers });
    }
  }
  return linkStates(children, ends);
}

/** The state that the letters lead to. */
function addLetters(children: Map<number, number>[], ends: Word[][], letters: string): number {
  let state = 0;
  for (let at = 0; at < letters.length; at++) {
    const unit = letters.charCodeAt(at);
    let child = children[state]?.get(unit);
    if (child === undefined) {
      child = children.length;
      children[state]?.set(unit, child);
      children.push(new Map());
      ends.push([]);
    }
    state = child;
  }
  return state;
}

/** Where no child goes on, a state goes on as that of its longest proper ending does; breadth first, so that it is known. */
function linkStates(children: readonly ReadonlyMap<number, number>[], ends: Word[][]): WordFinder {
  const next = new Uint16Array(children.length * CHARS);
  const fallbacks = new Uint16Array(children.length);
  const order = [0];
  for (let at = 0; at < order.length; at++) {
    const state = order[at] ?? 0;
    const fallback = fallbacks[state] ?? 0;
    if (state !== 0) {
      next.copyWithin(state * CHARS, fallback * CHARS, (fallback + 1) * CHARS);
      ends[state]?.push(...(ends[fallback] ?? []));
    }
    for (const [unit, child] of children[state] ?? []) {
      if (state !== 0) fallbacks[child] = next[state * CHARS + unit] ?? 0;
      next[state * CHARS + unit] = child;
      order.push(child);
    }
  }
  return { next, ends };
}

/** Groups that have a word in the text, which is lower case. O(characters). */
export function findWords({ next, ends }: WordFinder, text: string): readonly number[] {
  const found: number[] = [];
  let state = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    state = unit < CHARS ? (next[state * CHARS + unit] ?? 0) : 0;
    for (const word of ends[state] ?? []) {
      if (!found.includes(word.group) && hasBorders(text, at, word)) found.push(word.group);
    }
  }
  return found;
}

/** Whether the word that ends at a place has the borders that it asks for. */
function hasBorders(text: string, at: number, { length, startsWord, endsWord }: Word): boolean {
  if (startsWord && isLetterAt(text, at - length)) return false;
  return !(endsWord && isLetterAt(text, at + 1));
}

/** What `\w` stands for in lower case. */
function isLetterAt(text: string, at: number): boolean {
  const unit = at < 0 || at >= text.length ? 0 : text.charCodeAt(at);
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f;
}
