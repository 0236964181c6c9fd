import { countWords } from '../../word-characters.ts';
import { metaOf, type PageFacts } from '../page-facts.ts';
import {
  firstElement,
  foldText,
  isWithin,
  NOT_TEXT,
  nodesAfter,
  type PageElement,
  type PageNode,
  textOf,
  walkTree,
} from '../page-tree.ts';
import { type DataItem, isOfType } from '../structured-data.ts';
import { visibilityOf } from '../visibility.ts';
import { isBuyControl } from './buy-control.ts';
import { machineNumber } from './page-numbers.ts';
import { mentionsPrice, type PriceText, readPrices } from './price-texts.ts';

/** A price that no item of data states. */
export type ShownPrice = {
  readonly number: string;
  /** ISO 4217, `''` when the page leaves it open. */
  readonly currency: string;
  /** A property outside of any item, or text between the heading of the page and the button that buys. */
  readonly source: 'itemprop' | 'shown';
};

/** Pages about something else, or about several things. */
const NO_PRODUCT =
  /^(?:(?:News|Tech|Scholarly)?Article|BlogPosting|LiveBlogPosting|Recipe|.*Event|JobPosting|FAQPage|QAPage|ItemList|OfferCatalog|CollectionPage|SearchResultsPage|DiscussionForumPosting)$/;
const OTHER_PAGE = /^(?:article|blog|product\.group|video|profile)/i;

/** Of a page with one main heading that is no article and no list; undefined where anything else could be meant. */
export function shownPrice(facts: PageFacts, items: readonly DataItem[]): ShownPrice | undefined {
  const [heading, ...more] = facts.h1;
  if (heading === undefined || more.length > 0) return undefined;
  if (OTHER_PAGE.test(metaOf(facts, 'og:type')) || metaOf(facts, 'article:published_time') !== '') return undefined;
  if (items.some((item) => !item.isListed && isOfType(item, NO_PRODUCT))) return undefined;
  return unscopedPrice(facts) ?? priceBesideHeading(heading, facts.declaredLanguage);
}

function unscopedPrice({ unscoped }: PageFacts): ShownPrice | undefined {
  const [price = '', ...others] = unscoped.get('price') ?? [];
  const number = machineNumber(price);
  if (others.length > 0 || number === '') return undefined;
  const [currency = '', ...currencies] = new Set(unscoped.get('priceCurrency'));
  return { number, currency: currencies.length > 0 ? '' : currency.toUpperCase(), source: 'itemprop' };
}

function priceBesideHeading(heading: PageElement, language: string): ShownPrice | undefined {
  const { runs, control } = readToControl(heading);
  if (control === undefined) return undefined;
  const prices = runs.flatMap(({ text, element }) =>
    readPrices(text, language).map((price): Found => ({ ...price, element })),
  );
  const named = prices.filter(({ isPresent }) => isPresent);
  const taxed = named.filter(({ isWithoutTax }) => !isWithoutTax);
  const present = taxed.length > 0 ? taxed : named;
  const [price] = present;
  if (price === undefined || present.some(({ number }) => number !== price.number)) return undefined;
  if (new Set(prices.map(({ sign }) => sign)).size > 1) return undefined;
  const around = elementsAround(heading);
  if (present.some(({ element }) => isOfCard(element, control, around)) || isOneOfSeveral(control, around))
    return undefined;
  return { number: price.number, currency: price.currency, source: 'shown' };
}

type Found = PriceText & { readonly element: PageElement };

/** Inline text between borders of blocks, and the block that holds it. */
type Run = { readonly text: string; readonly element: PageElement };

/** What a reader sees from the heading to the first button that buys; without `control` there is none nearby. */
type Approach = { readonly runs: readonly Run[]; readonly control: PageElement | undefined };

/** Between heading and button stand a few lines; behind so many words it buys something else. */
const MAX_WORDS = 150;
const INLINE = new Set(
  'a abbr b bdi bdo cite code data em font i img ins label mark q small span strong sub sup time u var wbr'.split(' '),
);
const UNREAD = new Set('select option datalist nav aside footer dialog button'.split(' '));
/** A price that counts no more. */
const CROSSED_OUT = new Set(['del', 's', 'strike']);
const FORMER_NAME =
  /(?:^|[\s_-])(?:old|was|previous|former|compare|strike\w{0,10}|crossed\w{0,10}|rrp|msrp|uvp)(?:$|[\s_-])|line-through/i;
const LINE_THROUGH = /text-decoration[^;]{0,40}line-through/i;
const HEADING = /^h[2-6]$/;
const CONTROLLED: ReadonlySet<string> = new Set();

