import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { ATTRIBUTE_BITS, FIELD_ATTRIBUTE, mayHave } from './attribute-bits.ts';
import { isStateScript } from './fallback-extraction.ts';
import { shownAmount, shownNumber, shownRating } from './fields/page-numbers.ts';
import { ignoresText, META_PREFIX } from './index-directives.ts';
import { createElementMarker, type MarkedElements } from './marked-elements.ts';
import { isThread, NOT_TEXT, type PageElement, type PageTree, textOf, walkTree } from './page-tree.ts';
import { type DataItem, type JsonValue, LISTING_MEMBERS, shortType } from './structured-data.ts';

/** What one walk over the tree collects for title, dates, links and the rest. Elements are in document order. */
export type PageFacts = {
  /** URL that relative ones are resolved against. */
  readonly base: string;
  readonly declaredLanguage: string;
  /** First `<title>` outside of SVG. */
  readonly title: string;
  /** Lower-case `name`, `property`, `itemprop` or `http-equiv` → contents. */
  readonly metas: ReadonlyMap<string, readonly string[]>;
  readonly links: readonly PageElement[];
  readonly jsonLd: readonly string[];
  /** Items of microdata and RDFa. */
  readonly markup: readonly DataItem[];
  /** Properties of markup that stand in no item: name → values. */
  readonly unscoped: ReadonlyMap<string, readonly string[]>;
  /** Scripts that hold the state of an application. */
  readonly states: readonly string[];
  /** All scripts that stand in the page. */
  readonly scripts: readonly string[];
  /** Classes and ids of `html` and `body`: themes name the kind of the page there. */
  readonly pageNames: string;
  readonly h1: readonly PageElement[];
  readonly marked: MarkedElements;
  readonly images: readonly PageElement[];
  /** Elements with an id that are read. */
  readonly identified: readonly PageElement[];
  /** `dt`: terms of lists of definitions. */
  readonly terms: readonly PageElement[];
  /** Elements that fill a field by a mark. */
  readonly fieldMarks: readonly PageElement[];
  /** `a`, `area`, frames, in document order. */
  readonly anchors: readonly PageElement[];
  readonly scriptChars: number;
  /** Scripts with an address of their own. */
  readonly linkedScripts: number;
  /** The page has an element that scripts fill, and it holds nothing, or a word of patience. */
  readonly hasEmptyRoot: boolean;
  readonly asksPassword: boolean;
  /** What the page says when scripts are off. */
  readonly noscript: string;
};

const MAX_TITLE_CHARS = 1_000;
/** Ids that application frameworks give to the element that they fill. */
const APP_ROOTS = new Set(['root', 'app', '__next', '__nuxt', '___gatsby', 'svelte', 'q-app', 'app-root', 'main-app']);
/** `Loading, please wait …` */
const MAX_LOADING_TEXT_CHARS = 40;

/** Links, directives and what a page is, not what it says. */
const READ_WHEN_IGNORED = new Set('a area iframe frame link base html meta input'.split(' '));

/** Not read in `noscript`: a page says these to all. */
const ABOUT_PAGE = new Set('base html link meta title'.split(' '));

/** Facts of an empty page, to be filled. */
function noFacts(url: string) {
  return {
    base: url,
    declaredLanguage: '',
    title: '',
    metas: new Map<string, string[]>(),
    links: [] as PageElement[],
    jsonLd: [] as string[],
    states: [] as string[],
    scripts: [] as string[],
    pageNames: '',
    h1: [] as PageElement[],
    images: [] as PageElement[],
    identified: [] as PageElement[],
    terms: [] as PageElement[],
    fieldMarks: [] as PageElement[],
    anchors: [] as PageElement[],
    scriptChars: 0,
    linkedScripts: 0,
    hasEmptyRoot: false,
    asksPassword: false,
    noscript: '',
  };
}

