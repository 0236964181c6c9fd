import { BLOCK_FEATURES, containerRows, type FeatureGroup } from './block-features.ts';
import { type BlockOrder, orderBlocks } from './block-order.ts';
import type { TextBlock } from './blocks.ts';
import { CLASS_WORDS } from './class-words.ts';
import {
  ANCESTOR_TAGS,
  DATED_FLAG,
  type DomTable,
  flagOf,
  type GroupTable,
  measurePage,
  PRICE_FLAG,
} from './dom-table.ts';
import { HEADING_WORDS, type HeadingContext, OPINIONS, RELATED, readHeadings } from './heading-context.ts';
import { metaOf, type PageFacts } from './page-facts.ts';
import { type DataItem, isOfType } from './structured-data.ts';
import { logOf, type ReferenceTexts, share, valueAt } from './text-measures.ts';

const headings: FeatureGroup = {
  names: [
    ...HEADING_WORDS.map((word) => `heading.${word}`),
    ...HEADING_WORDS.map((word) => `upper.${word}`),
    ...['heading.level', 'heading.distance', 'upper.distance', 'related.distance', 'opinions.distance'],
    ...['heading.title', 'section.blocks', 'section.chars', 'section.linkShare', 'section.good', 'section.prices'],
  ],
  write(row, from, { shape, context: { heading, upper, related, opinions, words, sections }, block }) {
    const own = heading[block] ?? -1;
    const above = upper[block] ?? -1;
    const count = HEADING_WORDS.length;
    const bits = own < 0 ? 0 : valueAt(words, own);
    const aboveBits = above < 0 ? 0 : valueAt(words, above);
    for (let bit = 0; bit < count; bit++) {
      row[from + bit] = (bits >> bit) & 1;
      row[from + count + bit] = (aboveBits >> bit) & 1;
    }
    const at = from + 2 * count;
    const section = own < 0 ? shape.blocks.length : own;
    const chars = valueAt(sections.chars, section);
    const blocks = valueAt(sections.blocks, section);
    row[at] = own < 0 ? 0 : (shape.blocks[own]?.level ?? 0);
    row[at + 1] = distance(block, own);
    row[at + 2] = distance(block, above);
    row[at + 3] = distance(block, related[block] ?? -1);
    row[at + 4] = distance(block, opinions[block] ?? -1);
    row[at + 5] = own < 0 ? 0 : share(valueAt(shape.texts.titleCovered, own), shape.texts.titleSize);
    row[at + 6] = logOf(blocks);
    row[at + 7] = logOf(chars);
    row[at + 8] = share(valueAt(sections.linkChars, section), chars);
    row[at + 9] = share(valueAt(sections.goodChars, section), chars);
    row[at + 10] = share(valueAt(sections.prices, section), blocks);
  },
};
const ITEM_NAMES = [
  ...['count', 'chars', 'linkShare', 'share', 'blocks', 'links', 'prices', 'dates', 'images', 'headings', 'good'],
  ...['levels', 'position', 'fromStart'],
];

/** The innermost and the outermost element above the block that repeats beside itself: an item of a list of things. */
const items: FeatureGroup = {
  names: ['inner', 'outer'].flatMap((which) => ITEM_NAMES.map((name) => `${which}.${name}`)),
  write(row, at, { shape, block }) {
    const { table, groups, container } = shape;
    let inner = -1;
    let outer = -1;
    for (let element = valueAt(container, block); element !== 0; element = valueAt(table.parent, element)) {
      if (valueAt(groups.size, valueAt(table.group, element)) < MIN_ALIKE) continue;
      if (inner < 0) inner = element;
      outer = element;
    }
    writeItem({ row, at, shape, block }, inner);
    writeItem({ row, at: at + ITEM_NAMES.length, shape, block }, outer);
  },
};

const CONTEXT_FEATURES: readonly FeatureGroup[] = [headings, items];

const GROUPS: readonly FeatureGroup[] = [...BLOCK_FEATURES, ...CONTEXT_FEATURES];

/** What an item of structured data says of the page's kind. */
const ITEM_KINDS = {
  product: /^Product(?:Group)?$/,
  article: /^(?:\w*Article|BlogPosting|Posting)$/,
  questions: /^(?:FAQPage|QAPage)$/,
  forum: /^DiscussionForumPosting$/,
  collection: /^(?:CollectionPage|ItemList|SearchResultsPage)$/,
  breadcrumbs: /^BreadcrumbList$/,
  place: /^(?:LocalBusiness|Organization|Service|ProfessionalService)$/,
} as const;