function readToControl(heading: PageElement): Approach {
  const runs: Run[] = [];
  let control: PageElement | undefined;
  let words = 0;
  let isOther = false;
  let text = '';
  let holder = heading;
  let isBorder = false;
  const flush = () => {
    const folded = foldText(text);
    if (folded !== '') runs.push({ text: folded, element: holder });
    text = '';
  };
  const isDone = () => isOther || control !== undefined || words > MAX_WORDS;
  const addText = (part: string, parent: PageElement) => {
    if (text.trim() === '') holder = parent;
    text += isBorder ? borderBetween(text, part, parent) : '';
    isBorder = false;
    text += part;
    words += countWords(part);
  };
  const enter = (element: PageElement) => {
    if (isBuyControl(element) && isSeen(element)) {
      control = element;
      return false;
    }
    const { name } = element;
    if (name === 'br' || !INLINE.has(name)) flush();
    isBorder = true;
    if (NOT_TEXT.has(name) || UNREAD.has(name) || isFormer(element) || !isSeen(element)) return false;
    // What has a heading of its own is another thing, but for one right below that of the page.
    isOther ||= HEADING.test(name) && element !== subheading && !mentionsPrice(textOf(element));
    return undefined;
  };
  const exit = ({ name }: PageElement) => {
    if (!INLINE.has(name)) flush();
    isBorder = true;
  };
  const subheading = firstElement(nodesAfter(heading));
  let beside = heading.parent;
  for (const { node, parent } of nodesBehind(heading)) {
    if (isDone()) break;
    if (parent !== beside) flush();
    beside = parent;
    if (typeof node === 'string') addText(node, parent);
    else walkTree(node, { enter, text: addText, exit, isDone });
  }
  flush();
  return { runs, control: isOther || words > MAX_WORDS ? undefined : control };
}

/** Digits of two elements are no number, but for decimals that are set high; words of two elements are two words. */
function borderBetween(before: string, behind: string, { name }: PageElement): string {
  if (/\d$/.test(before) && /^\d/.test(behind)) return name === 'sup' ? '.' : '|';
  return /\p{L}[.,]$/u.test(before) || (/\p{L}$/u.test(before) && /^\p{L}/u.test(behind)) ? ' ' : '';
}

/** In document order, down to none: those beside the element, then those beside each element around it. */
function* nodesBehind(element: PageElement): Generator<{ readonly node: PageNode; readonly parent: PageElement }> {
  for (let inner = element, parent = element.parent; parent !== undefined; inner = parent, parent = parent.parent) {
    for (let at = parent.children.indexOf(inner) + 1; at < parent.children.length; at++) {
      const node = parent.children[at];
      if (node !== undefined) yield { node, parent };
    }
  }
}

function isSeen(element: PageElement): boolean {
  return visibilityOf(element, 'visible', CONTROLLED) === 'visible';
}

function isFormer({ name, attributes }: PageElement): boolean {
  return (
    CROSSED_OUT.has(name) || FORMER_NAME.test(attributes['class'] ?? '') || LINE_THROUGH.test(attributes['style'] ?? '')
  );
}

function elementsAround(element: PageElement): ReadonlySet<PageElement> {
  const around = new Set<PageElement>();
  for (let at = element.parent; at !== undefined; at = at.parent) around.add(at);
  return around;
}

/** From an element up to below the first that also holds the heading. */
function pathBelow(element: PageElement, around: ReadonlySet<PageElement>): readonly PageElement[] {
  const path: PageElement[] = [];
  for (let at: PageElement | undefined = element; at !== undefined && !around.has(at); at = at.parent) path.push(at);
  return path;
}

/** An entry of a list that has the button, too, or a box with a link to the page of the thing before its price. */
function isOfCard(price: PageElement, control: PageElement, around: ReadonlySet<PageElement>): boolean {
  const path = pathBelow(price, around);
  if (path.some((element) => isEntry(element) && isWithin(control, element.parent ?? element))) return true;
  const box = path.at(-1);
  if (box === undefined || !isWithin(control, box)) return false;
  let isLinked = false;
  let isReached = false;
  walkTree(box, {
    isDone: () => isLinked || isReached,
    enter: (element) => {
      isReached ||= element === price && element !== box;
      isLinked ||= !isReached && isLinkElsewhere(element);
      return undefined;
    },
  });
  return isLinked;
}

function isEntry({ name }: PageElement): boolean {
  return name === 'li' || name === 'article';
}

function isLinkElsewhere(element: PageElement): boolean {
  const { name, attributes } = element;
  const href = attributes['href']?.trim() ?? '';
  return name === 'a' && href !== '' && !href.startsWith('#') && textOf(element, 1) !== '';
}

/** Elements beside the button, or beside one around it, sell more things at prices of their own. */
function isOneOfSeveral(control: PageElement, around: ReadonlySet<PageElement>): boolean {
  return pathBelow(control, around).some((element) => {
    const beside = element.parent?.children ?? [];
    let hasPrice = false;
    for (let at = beside.indexOf(element) + 1; at < beside.length; at++) {
      const node = beside[at];
      if (node === undefined) continue;
      hasPrice ||= mentionsPrice(typeof node === 'string' ? node : textOf(node, MAX_CARD_CHARS));
      if (hasPrice && typeof node !== 'string' && node.name === element.name && holdsControl(node)) return true;
    }
    return false;
  });
}

/** Beginning of a card: its name and price. */
const MAX_CARD_CHARS = 300;

function holdsControl(element: PageElement): boolean {
  let isFound = false;
  walkTree(element, {
    isDone: () => isFound,
    enter: (inner) => {
      isFound ||= isBuyControl(inner);
      return undefined;
    },
  });
  return isFound;
}