export function collectFacts(tree: PageTree, url: string): PageFacts {
  const facts = noFacts(url);
  const markup = createMarkupReader();
  const marker = createElementMarker();
  let hasBase = false;
  const readers = new Map<string, (element: PageElement) => void>(
    Object.entries({
      html: (element) => {
        facts.declaredLanguage ||= element.attributes['lang'] ?? element.attributes['xml:lang'] ?? '';
        addPageNames(facts, element);
      },
      body: (element) => addPageNames(facts, element),
      base: ({ attributes }) => {
        const base = URL.parse(attributes['href'] ?? '', url);
        if (base !== null && /^https?:$/.test(base.protocol) && attributes['href'] !== undefined && !hasBase) {
          facts.base = base.href;
          hasBase = true;
        }
      },
      title: (element) => {
        facts.title ||= textOf(element).slice(0, MAX_TITLE_CHARS);
      },
      meta: (element) => addMeta(facts.metas, element),
      link: (element) => facts.links.push(element),
      script: (element) => {
        const text = textWithin(element);
        facts.scriptChars += text.length;
        if (text !== '') facts.scripts.push(text);
        if (element.attributes['src'] !== undefined) facts.linkedScripts++;
        if (element.attributes['type']?.toLowerCase().startsWith('application/ld+json')) facts.jsonLd.push(text);
        else if (isStateScript(element.attributes, text)) facts.states.push(text);
      },
      h1: (element) => facts.h1.push(element),
      input: ({ attributes }) => {
        facts.asksPassword ||= attributes['type']?.trim().toLowerCase() === 'password';
      },
      img: (element) => facts.images.push(element),
      dt: (element) => facts.terms.push(element),
      a: (element) => facts.anchors.push(element),
      area: (element) => facts.anchors.push(element),
      iframe: (element) => facts.anchors.push(element),
      frame: (element) => facts.anchors.push(element),
    }),
  );
  const open: OpenRegions = { ignored: 0, noscript: 0 };
  walkTree(tree.root, {
    exit: (element) => {
      if (open.noscript > 0) open.noscript--;
      if (open.ignored > 0) open.ignored--;
      else markup.exit(element);
    },
    enter: (element) => {
      const { name } = element;
      if (name === 'noscript') facts.noscript += `${textOf(element)} `;
      facts.hasEmptyRoot ||= isEmptyRoot(element);
      if (isUnread(element)) return false;
      openRegions(open, element);
      if (isWanted(name, open)) readers.get(name)?.(element);
      if (open.ignored > 0) return undefined;
      if (mayHave(element, ATTRIBUTE_BITS.id)) facts.identified.push(element);
      if (hasFieldAttribute(element)) facts.fieldMarks.push(element);
      if (!NOT_TEXT.has(name)) marker.mark(element);
      markup.enter(element);
      return undefined;
    },
  });
  return { ...facts, markup: markup.items, unscoped: markup.unscoped, marked: marker.lists };
}

/** Of a script: the parser may give it in pieces. */
function textWithin({ children }: PageElement): string {
  const [only] = children;
  if (children.length === 1 && typeof only === 'string') return only;
  return children.filter((child) => typeof child === 'string').join('');
}

/** What a page says when scripts are off counts when it is the page's text. */
function isUnread(element: PageElement): boolean {
  return element.name === 'template' || element.name === 'svg' || (element.name === 'noscript' && !isThread(element));
}

/** Open elements from the outermost one on that gives no text, and from the one that stands in for scripts. */
type OpenRegions = { ignored: number; noscript: number };

function openRegions(open: OpenRegions, element: PageElement): void {
  if (open.noscript > 0 || element.name === 'noscript') open.noscript++;
  if (open.ignored > 0 || ignoresText(element)) open.ignored++;
}

function isWanted(name: string, { ignored, noscript }: Readonly<OpenRegions>): boolean {
  if (ignored > 0 && !READ_WHEN_IGNORED.has(name)) return false;
  return noscript === 0 || !ABOUT_PAGE.has(name);
}

function addPageNames(facts: { pageNames: string }, { attributes }: PageElement): void {
  facts.pageNames += `${attributes['class'] ?? ''} ${attributes['id'] ?? ''} `;
}

function isEmptyRoot(element: PageElement): boolean {
  const { name, attributes } = element;
  const isRoot =
    (mayHave(element, ATTRIBUTE_BITS.id) && APP_ROOTS.has(attributes['id'] ?? '')) ||
    name === 'app-root' ||
    name === 'main' ||
    mayHave(element, ATTRIBUTE_BITS.appRoot);
  return isRoot && textOf(element, MAX_LOADING_TEXT_CHARS * 2).length <= MAX_LOADING_TEXT_CHARS;
}