const URL_KINDS = {
  forum: /forum|thread|topic|viewtopic|showthread|discuss|community|questions?\//,
  product: /product|\/p\/|\/dp\/|item|shop/,
  documentation: /docs?\/|\/api|reference|manual|guide|wiki/,
  category: /categor|collection|\/c\/|tag\/|search/,
  article: /blog|news|article|\d{4}\/\d{2}/,
  service: /service|solution|about|contact|pricing|feature|platform|consult/,
} as const;

/** Names of the classes and ids of `html` and `body`, and of the generator. */
const BODY_KINDS = {
  product:
    /single-product|product-(?:page|template|detail)|template-product|catalog-product|page-product|\bpdp\b|product/,
  category: /archive|categor|collection|tax-|catalog|listing|search/,
  article: /single-post|\bsingle\b|article|blog|post-template|\bpost\b|story/,
  page: /\bpage\b|page-template|\bhome\b|front|landing|index/,
  forum: /forum|thread|topic|phpbb|vbulletin|discourse|xenforo|bbpress|question/,
  documentation: /\bdocs?\b|sphinx|docusaurus|mkdocs|gitbook|wiki|rtd|vitepress|hugo/,
} as const;

const OG_TYPES = ['article', 'product', 'website'] as const;

const PAGE_FEATURES: readonly string[] = [
  ...['blocks', 'chars', 'linkShare', 'paragraphs', 'paragraphShare', 'itemShare', 'longShare', 'longBlocks'],
  ...['main', 'articles', 'depth', 'headings', 'prices', 'dates', 'images', 'hiddenShare', 'meanChars', 'largestGroup'],
  ...['largestGroupShare', 'products', 'titleWords', 'tableShare', 'times'],
  ...OG_TYPES.map((type) => `og.${type}`),
  ...Object.keys(ITEM_KINDS).map((kind) => `item.${kind}`),
  ...Object.keys(URL_KINDS).map((kind) => `url.${kind}`),
  ...Object.keys(BODY_KINDS).map((kind) => `body.${kind}`),
  ...['offers', 'forumWords', 'actions', 'h1s', 'relatedHeadings', 'opinionHeadings', 'sameText', 'alikeShare'],
  ...[...ANCESTOR_TAGS.map((tag) => `in.${tag}`), ...CLASS_WORDS.map((word) => `named.${word}`)],
].map((name) => `page.${name}`);

/** Names of the columns, in order; a part of every model file. */
export const FEATURES: readonly string[] = [...GROUPS.flatMap(({ names }) => names), ...PAGE_FEATURES];

/** Writes the row of one block. */
export type FeatureWriter = (row: Float32Array, at: number, block: number) => void;

export type MeasuredBlocks = { readonly write: FeatureWriter; readonly places: BlockStructure };

/** Measures the page once; rows are then written one by one. */
export function readFeatures(blocks: readonly TextBlock[], source: PageSource): MeasuredBlocks {
  const shape = measurePage(blocks, { images: source.facts.images, references: referencesOf(source) });
  const context = readHeadings(shape);
  const order = orderBlocks(shape);
  const input = { shape, order, context, containerRows: containerRows(shape), block: 0 };
  const page = readPageFeatures(shape, context, source);
  const write: FeatureWriter = (row, from, block) => {
    input.block = block;
    let at = from;
    for (const group of GROUPS) {
      group.write(row, at, input);
      at += group.names.length;
    }
    row.set(page, at);
  };
  return { write, places: placesOf(shape, order, context) };
}

const MAIN_MEMBERS = new Set(['description', 'articleBody', 'text', 'headline', 'name']);
const OPINION_TYPES = /^(?:Review|Comment|UserReview|Rating)$/;

function referencesOf({ facts, items }: PageSource): ReferenceTexts {
  const data = { main: [] as string[], opinions: [] as string[], other: [] as string[] };
  for (const item of items) {
    const isOpinion = item.types.some((type) => OPINION_TYPES.test(type));
    for (const [member, text] of textMembers(item)) {
      data[isOpinion ? 'opinions' : MAIN_MEMBERS.has(member) ? 'main' : 'other'].push(text);
    }
  }
  return { title: facts.title, description: metaOf(facts, 'description', 'og:description'), data };
}

/** Shorter values are names and codes. */
const MIN_TEXT_CHARS = 12;

