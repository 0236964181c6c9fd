import { Parser, Tokenizer } from 'htmlparser2';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import { BLANK, INVISIBLE, kindOf } from '../word-characters.ts';
import { ATTRIBUTE_BITS, attributeOf, bitOf, IGNORE_ATTRIBUTE, VISIBILITY_ATTRIBUTE } from './attribute-bits.ts';
import {
  applyCommentDirectives,
  commentDirective,
  DEFAULT_INDEX_DIRECTIVES,
  directiveNode,
  type IndexDirectives,
  ignoresText,
} from './index-directives.ts';
import { isPermalink } from './permalinks.ts';

export type PageElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: PageNode[];
  readonly parent: PageElement | undefined;
  /** Bits of `SAYS`: attributes that it may have. */
  readonly attributeBits: number;
};
/** An element, or text with entities decoded. */
export type PageNode = PageElement | string;

export type PageTree = {
  readonly root: PageElement;
  readonly notes: readonly string[];
  /** In document order. */
  readonly tables: readonly PageElement[];
  /** Ids that controls name: what has them opens on a click. */
  readonly controlled: ReadonlySet<string>;
};

/** The parser is fed piece by piece, so that it can be stopped. */
const CHUNK_CHARS = 64 * 1024;

/**
 * Parses a page once, as far as the limits go; never throws. Nesting is input: walkers use `walkTree`. Marks of a
 * browser are removed from what a site sent. Comments are dropped, but what the marks among them say.
 */
export function parsePage(
  text: string,
  source: 'http' | 'rendered' = 'http',
  marks: IndexDirectives = DEFAULT_INDEX_DIRECTIVES,
): PageTree {
  const notes: string[] = [];
  const root: PageElement = { name: '#root', attributes: {}, children: [], parent: undefined, attributeBits: 0 };
  const open: PageElement[] = [root];
  let nodes = 0;
  let tooDeep = 0;
  let attributeCount = 0;
  /** Of the open tag: bits of `SAYS`, characters of the longest attribute. */
  let [bits, longest] = [0, 0];
  const commentDirectives: PageElement[] = [];
  const tables: PageElement[] = [];
  const controlled = new Set<string>();

  const add = (node: PageNode) => {
    nodes++;
    open.at(-1)?.children.push(node);
  };
  const handler = {
    // A tag that the parser drops may have left attributes.
    onopentagname(): void {
      [bits, longest] = [0, 0];
    },
    onattribute(name: string, value: string): void {
      attributeCount++;
      bits |= bitOf(name);
      if (value.length > longest) longest = value.length;
    },
    onopentag(name: string, attributes: Record<string, string>): void {
      attributeCount = 0;
      if (nodes >= EXTRACT_LIMITS.nodes) return;
      if (source === 'http' && (bits & ATTRIBUTE_BITS.visibility) !== 0) dropAttribute(attributes);
      if (marks.attribute !== undefined && adoptAttribute(attributes, marks.attribute)) bits |= ATTRIBUTE_BITS.ignore;
      const kept = shortened(attributes, longest);
      const element: PageElement = { name, attributes: kept, children: [], parent: open.at(-1), attributeBits: bits };
      add(element);
      if (name === 'table') tables.push(element);
      addControlled(controlled, element);
      // Beyond the depth limit an element is a leaf, and what it holds becomes its sibling.
      if (open.length >= EXTRACT_LIMITS.depth) tooDeep++;
      else open.push(element);
    },
    ontext(data: string): void {
      if (nodes < EXTRACT_LIMITS.nodes) add(data);
    },
    oncomment(data: string): void {
      const mark = commentDirective(data, marks);
      const isFull = nodes >= EXTRACT_LIMITS.nodes || commentDirectives.length >= EXTRACT_LIMITS.commentDirectives;
      if (mark === undefined || isFull) return;
      const node = directiveNode(mark, open.at(-1));
      commentDirectives.push(node);
      add(node);
    },
    onclosetag(name: string): void {
      if (open.length >= EXTRACT_LIMITS.depth && tooDeep > 0) tooDeep--;
      else if (open.length > 1 && open.at(-1)?.name === name) open.pop();
    },
  };
  const parser = new Parser(handler, { Tokenizer: PageTokenizer });
  const html = withoutSections(text);
  const size = Math.min(html.length, EXTRACT_LIMITS.textChars);
  const reached = () => limitsReached({ nodes, tooDeep, attributeCount });
  for (let at = 0; at < size && reached().length === 0; at += CHUNK_CHARS) {
    parser.write(html.slice(at, Math.min(at + CHUNK_CHARS, size)));
  }
  if (size < html.length) notes.push('text limit');
  notes.push(...reached());
  // At the end of a text that was cut, half a tag would come as text.
  if (notes.length === 0) parser.end();
  if (commentDirectives.length > 0) applyCommentDirectives(root, commentDirectives);
  return { root, notes, tables, controlled };
}

