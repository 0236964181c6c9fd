import type { BlockOrder } from './block-order.ts';
import { INLINE_MARKS } from './blocks.ts';
import { CLASS_WORDS } from './class-words.ts';
import { ANCESTOR_TAGS, DISTANCES, type DomTable, TEXT_FLAGS } from './dom-table.ts';
import type { HeadingContext } from './heading-context.ts';
import { logOf, share, valueAt } from './text-measures.ts';

/** Columns of a block's row: their names, and what writes them from `at` on. */
export type FeatureGroup = {
  readonly names: readonly string[];
  readonly write: (row: Float32Array, at: number, input: MeasuredBlock) => void;
};

export type MeasuredBlock = {
  readonly shape: DomTable;
  readonly order: BlockOrder;
  readonly context: HeadingContext;
  readonly containerRows: ContainerRows;
  readonly block: number;
};

const TAGS =
  'p li h1 h2 h3 h4 h5 h6 td th tr div span a pre blockquote dt dd figcaption button label section article summary'.split(
    ' ',
  );
const MARKS = ['bold', 'code', 'time', 'image', 'input'] as const;
const MARK_BITS = [...new Set(INLINE_MARKS.values())];

const text: FeatureGroup = {
  names: [
    ...['chars', 'words', 'linkShare', 'links', 'wordLength', 'punctuation', 'punctuationShare', 'digits', 'capitals'],
    ...['shortWords', 'repeated', ...TEXT_FLAGS.map(([name]) => name), ...MARKS],
  ],
  write(row, at, { shape: { texts, flags, blocks }, order, block }) {
    const chars = valueAt(texts.chars, block);
    const words = valueAt(texts.words, block);
    const punctuation = valueAt(texts.punctuation, block);
    row[at] = logOf(chars);
    row[at + 1] = logOf(words);
    row[at + 2] = valueAt(texts.linkShare, block);
    row[at + 3] = logOf(blocks[block]?.links ?? 0);
    row[at + 4] = share(valueAt(texts.wordChars, block), words);
    row[at + 5] = logOf(punctuation);
    row[at + 6] = share(punctuation, words);
    row[at + 7] = share(valueAt(texts.digits, block), chars);
    row[at + 8] = share(valueAt(texts.capitals, block), chars);
    row[at + 9] = share(valueAt(texts.shortWords, block), words);
    row[at + 10] = logOf(valueAt(order.repeats, block));
    const flag = valueAt(flags, block);
    for (let bit = 0; bit < TEXT_FLAGS.length; bit++) row[at + 11 + bit] = (flag >> bit) & 1;
    const marks = blocks[block]?.marks ?? 0;
    const from = at + 11 + TEXT_FLAGS.length;
    for (let bit = 0; bit < MARK_BITS.length; bit++) row[from + bit] = (marks & (MARK_BITS[bit] ?? 0)) === 0 ? 0 : 1;
  },
};

const agreement: FeatureGroup = {
  names: ['titleShare', 'titleCovered', 'descriptionShare', 'dataMain', 'dataOpinions', 'dataOther'],
  write(row, at, { shape: { texts }, block }) {
    const words = valueAt(texts.words, block);
    row[at] = share(valueAt(texts.titleWords, block), words);
    row[at + 1] = share(valueAt(texts.titleCovered, block), texts.titleSize);
    row[at + 2] = share(valueAt(texts.descriptionWords, block), words);
    row[at + 3] = share(valueAt(texts.dataMain, block), words);
    row[at + 4] = share(valueAt(texts.dataOpinions, block), words);
    row[at + 5] = share(valueAt(texts.dataOther, block), words);
  },
};

const ownTag: FeatureGroup = {
  names: TAGS.map((tag) => `tag.${tag}`),
  write(row, at, { shape: { blocks }, block }) {
    row.fill(0, at, at + TAGS.length);
    const tag = TAGS.indexOf(blocks[block]?.element.name ?? '');
    if (tag >= 0) row[at + tag] = 1;
  },
};

/** 1 at the block's own element, less with every level above. */
const NEARNESS = Float32Array.from({ length: 256 }, (_, levels) => (levels === 0 ? 0 : 1 / (1 + (levels - 1) / 4)));