function textMembers({ data }: DataItem): readonly (readonly [string, string])[] {
  const members: (readonly [string, string])[] = [];
  for (const [member, value] of Object.entries(data)) {
    if (typeof value === 'string' && value.length >= MIN_TEXT_CHARS && !value.startsWith('http')) {
      members.push([member, value]);
    }
  }
  return members;
}

/** What blocks have in common. Equal numbers stand together; -1 = none. */
export type BlockStructure = {
  /** Of each block: the block of its heading, and of the heading above that. */
  readonly heading: Int32Array;
  readonly upper: Int32Array;
  /** Names and classes over four levels. */
  readonly path: Int32Array;
  /** The innermost and the outermost group of elements that repeat beside each other. */
  readonly inner: Int32Array;
  readonly outer: Int32Array;
  /** Number of the element that holds the block. */
  readonly container: Int32Array;
  /** Of each element, which is larger than its parent's number. */
  readonly parent: Int32Array;
  /** Of each element: nearest one above with more text. */
  readonly larger: Int32Array;
};

const MIN_ALIKE = 3;

/** O(blocks × depth). */
function placesOf(shape: DomTable, { pathOf }: BlockOrder, { heading, upper }: HeadingContext): BlockStructure {
  const { table, groups, container } = shape;
  const inner = new Int32Array(container.length).fill(-1);
  const outer = new Int32Array(container.length).fill(-1);
  for (let block = 0; block < container.length; block++) {
    for (let at = valueAt(container, block); at !== 0; at = valueAt(table.parent, at)) {
      const group = valueAt(table.group, at);
      if (valueAt(groups.size, group) < MIN_ALIKE) continue;
      if (inner[block] === -1) inner[block] = group;
      outer[block] = group;
    }
  }
  return { heading, upper, path: pathOf, inner, outer, container, parent: table.parent, larger: table.larger };
}

/** Near is little, and none is more than any. */
const distance = (from: number, to: number) => (to < 0 ? 9 : logOf(from - to));

type ItemPosition = {
  readonly row: Float32Array;
  readonly at: number;
  readonly shape: DomTable;
  readonly block: number;
};

function writeItem({ row, at, shape, block }: ItemPosition, element: number): void {
  if (element < 0) {
    row.fill(-1, at, at + ITEM_NAMES.length);
    return;
  }
  const { table, groups, container, totalChars, blocks } = shape;
  const group = valueAt(table.group, element);
  const size = groups.size[group] ?? 1;
  const chars = valueAt(groups.chars, group);
  const first = valueAt(groups.firstBlock, group);
  const groupBlocks = valueAt(groups.blocks, group);
  row[at] = logOf(size);
  row[at + 1] = Math.log1p(chars / size);
  row[at + 2] = share(valueAt(groups.linkChars, group), chars);
  row[at + 3] = share(chars, totalChars);
  row[at + 4] = groupBlocks / size;
  row[at + 5] = valueAt(groups.links, group) / size;
  row[at + 6] = valueAt(groups.prices, group) / size;
  row[at + 7] = valueAt(groups.dates, group) / size;
  row[at + 8] = valueAt(groups.images, group) / size;
  row[at + 9] = valueAt(groups.headings, group) / size;
  row[at + 10] = share(valueAt(groups.goodChars, group), chars);
  row[at + 11] = valueAt(table.depth, valueAt(container, block)) - valueAt(table.depth, element);
  row[at + 12] = share(block - first, groupBlocks);
  row[at + 13] = first / blocks.length;
}

export type PageSource = { readonly url: string; readonly facts: PageFacts; readonly items: readonly DataItem[] };
const LONG_CHARS = 140;
const MAX_LONG_LINK_SHARE = 0.3;
const MAX_NAMES_CHARS = 1_000;

/** One value for each of `PAGE_FEATURES`, the same for every block of a page. */
function readPageFeatures(shape: DomTable, { words }: HeadingContext, source: PageSource): Float32Array {
  const { url, facts, items } = source;
  const path = URL.parse(url)?.pathname ?? '';
  const ogType = metaOf(facts, 'og:type').toLowerCase();
  const names = `${facts.pageNames} ${metaOf(facts, 'generator')}`.slice(0, MAX_NAMES_CHARS).toLowerCase();
  const has = (patterns: Readonly<Record<string, RegExp>>, text: string) =>
    Object.values(patterns).map((pattern) => Number(pattern.test(text)));
  const values = [
    ...measures(shape),
    path.split('/').filter((part) => part !== '').length,
    ...counts(shape),
    logOf(items.filter((item) => isOfType(item, ITEM_KINDS.product)).length),
    shape.texts.titleSize,
    ...kindShares(shape),
    ...OG_TYPES.map((type) => Number(type === 'product' ? ogType.includes(type) : ogType === type)),
    ...Object.values(ITEM_KINDS).map((pattern) => Number(items.some((item) => isOfType(item, pattern)))),
    ...has(URL_KINDS, path.toLowerCase()),
    ...has(BODY_KINDS, names),
    ...flagShares(shape, words),
    ...nameShares(shape),
  ];
  return Float32Array.from(values);
}