/** First content of the first name that has one, `''` without. */
export function metaOf(facts: PageFacts, ...names: readonly string[]): string {
  for (const name of names) {
    const content = facts.metas.get(name)?.find((value) => value !== '');
    if (content !== undefined) return content;
  }
  return '';
}

function addMeta(metas: Map<string, string[]>, { attributes }: PageElement): void {
  const content = attributes['content']?.trim();
  if (content === undefined) return;
  const names = ['name', 'property', 'itemprop', 'http-equiv'].map((name) => attributes[name]?.trim().toLowerCase());
  for (const name of new Set(names)) {
    if (name === undefined || name === '') continue;
    const known = metas.get(name);
    if (known === undefined) metas.set(name, [content]);
    else known.push(content);
  }
}

/** Names that a page cannot give to itself: what they say is known from elsewhere. */
const RESERVED = new Set(['Id', '_type', 'Url', 'Domain', 'fc_Title', 'fc_Content']);
const MAX_NAME_CHARS = 256;
const MAX_FIELDS = 200;
const MAX_VALUES = 200;

function hasFieldAttribute(element: PageElement): boolean {
  const { name, attributes } = element;
  if (mayHave(element, ATTRIBUTE_BITS.field)) return true;
  return name === 'meta' && attributes['name']?.trim().toLowerCase().startsWith(META_PREFIX) === true;
}

/** A value of a field, and whether an attribute says it to machines or the text to people. */
export type MarkedValue = { readonly text: string; readonly writtenFor: 'machines' | 'people' };

/** Fields that the page names by marks: name → values in document order. `elements` are those that have a mark. */
export function readFieldAttributes(elements: readonly PageElement[]): ReadonlyMap<string, readonly MarkedValue[]> {
  const fields = new Map<string, MarkedValue[]>();
  for (const element of elements) {
    const name = fieldName(element);
    const value = markedValue(element);
    if (name === '' || [...name].length > MAX_NAME_CHARS || RESERVED.has(name) || value.text === '') continue;
    const values = fields.get(name);
    if (values === undefined && fields.size < MAX_FIELDS) fields.set(name, [value]);
    else if (values !== undefined && values.length < MAX_VALUES && !values.some(({ text }) => text === value.text))
      values.push(value);
  }
  return fields;
}

function fieldName({ attributes }: PageElement): string {
  const own = attributes[FIELD_ATTRIBUTE];
  return (own ?? attributes['name']?.trim().slice(META_PREFIX.length) ?? '').trim();
}

/** What the element says in an attribute for machines, else its text. */
function markedValue(element: PageElement): MarkedValue {
  const { content, datetime, value } = element.attributes;
  const attribute = (content ?? datetime ?? value)?.trim() ?? '';
  const text = (attribute || textOf(element)).slice(0, EXTRACT_LIMITS.fieldValueChars);
  return { text, writtenFor: attribute === '' ? 'people' : 'machines' };
}

/** Takes the elements of a tree in document order; `items` are complete when the walk is over. */
export type MarkupReader = {
  readonly enter: (element: PageElement) => void;
  readonly exit: (element: PageElement) => void;
  readonly items: readonly DataItem[];
  /** Properties outside of an item: name → values. */
  readonly unscoped: ReadonlyMap<string, readonly string[]>;
};

type OpenItem = {
  readonly element: PageElement;
  readonly data: Record<string, JsonValue[]>;
  readonly isListed: boolean;
};

/** Text of a property that is kept: names and dates are short, bodies are text of the page anyway. */
const VALUE_CHARS = 1_000;
/** Prefixes that name the vocabulary of a property: `schema:name`, `v:title`. */
const PREFIX = /^[a-z]{1,10}:/i;

/**
 * Reads microdata and RDFa Lite: items as JSON-LD would hold them, members always lists. Properties of Open Graph are
 * nobody's.
 */
