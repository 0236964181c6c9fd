import type { FeatureGroup } from './block-features.ts';
import type { DomTable } from './dom-table.ts';
import { HEADING_WORDS } from './heading-words.ts';
import { logOf, share, valueAt } from './numbers.ts';

/** Near is little, and none is more than any. */
const distance = (from: number, to: number) => (to < 0 ? 9 : logOf(from - to));

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

const MIN_ALIKE = 3;
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

export const CONTEXT_FEATURES: readonly FeatureGroup[] = [headings, items];
