import { DIGIT, SEPARATOR } from '../word-characters.ts';
import type { TextBlock } from './blocks.ts';
import { CLASS_WORDS, classWordReader } from './class-words.ts';
import type { PageElement } from './page-tree.ts';
import { add, HEAD_CHARS, measureTexts, type ReferenceTexts, type TextMeasures, valueAt } from './text-measures.ts';

/** Elements whose nearness above a block is a feature. */
export const ANCESTOR_TAGS = (
  'nav header footer aside main article section form table ul ol dl dialog figure pre blockquote details button label ' +
  'a h1 h2 h3 h4 tr li p'
).split(' ');

/**
 * The elements that hold text, from the root down, in parallel lists. `parent` is smaller than the element's own
 * number, so that sums go up in one pass from the end, and what is inherited comes down in one from the start.
 */
export type ElementTable = {
  readonly elements: readonly PageElement[];
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly chars: Float64Array;
  readonly linkChars: Float64Array;
  readonly links: Float64Array;
  readonly blocks: Float64Array;
  readonly words: Float64Array;
  readonly punctuation: Float64Array;
  /** Characters of blocks that look like running text. */
  readonly goodChars: Float64Array;
  readonly prices: Float64Array;
  readonly dates: Float64Array;
  readonly images: Float64Array;
  readonly headings: Float64Array;
  readonly firstBlock: Int32Array;
  /** Nearest element above with more text; itself at the root. */
  readonly larger: Int32Array;
  /** Elements of the same name and first class with the same parent. */
  readonly group: Int32Array;
  /** Of name and first class, over one and over four levels. */
  readonly signature: Int32Array;
  readonly path: Int32Array;
  /** Levels up to the nearest element, itself counted as 1, by `ANCESTOR_TAGS`, then by `CLASS_WORDS`; 0 = none. */
  readonly distances: Uint8Array;
  /** Characters within elements of each of these names. */
  readonly namedChars: Float64Array;
};

/** Elements that repeat beside each other: cards, posts, rows. */
export type GroupTable = {
  readonly size: Int32Array;
  readonly chars: Float64Array;
  readonly linkChars: Float64Array;
  readonly links: Float64Array;
  readonly blocks: Float64Array;
  readonly prices: Float64Array;
  readonly dates: Float64Array;
  readonly images: Float64Array;
  readonly headings: Float64Array;
  readonly goodChars: Float64Array;
  readonly firstBlock: Int32Array;
};

export type DomTable = {
  readonly blocks: readonly TextBlock[];
  readonly texts: TextMeasures;
  readonly table: ElementTable;
  readonly groups: GroupTable;
  /** Of each block: number of the element where its text begins, and of the border that holds it. */
  readonly origin: Int32Array;
  readonly container: Int32Array;
  /** Bits of `TEXT_FLAGS`. */
  readonly flags: Int32Array;
  readonly totalChars: number;
};

export const DISTANCES = ANCESTOR_TAGS.length + CLASS_WORDS.length;