export function createMarkupReader(): MarkupReader {
  const items: DataItem[] = [];
  const open: OpenItem[] = [];
  const unscoped = new Map<string, string[]>();
  let values = 0;
  return {
    items,
    unscoped,
    enter(element) {
      if (!mayHave(element, ATTRIBUTE_BITS.item | ATTRIBUTE_BITS.property)) return;
      const own = newItem(element);
      const parent = open.at(-1);
      const names = propertiesOf(element, parent !== undefined);
      if (values >= EXTRACT_LIMITS.jsonLdValues) return;
      if (parent !== undefined && names.length > 0) {
        values += names.length;
        addValues(parent.data, names, propertyReader(element, own));
      } else if (own === undefined) {
        values += names.length;
        addUnscoped(unscoped, names, propertyReader(element, own));
      }
      if (own === undefined || open.length >= EXTRACT_LIMITS.jsonLdDepth) return;
      const isListed = parent?.isListed === true || names.some((name) => LISTING_MEMBERS.has(name));
      const item = itemOf(element, own);
      if (item !== undefined) items.push({ ...item, isListed });
      open.push({ element, data: own, isListed });
    },
    exit(element) {
      if (open.at(-1)?.element === element) open.pop();
    },
  };
}

function newItem({ attributes }: PageElement): Record<string, JsonValue[]> | undefined {
  if (!('itemscope' in attributes || 'typeof' in attributes)) return undefined;
  const address = attributes['itemid'] ?? attributes['resource'] ?? attributes['href'];
  return address === undefined ? {} : { '@id': [address] };
}

function addValues(
  parent: Record<string, JsonValue[]>,
  names: readonly string[],
  readProperty: (name: string) => JsonValue,
): void {
  for (const name of names) {
    parent[name] ??= [];
    parent[name].push(readProperty(name));
  }
}

function addUnscoped(
  unscoped: Map<string, string[]>,
  names: readonly string[],
  readProperty: (name: string) => JsonValue,
): void {
  for (const name of names) {
    const value = readProperty(name);
    const known = unscoped.get(name);
    if (typeof value !== 'string' || value === '') continue;
    if (known === undefined) unscoped.set(name, [value]);
    else known.push(value);
  }
}

/** Undefined without a type: then it is a part of the item around it. */
function itemOf(
  { attributes }: PageElement,
  data: Record<string, JsonValue[]>,
): Omit<DataItem, 'isListed'> | undefined {
  const types = (attributes['itemtype'] ?? attributes['typeof'] ?? '').split(/\s+/).filter((type) => type !== '');
  if (types.length === 0) return undefined;
  const from = 'itemscope' in attributes ? 'microdata' : 'rdfa';
  return { types: types.map((type) => shortType(type).replace(PREFIX, '')), data, from };
}

function propertiesOf({ name, attributes }: PageElement, isInItem: boolean): readonly string[] {
  const { property } = attributes;
  // Metas of Open Graph and the like name their properties in the same attribute.
  const isForeign = name === 'meta' && (!isInItem || property?.includes(':') === true);
  const text = attributes['itemprop'] ?? (isForeign ? undefined : property);
  if (text === undefined) return [];
  return text
    .split(/\s+/)
    .filter((property) => property !== '')
    .map((property) => shortType(property).replace(PREFIX, ''));
}

/** How texts are read that stand for numbers: items hold numbers as machines write them. */
const NUMBER_READERS: ReadonlyMap<string, (text: string) => string> = new Map([
  ...['price', 'lowPrice', 'highPrice'].map((name) => [name, shownAmount] as const),
  ...['ratingCount', 'reviewCount'].map((name) => [name, (text: string) => shownNumber(text)] as const),
  ...['ratingValue', 'bestRating', 'worstRating'].map((name) => [name, shownRating] as const),
]);

/** The value of an element for each property that it has: the item that it is, else what it says. */
function propertyReader(element: PageElement, item: JsonValue | undefined): (property: string) => JsonValue {
  if (item !== undefined) return () => item;
  const stated = statedValue(element);
  if (stated !== undefined) return () => stated;
  const text = textOf(element, VALUE_CHARS) || (element.attributes['href'] ?? '');
  return (property) => NUMBER_READERS.get(property)?.(text) || text;
}

/** What an attribute says to machines in place of the text. */
function statedValue({ name, attributes }: PageElement): string | undefined {
  const content = attributes['content'] ?? (name === 'time' ? attributes['datetime'] : undefined);
  if (content !== undefined) return content;
  if (name === 'img' || name === 'iframe' || name === 'source') return attributes['src'] ?? '';
  if (name === 'link' || name === 'area') return attributes['href'] ?? '';
  return name === 'data' || name === 'meter' ? attributes['value'] : undefined;
}