const around: FeatureGroup = {
  names: [...ANCESTOR_TAGS.map((tag) => `in.${tag}`), ...CLASS_WORDS.map((word) => `named.${word}`)],
  write(row, at, { shape: { table, origin }, block }) {
    const from = valueAt(origin, block) * DISTANCES;
    for (let index = 0; index < DISTANCES; index++) {
      row[at + index] = NEARNESS[table.distances[from + index] ?? 0] ?? 0;
    }
  },
};

const state: FeatureGroup = {
  names: ['hidden', 'faded', 'depth', 'topDistance', 'inTop', 'listDepth'],
  write(row, at, { shape: { blocks, table, origin }, order, block }) {
    const visibility = blocks[block]?.visibility;
    const top = valueAt(order.toTop.up, block);
    row[at] = visibility === 'hidden' ? 1 : 0;
    row[at + 1] = visibility === 'faded' ? 1 : 0;
    row[at + 2] = valueAt(table.depth, valueAt(origin, block));
    row[at + 3] = top;
    row[at + 4] = top === 0 ? 1 : 0;
    row[at + 5] = blocks[block]?.group === undefined ? 0 : 1;
  },
};

const CONTAINERS = 6;
const CONTAINER_NAMES = ['chars', 'linkShare', 'blocks', 'good', 'share', 'alike', 'punctuation', 'images'];

/** Each strictly larger than the one before. */
const containers: FeatureGroup = {
  names: Array.from({ length: CONTAINERS }, (_, level) =>
    CONTAINER_NAMES.map((name) => `around${level}.${name}`),
  ).flat(),
  write(row, from, { shape, containerRows, block }) {
    const { table, container } = shape;
    let element = valueAt(container, block);
    let at = from;
    for (let level = 0; level < CONTAINERS; level++) {
      if (containerRows.isKnown[element] !== 1) writeContainer(containerRows, shape, element);
      const known = element * CONTAINER_NAMES.length;
      for (let index = 0; index < CONTAINER_NAMES.length; index++) row[at++] = containerRows.rows[known + index] ?? 0;
      element = valueAt(table.larger, element);
    }
  },
};

/** Columns of a container by its element, made when a block asks for them: many blocks stand in the same ones. */
export type ContainerRows = { readonly rows: Float32Array; readonly isKnown: Uint8Array };

export function containerRows({ table }: DomTable): ContainerRows {
  const size = table.elements.length;
  return { rows: new Float32Array(size * CONTAINER_NAMES.length), isKnown: new Uint8Array(size) };
}

function writeContainer(
  { rows, isKnown }: ContainerRows,
  { table, groups, totalChars }: DomTable,
  element: number,
): void {
  const chars = valueAt(table.chars, element);
  const blocks = valueAt(table.blocks, element);
  const at = element * CONTAINER_NAMES.length;
  isKnown[element] = 1;
  rows[at] = logOf(chars);
  rows[at + 1] = share(valueAt(table.linkChars, element), chars);
  rows[at + 2] = logOf(blocks);
  rows[at + 3] = share(valueAt(table.goodChars, element), chars);
  rows[at + 4] = share(chars, totalChars);
  rows[at + 5] = logOf(valueAt(groups.size, valueAt(table.group, element)));
  rows[at + 6] = share(valueAt(table.punctuation, element), valueAt(table.words, element));
  rows[at + 7] = share(valueAt(table.images, element), blocks);
}

const samePath: FeatureGroup = {
  names: ['path.blocks', 'path.chars', 'path.linkShare', 'path.share', 'path.prices'],
  write(row, at, { shape: { totalChars }, order: { paths, pathOf }, block }) {
    const path = valueAt(pathOf, block);
    const chars = valueAt(paths.chars, path);
    const blocks = valueAt(paths.blocks, path);
    row[at] = logOf(blocks);
    row[at + 1] = logOf(chars);
    row[at + 2] = share(valueAt(paths.linkChars, path), chars);
    row[at + 3] = share(chars, totalChars);
    row[at + 4] = share(valueAt(paths.prices, path), blocks);
  },
};

