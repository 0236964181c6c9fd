import { ATTRIBUTE_BITS, mayHave } from './attribute-bits.ts';
import { isThread } from './blocks.ts';
import { hasFieldAttribute } from './field-attributes.ts';
import { ignoresText } from './index-directives.ts';
import { createMarkupReader } from './item-markup.ts';
import { createElementMarker, type MarkedElements } from './marked-elements.ts';
import { NOT_TEXT, type PageElement, type PageTree, textOf, walkTree } from './page-tree.ts';
import { isStateScript } from './state-json.ts';
import type { DataItem } from './structured-data.ts';

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
  /** Scripts that hold the state of an application. */
  readonly states: readonly string[];
  /** All scripts that stand in the page. */
  readonly scripts: readonly string[];
  /** Classes and ids of `html` and `body`: themes name the kind of the page there. */
  readonly pageNames: string;
  readonly h1: readonly PageElement[];
  readonly marked: MarkedElements;
  readonly images: readonly PageElement[];
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
      if (hasFieldAttribute(element)) facts.fieldMarks.push(element);
      if (!NOT_TEXT.has(name)) marker.mark(element);
      markup.enter(element);
      return undefined;
    },
  });
  return { ...facts, markup: markup.items, marked: marker.lists };
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