/** `blocks` to `articles`. */
function measures({ blocks, texts, table, totalChars }: DomTable): readonly number[] {
  let [paragraphs, paragraphChars, itemChars, longBlocks, longChars] = [0, 0, 0, 0, 0];
  for (let at = 0; at < blocks.length; at++) {
    const chars = valueAt(texts.chars, at);
    const name = blocks[at]?.element.name;
    if (name === 'p') {
      paragraphs++;
      paragraphChars += chars;
    }
    if (name === 'li') itemChars += chars;
    if (chars > LONG_CHARS && valueAt(texts.linkShare, at) < MAX_LONG_LINK_SHARE) {
      longBlocks++;
      longChars += chars;
    }
  }
  const articles = table.elements.filter(({ name }) => name === 'article').length;
  return [
    ...[logOf(blocks.length), logOf(totalChars), share(valueAt(table.linkChars, 0), totalChars)],
    ...[logOf(paragraphs), share(paragraphChars, totalChars), share(itemChars, totalChars)],
    ...[share(longChars, totalChars), logOf(longBlocks)],
    ...[Number(table.elements.some(({ name }) => name === 'main')), logOf(articles)],
  ];
}

/** `headings` to `largestGroupShare`. */
function counts({ blocks, texts, table, groups, flags, totalChars }: DomTable): readonly number[] {
  const largest = largestGroup(groups);
  const hiddenChars = blocks.reduce((sum, { visibility }, at) => {
    return visibility === 'hidden' ? sum + valueAt(texts.chars, at) : sum;
  }, 0);
  const flagged = (flag: number) => flags.reduce((sum, own) => sum + Number((own & flag) !== 0), 0);
  return [
    ...[logOf(valueAt(table.headings, 0)), logOf(flagged(PRICE_FLAG)), logOf(flagged(DATED_FLAG))],
    ...[logOf(valueAt(table.images, 0)), share(hiddenChars, totalChars), share(totalChars, blocks.length)],
    ...[logOf(valueAt(groups.size, largest)), share(valueAt(groups.chars, largest), totalChars)],
  ];
}

/** The group of elements with most text, the first one when none repeats. */
function largestGroup({ size, chars }: GroupTable): number {
  let largest = 0;
  for (let group = 0; group < size.length; group++) {
    const isLarger = valueAt(chars, group) > valueAt(chars, largest) || valueAt(size, largest) < MIN_ALIKE;
    if (valueAt(size, group) >= MIN_ALIKE && isLarger) largest = group;
  }
  return largest;
}

/** `tableShare` and `times`. */
function kindShares({ blocks, texts, totalChars }: DomTable): readonly number[] {
  let tableChars = 0;
  let times = 0;
  for (let at = 0; at < blocks.length; at++) {
    if (blocks[at]?.kind === 'table') tableChars += valueAt(texts.chars, at);
    if (((blocks[at]?.marks ?? 0) & 4) !== 0) times++;
  }
  return [share(tableChars, totalChars), logOf(times)];
}

/** `offers` to `alikeShare`. */
function flagShares({ blocks, texts, flags, table, groups }: DomTable, words: Int32Array): readonly number[] {
  const flagged = (name: string) => {
    const flag = flagOf(name);
    return logOf(flags.reduce((sum, own) => sum + Number((own & flag) !== 0), 0));
  };
  const announced = (bit: number) => logOf(words.reduce((sum, own) => sum + Number((own & bit) !== 0), 0));
  let alike = 0;
  for (let group = 0; group < groups.size.length; group++) if (valueAt(groups.size, group) >= MIN_ALIKE) alike++;
  return [
    ...[flagged('offer'), flagged('forumWords'), flagged('action')],
    logOf(table.elements.filter(({ name }) => name === 'h1').length),
    ...[announced(RELATED), announced(OPINIONS), share(new Set(texts.hash).size, blocks.length), logOf(alike)],
  ];
}

/** Share of the text within each of the tags and names. */
function nameShares({ table, totalChars }: DomTable): readonly number[] {
  return Array.from(table.namedChars, (chars) => share(chars, totalChars));
}