const position: FeatureGroup = {
  names: ['rank', 'charRank', 'fromH1', 'isH1', 'fromStart', 'fromEnd', 'fromOffer', 'copies'],
  write(row, at, { shape: { blocks, totalChars }, order: { h1, charsBefore, offer, copies }, block }) {
    const fromH1 = block - h1;
    row[at] = block / blocks.length;
    row[at + 1] = share(valueAt(charsBefore, block), totalChars);
    row[at + 2] = h1 < 0 ? 0 : Math.sign(fromH1) * logOf(Math.abs(fromH1));
    row[at + 3] = h1 < 0 ? -1 : fromH1 === 0 ? 1 : 0;
    row[at + 4] = logOf(block);
    row[at + 5] = logOf(blocks.length - block);
    row[at + 6] = offer < 0 ? 0 : Math.sign(block - offer) * logOf(Math.abs(block - offer));
    row[at + 7] = valueAt(copies, block);
  },
};

/** Where the block and the heading, or the best-scoring container, lie in the same element. */
const meetings: FeatureGroup = {
  names: ['h1', 'top'].flatMap((name) => [`${name}.up`, `${name}.down`, `${name}.share`, `${name}.linkShare`]),
  write(row, from, { shape: { table, totalChars }, order: { h1, toH1, toTop }, block }) {
    for (const [index, { up, down, element }] of [toH1, toTop].entries()) {
      const at = from + index * 4;
      const elementIndex = valueAt(element, block);
      const chars = valueAt(table.chars, elementIndex);
      row[at] = elementIndex === 0 && h1 < 0 ? -1 : valueAt(up, block);
      row[at + 1] = elementIndex === 0 && h1 < 0 ? -1 : valueAt(down, block);
      row[at + 2] = share(chars, totalChars);
      row[at + 3] = share(valueAt(table.linkChars, elementIndex), chars);
    }
  },
};

const NEIGHBOURS = [-3, -2, -1, 1, 2, 3];
const NEIGHBOUR_NAMES = ['words', 'linkShare', 'sameParent', 'tag', 'punctuation', 'sameClass'];

const neighbours: FeatureGroup = {
  names: NEIGHBOURS.flatMap((offset) => NEIGHBOUR_NAMES.map((name) => `next${offset}.${name}`)),
  write(row, from, { shape, block }) {
    const { blocks, texts, table, container } = shape;
    const own = valueAt(container, block);
    let at = from;
    for (let index = 0; index < NEIGHBOURS.length; index++, at += NEIGHBOUR_NAMES.length) {
      const other = block + (NEIGHBOURS[index] ?? 0);
      if (other < 0 || other >= blocks.length) {
        row.fill(-1, at, at + NEIGHBOUR_NAMES.length);
        continue;
      }
      const element = valueAt(container, other);
      row[at] = logOf(valueAt(texts.words, other));
      row[at + 1] = valueAt(texts.linkShare, other);
      row[at + 2] = table.parent[element] === table.parent[own] ? 1 : 0;
      row[at + 3] = TAGS.indexOf(blocks[other]?.element.name ?? '');
      row[at + 4] = logOf(valueAt(texts.punctuation, other));
      row[at + 5] = table.path[element] === table.path[own] ? 1 : 0;
    }
  },
};

const WINDOW = 8;

const window: FeatureGroup = {
  names: ['window.chars', 'window.linkShare'],
  write(row, at, { shape: { texts, blocks }, block }) {
    let chars = 0;
    let linkChars = 0;
    const end = Math.min(blocks.length, block + WINDOW + 1);
    for (let other = Math.max(0, block - WINDOW); other < end; other++) {
      chars += valueAt(texts.chars, other);
      linkChars += blocks[other]?.linkChars ?? 0;
    }
    row[at] = logOf(chars);
    row[at + 1] = share(linkChars, chars);
  },
};

export const BLOCK_FEATURES: readonly FeatureGroup[] = [
  ...[text, agreement, ownTag, around, state, containers, samePath, position, meetings, neighbours, window],
];