/** Name, what matches the block's text, and kinds of characters that are in every match. */
export const TEXT_FLAGS: readonly (readonly [string, RegExp, number?])[] = [
  ['endsWithMark', /[.!?。！？:"”)]$/],
  ['endsWithStop', /[.!?。！？]["”’)]?$/],
  ['copyright', /©|\(c\)|copyright|all rights reserved/i],
  ['cookie', /cookie|privacy policy|terms of|datenschutz/i],
  [
    'action',
    /^(?:read more|learn more|sign ?up|log ?in|subscribe|share|follow|buy|add to|shop|view|see all|show|load more|contact|home|menu|search|back|next|previous|skip|reply|quote|like|report|edit|download|print|email|close)/i,
  ],
  ['year', /\b(?:19|20)\d\d\b/, DIGIT],
  ['price', /[$€£¥]\s?\d|\d\s?(?:€|kr\b|usd|eur)/i, DIGIT],
  [
    'offer',
    /^(?:add to (?:cart|bag|basket)|buy (?:now|it now)|in den warenkorb|ajouter au panier|læg i kurv|añadir al)/i,
  ],
  [
    'forumWords',
    /^(?:reply|quote|joined|posts?:|posted|originally posted|re:|likes?|thanks|views?|replies|last edited)\b/i,
  ],
  ['separator', /[|·•»›→]/, SEPARATOR],
  [
    'dated',
    /\b(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d\d-\d\d|(?:minute|hour|day|week|month|year)s? ago|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2})\b/i,
  ],
];
export function flagOf(wanted: string): number {
  return 1 << TEXT_FLAGS.findIndex(([name]) => name === wanted);
}

export const OFFER_FLAG = flagOf('offer');
export const PRICE_FLAG = flagOf('price');
export const DATED_FLAG = flagOf('dated');
const MIN_GOOD_CHARS = 50;
const MAX_GOOD_LINK_SHARE = 0.5;

/** Measures all blocks and the elements around them. O(nodes with text + characters). */
export function measurePage(
  blocks: readonly TextBlock[],
  { images, references }: { readonly images: readonly PageElement[]; readonly references: ReferenceTexts },
): DomTable {
  const texts = measureTexts(blocks, references);
  const flags = Int32Array.from(blocks, ({ text }, at) => flagsOf(text, texts.headKinds[at] ?? 0));
  const numbers = new Map<PageElement, number>();
  const elements: PageElement[] = [];
  const parents: number[] = [];
  const numberOf = elementNumbers(numbers, elements, parents);
  const origin = Int32Array.from(blocks, (block) => numberOf(block.origin));
  const container = Int32Array.from(blocks, (block) => numberOf(block.element));
  const table = emptyTable(elements, parents);
  addBlocks(table, { blocks, texts, flags, origin });
  addImages(table, numbers, images);
  sumUp(table);
  passDown(table);
  const totalChars = valueAt(table.chars, 0);
  return { blocks, texts, table, groups: groupElements(table), origin, container, flags, totalChars };
}

function flagsOf(text: string, kinds: number): number {
  const head = text.slice(0, HEAD_CHARS);
  const tail = text.slice(-TAIL_CHARS);
  let flags = 0;
  for (let at = 0; at < TEXT_FLAGS.length; at++) {
    const [, pattern, needed = 0] = TEXT_FLAGS[at] ?? NO_FLAG;
    if ((kinds & needed) !== needed) continue;
    if (pattern.test(at < ENDING_FLAGS ? tail : head)) flags |= 1 << at;
  }
  return flags;
}

const NO_FLAG = ['', /(?!)/] as const;
/** The first flags are about the end of a text. */
const ENDING_FLAGS = 2;
const TAIL_CHARS = 4;

/** Numbers an element and all above it, the root first. */
function elementNumbers(
  numbers: Map<PageElement, number>,
  elements: PageElement[],
  parents: number[],
): (element: PageElement) => number {
  return (element) => {
    const known = numbers.get(element);
    if (known !== undefined) return known;
    const chain: PageElement[] = [];
    let at: PageElement | undefined = element;
    for (; at !== undefined && !numbers.has(at); at = at.parent) chain.push(at);
    let parent = at === undefined ? 0 : (numbers.get(at) ?? 0);
    for (const next of chain.reverse()) {
      const number = elements.length;
      numbers.set(next, number);
      elements.push(next);
      parents.push(parent);
      parent = number;
    }
    return parent;
  };
}

function emptyTable(elements: readonly PageElement[], parents: readonly number[]): ElementTable {
  const size = elements.length;
  const sums = () => new Float64Array(size);
  const ids = () => new Int32Array(size);
  return {
    elements,
    parent: Int32Array.from(parents),
    depth: ids(),
    chars: sums(),
    linkChars: sums(),
    links: sums(),
    blocks: sums(),
    words: sums(),
    punctuation: sums(),
    goodChars: sums(),
    prices: sums(),
    dates: sums(),
    images: sums(),
    headings: sums(),
    firstBlock: ids().fill(-1),
    larger: ids(),
    group: ids(),
    signature: ids(),
    path: ids(),
    distances: new Uint8Array(size * DISTANCES),
    namedChars: new Float64Array(DISTANCES),
  };
}

type MeasuredBlocks = Pick<DomTable, 'blocks' | 'texts' | 'flags' | 'origin'>;

function addBlocks(table: ElementTable, { blocks, texts, flags, origin }: MeasuredBlocks): void {
  for (const [at, block] of blocks.entries()) {
    const element = valueAt(origin, at);
    const chars = valueAt(texts.chars, at);
    const flag = valueAt(flags, at);
    add(table.chars, element, chars);
    add(table.linkChars, element, block.linkChars);
    add(table.links, element, block.links);
    add(table.blocks, element, 1);
    add(table.words, element, valueAt(texts.words, at));
    add(table.punctuation, element, valueAt(texts.punctuation, at));
    if (isRunningText(texts, at)) add(table.goodChars, element, chars);
    if ((flag & PRICE_FLAG) !== 0) add(table.prices, element, 1);
    if ((flag & DATED_FLAG) !== 0) add(table.dates, element, 1);
    if (block.kind === 'heading') add(table.headings, element, 1);
    if (valueAt(table.firstBlock, element) < 0) table.firstBlock[element] = at;
  }
}

export function isRunningText({ chars, linkShare }: TextMeasures, block: number): boolean {
  return valueAt(chars, block) >= MIN_GOOD_CHARS && valueAt(linkShare, block) < MAX_GOOD_LINK_SHARE;
}

function addImages(
  table: ElementTable,
  numbers: ReadonlyMap<PageElement, number>,
  images: readonly PageElement[],
): void {
  for (const image of images) {
    let at = image.parent;
    while (at !== undefined && !numbers.has(at)) at = at.parent;
    if (at !== undefined) add(table.images, numbers.get(at) ?? 0, 1);
  }
}

function sumUp(table: ElementTable): void {
  const { parent, firstBlock, chars, linkChars, links, blocks, words, punctuation, goodChars } = table;
  const sums = [chars, linkChars, links, blocks, words, punctuation, goodChars];
  sums.push(table.prices, table.dates, table.images, table.headings);
  for (const list of sums) {
    for (let at = parent.length - 1; at > 0; at--) add(list, valueAt(parent, at), valueAt(list, at));
  }
  for (let at = parent.length - 1; at > 0; at--) {
    const above = valueAt(parent, at);
    const own = valueAt(firstBlock, at);
    const other = valueAt(firstBlock, above);
    if (own >= 0 && (other < 0 || own < other)) firstBlock[above] = own;
  }
}

const PATH_LEVELS = 4;

function passDown(table: ElementTable): void {
  const { elements, parent, depth, chars, larger, signature, path } = table;
  const readWords = classWordReader();
  let present = 0;
  const markWord = (word: number) => markName(table, present, ANCESTOR_TAGS.length + word);
  for (const [at, element] of elements.entries()) {
    const above = valueAt(parent, at);
    const isLarger = valueAt(chars, above) > valueAt(chars, at);
    depth[at] = at === 0 ? 0 : valueAt(depth, above) + 1;
    larger[at] = isLarger || at === 0 ? above : valueAt(larger, above);
    signature[at] = signatureOf(element);
    path[at] = pathHash(table, at);
    if (at > 0) passDistances(table, above, at);
    const tag = ANCESTOR_TAGS.indexOf(element.name);
    if (tag >= 0) markName(table, at, tag);
    // What names the whole page names no region of it.
    if (element.name === 'body' || element.name === 'html') continue;
    present = at;
    readWords(element, markWord);
  }
}

/** Of elements within each other the outermost holds the characters of all. */
function markName({ distances, namedChars, chars }: ElementTable, element: number, name: number): void {
  const position = element * DISTANCES + name;
  if (distances[position] === 0) add(namedChars, name, valueAt(chars, element));
  distances[position] = 1;
}

const FARTHEST = 255;

function passDistances({ distances }: ElementTable, above: number, element: number): void {
  const from = above * DISTANCES;
  const to = element * DISTANCES;
  for (let index = 0; index < DISTANCES; index++) {
    const distance = distances[from + index] ?? 0;
    distances[to + index] = distance === 0 || distance === FARTHEST ? distance : distance + 1;
  }
}

function pathHash({ parent, signature }: ElementTable, element: number): number {
  let hash = 0;
  let at = element;
  for (let level = 0; level < PATH_LEVELS; level++) {
    hash = (Math.imul(hash, 31) + valueAt(signature, at)) | 0;
    if (at === 0) break;
    at = valueAt(parent, at);
  }
  return hash;
}

/** Hash of the name and the first class. */
function signatureOf({ name, attributes }: PageElement): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
  const classes = attributes['class'] ?? '';
  let from = 0;
  while (from < classes.length && classes.charCodeAt(from) <= 0x20) from++;
  for (let at = from; at < classes.length && classes.charCodeAt(at) > 0x20; at++) {
    hash = (Math.imul(hash, 31) + classes.charCodeAt(at)) | 0;
  }
  return hash;
}

function groupElements(table: ElementTable): GroupTable {
  const { parent, signature, group } = table;
  const numbers = new Map<number, number>();
  for (let at = 0; at < parent.length; at++) {
    const key = valueAt(parent, at) * 2 ** 32 + (valueAt(signature, at) >>> 0);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    group[at] = number;
  }
  const sums = () => new Float64Array(numbers.size);
  const groups: GroupTable = {
    size: new Int32Array(numbers.size),
    chars: sums(),
    linkChars: sums(),
    links: sums(),
    blocks: sums(),
    prices: sums(),
    dates: sums(),
    images: sums(),
    headings: sums(),
    goodChars: sums(),
    firstBlock: new Int32Array(numbers.size).fill(-1),
  };
  for (let at = 0; at < parent.length; at++) addElement(groups, table, at);
  return groups;
}

function addElement(groups: GroupTable, table: ElementTable, at: number): void {
  const number = valueAt(table.group, at);
  groups.size[number] = valueAt(groups.size, number) + 1;
  for (const name of GROUP_SUMS) add(groups[name], number, valueAt(table[name], at));
  if (valueAt(groups.firstBlock, number) < 0) groups.firstBlock[number] = valueAt(table.firstBlock, at);
}

const GROUP_SUMS = [
  'chars',
  'linkChars',
  'links',
  'blocks',
  'prices',
  'dates',
  'images',
  'headings',
  'goodChars',
] as const;