type TreeSize = { readonly nodes: number; readonly tooDeep: number; readonly attributeCount: number };

function limitsReached({ nodes, tooDeep, attributeCount }: TreeSize): readonly string[] {
  return [
    ...(tooDeep > EXTRACT_LIMITS.openElements ? ['depth limit'] : []),
    ...(attributeCount > EXTRACT_LIMITS.attributes ? ['attribute limit'] : []),
    ...(nodes >= EXTRACT_LIMITS.nodes ? ['node limit'] : []),
  ];
}

function dropAttribute(attributes: Record<string, string>): void {
  if (VISIBILITY_ATTRIBUTE in attributes) delete attributes[VISIBILITY_ATTRIBUTE];
}

/** A foreign name of the mark stands for it where the page does not set it. False when there is none. */
function adoptAttribute(attributes: Record<string, string>, name: string): boolean {
  const mark = attributes[name];
  if (mark === undefined) return false;
  attributes[IGNORE_ATTRIBUTE] ??= mark;
  return true;
}

/** Outside of scripts such a section is a mistake: browsers skip its beginning, the parser all that follows. */
function withoutSections(text: string): string {
  // A rare letter first: `<` is everywhere.
  return text.includes('CDATA[') ? text.replace(/<!\[CDATA\[(?=\s*<[a-z])/gi, '<!---->') : text;
}

export type TreeVisitor = {
  /** False leaves the element's children out. */
  readonly enter?: (element: PageElement) => boolean | undefined;
  readonly text?: (text: string, parent: PageElement) => void;
  readonly exit?: (element: PageElement) => void;
  /** True ends the walk; asked before every node. */
  readonly isDone?: () => boolean;
};

/** Visits the tree below `root` in document order, `root` included, without recursion. O(nodes). */
export function walkTree(root: PageElement, { enter, text, exit, isDone }: TreeVisitor): void {
  if (enter?.(root) === false) return;
  let element = root;
  let at = 0;
  /** Elements above the present one, and where their next children are. */
  const above: PageElement[] = [];
  const positions: number[] = [];
  while (isDone === undefined || !isDone()) {
    const child = element.children[at++];
    if (child === undefined) {
      exit?.(element);
      const outer = above.pop();
      if (outer === undefined) return;
      element = outer;
      at = positions.pop() ?? 0;
    } else if (typeof child === 'string') {
      text?.(child, element);
    } else if (enter?.(child) !== false) {
      above.push(element);
      positions.push(at);
      element = child;
      at = 0;
    }
  }
}

/** True for `root` itself. O(depth). */
export function isWithin(element: PageElement, root: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) if (at === root) return true;
  return false;
}

/** The nearest `article` around an element. */
export function articleOf(element: PageElement): PageElement | undefined {
  for (let at = element.parent; at !== undefined; at = at.parent) if (at.name === 'article') return at;
  return undefined;
}

/** Elements whose content is never text of the page. */
export const NOT_TEXT: ReadonlySet<string> = new Set(
  (
    'script style template svg math head iframe object embed video audio canvas select option textarea datalist map ' +
    'noframes'
  ).split(' '),
);

/**
 * The beginning of the text below an element, blanks folded, without what is never text. Links, headings and dates
 * may nest as deep as the tree and share their text, so that reading all of it for each would cost its square.
 * `asides`: elements below it whose text is left out, too.
 */
export function textOf(
  element: PageElement,
  maxChars: number = EXTRACT_LIMITS.elementChars,
  asides?: ReadonlySet<PageElement>,
): string {
  const [only] = element.children;
  // Most elements that are asked hold nothing but a text.
  if (element.children.length === 1 && typeof only === 'string' && maxChars > 1)
    return foldText(only.slice(0, maxChars));
  const parts: string[] = [];
  let left = maxChars;
  walkTree(element, {
    isDone: () => left <= 0,
    enter: (inner) => {
      left--;
      if (inner !== element && (NOT_TEXT.has(inner.name) || ignoresText(inner) || isPermalink(inner))) return false;
      if (asides?.has(inner) === true) return false;
      if (inner.name === 'br' || inner.name === 'p' || inner.name === 'div') parts.push(' ');
      return undefined;
    },
    text: (text) => {
      parts.push(text.slice(0, maxChars));
      left -= text.trim().length;
    },
  });
  return foldText(parts.join(''));
}

const MIN_NOSCRIPT_CHARS = 400;
/** A whole page may mention scripts in its footer. */
const SURE_NOSCRIPT_CHARS = 2_000;

/** `noscript`: some forums have their threads only there; a call to switch scripts on is none. */
export function isThread(element: PageElement): boolean {
  const text = textOf(element);
  return text.length >= MIN_NOSCRIPT_CHARS && (text.length >= SURE_NOSCRIPT_CHARS || !/javascript/i.test(text));
}

/** The first element of some nodes with nothing but blanks, and elements that are passed over, before it. */
export function firstElement(
  nodes: readonly PageNode[],
  isPassed: (element: PageElement) => boolean = () => false,
): PageElement | undefined {
  for (const node of nodes) {
    if (typeof node === 'string') {
      if (node.trim() !== '') return undefined;
    } else if (!isPassed(node)) return node;
  }
  return undefined;
}

/** The nodes behind one among its siblings. */
export function nodesAfter(element: PageElement): readonly PageNode[] {
  const siblings = element.parent?.children ?? [];
  return siblings.slice(siblings.indexOf(element) + 1);
}

/** A heading without the sign of a permalink where that is no link; `C#` is a name. */
export function withoutPermalink(text: string): string {
  return text.replace(/\s*[¶🔗]$|\s+[§#]$/u, '');
}

/** Zero-width, bidirectional control and tag characters, soft hyphens: never seen, used to hide text. Control characters. */
const UNSEEN =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|[\u{e0000}-\u{e007f}]|(?!\s)\p{Cc}/gu;
/** Blanks that are more than one, or none that a folded text has. */
const UNFOLDED = /\s{2,}|[^\S ]/g;

/** One line: invisible characters removed, runs of blanks folded to one. */
export function foldText(text: string): string {
  const trimmed = text.trim();
  const kinds = unfoldedKinds(trimmed);
  if (kinds === 0) return trimmed;
  if ((kinds & INVISIBLE) === 0) return trimmed.replace(UNFOLDED, ' ');
  return text.replace(UNSEEN, '').replace(/\s+/g, ' ').trim();
}

/** What there is to fold, as most texts have nothing, and looking is cheaper than replacing nothing. */
function unfoldedKinds(text: string): number {
  let kinds = 0;
  let wasBlank = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isBlank = unit === 0x20;
    if (!isBlank) kinds |= kindOf(unit) & (BLANK | INVISIBLE);
    else if (wasBlank) kinds |= BLANK;
    wasBlank = isBlank;
  }
  return kinds;
}

/** As `foldText`, line by line, indentation kept: for `pre`. */
export function foldLines(text: string): string {
  const lines = text
    .replace(UNSEEN, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd());
  const from = lines.findIndex((line) => line !== '');
  const to = lines.findLastIndex((line) => line !== '');
  return from < 0 ? '' : lines.slice(from, to + 1).join('\n');
}

function addControlled(ids: Set<string>, element: PageElement): void {
  const named = attributeOf(element, 'aria-controls', ATTRIBUTE_BITS.controls);
  if (named === undefined) return;
  for (const id of named.split(/\s+/)) if (id !== '') ids.add(id);
}

/** `longest`: characters of the longest one. */
function shortened(attributes: Readonly<Record<string, string>>, longest: number): Readonly<Record<string, string>> {
  if (longest <= EXTRACT_LIMITS.attributeChars) return attributes;
  const cut = Object.entries(attributes).map(
    ([name, value]) => [name, value.slice(0, EXTRACT_LIMITS.attributeChars)] as const,
  );
  return Object.fromEntries(cut);
}

/** What the tokenizer keeps of the text that it reads; positions count from the first text, the buffer is the last. */
type ReadState = { index: number; readonly offset: number; readonly buffer: string };
type ReadUnit = (this: ReadState, unit: number) => void;
type SkippingState =
  | 'stateText'
  | 'stateInAttributeValueDoubleQuotes'
  | 'stateInTagName'
  | 'stateInClosingTagName'
  | 'stateInAttributeName';
type UnitReaders = Record<SkippingState, ReadUnit> & {
  fastForwardTo(this: ReadState, unit: number): boolean;
};

const [LESS, AMPERSAND, QUOTE, EQUALS] = [0x3c, 0x26, 0x22, 0x3d];

/**
 * The tokenizer of htmlparser2, which skips what cannot change its state: text up to the next tag or entity, values up
 * to the next quotation mark or entity, names up to their end, scripts and comments by `indexOf`. A quarter of the cost of parsing a page.
 */
export class PageTokenizer extends Tokenizer {}

const inherited = Tokenizer.prototype as unknown as UnitReaders;
const skipping: UnitReaders = {
  stateText(unit) {
    if (unit === LESS || unit === AMPERSAND) inherited.stateText.call(this, unit);
    else skipTo(this, LESS);
  },
  stateInAttributeValueDoubleQuotes(unit) {
    if (unit === QUOTE || unit === AMPERSAND) inherited.stateInAttributeValueDoubleQuotes.call(this, unit);
    else skipTo(this, QUOTE);
  },
  stateInTagName(unit) {
    if (endsName(unit)) inherited.stateInTagName.call(this, unit);
    else skipName(this);
  },
  stateInClosingTagName(unit) {
    if (endsName(unit)) inherited.stateInClosingTagName.call(this, unit);
    else skipName(this);
  },
  stateInAttributeName(unit) {
    if (unit === EQUALS || endsName(unit)) inherited.stateInAttributeName.call(this, unit);
    else skipName(this);
  },
  fastForwardTo(unit) {
    const at = this.buffer.indexOf(String.fromCharCode(unit), this.index + 1 - this.offset);
    this.index = this.offset + (at < 0 ? this.buffer.length - 1 : at);
    return at >= 0;
  },
};
Object.assign(PageTokenizer.prototype, skipping);

/** To the last unit before the next stop or entity: the tokenizer goes one on by itself. */
function skipTo(state: ReadState, stop: number): void {
  const { buffer, offset } = state;
  let at = state.index + 1 - offset;
  for (; at < buffer.length; at++) {
    const unit = buffer.charCodeAt(at);
    if (unit === stop || unit === AMPERSAND) break;
  }
  state.index = at - 1 + offset;
}

/** `=`, which ends names of attributes, is read one by one in those of tags. */
function skipName(state: ReadState): void {
  const { buffer, offset } = state;
  let at = state.index + 1 - offset;
  while (at < buffer.length && !mayEndName(buffer.charCodeAt(at))) at++;
  state.index = at - 1 + offset;
}

/** Blank, `/` or `>`. */
function endsName(unit: number): boolean {
  return unit === 0x3e || unit === 0x2f || unit === 0x20 || (unit >= 0x09 && unit <= 0x0d && unit !== 0x0b);
}

function mayEndName(unit: number): boolean {
  return unit < 0x40 && (unit === EQUALS || endsName(unit));
}
