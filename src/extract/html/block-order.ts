import { ANCESTOR_TAGS, DISTANCES, type DomTable, type ElementTable, OFFER_FLAG, PRICE_FLAG } from './dom-table.ts';
import { add, valueAt } from './text-measures.ts';

/** Sums over the blocks whose elements have the same names and classes over four levels. */
export type PathTable = {
  readonly blocks: Float64Array;
  readonly chars: Float64Array;
  readonly linkChars: Float64Array;
  readonly prices: Float64Array;
};

/** Where the blocks stand, and what they share. */
export type BlockOrder = {
  /** Blocks with the same text, the block counted. */
  readonly repeats: Float64Array;
  readonly charsBefore: Float64Array;
  readonly paths: PathTable;
  readonly pathOf: Int32Array;
  /** Of the block that is the page's heading, -1 without. */
  readonly h1: number;
  /** Of the block that offers to buy the page's thing, -1 without. */
  readonly offer: number;
  /** Blocks before with the same text. */
  readonly copies: Float64Array;
  /** The best-scoring container, and the page's heading. */
  readonly toTop: Meeting;
  readonly toH1: Meeting;
};

/** Where the way up from each block meets the way up from one element. */
export type Meeting = {
  /** Levels from the element to the place, and from the block. */
  readonly up: Int32Array;
  readonly down: Int32Array;
  /** Number of the element where they meet. */
  readonly element: Int32Array;
};

export function orderBlocks(shape: DomTable): BlockOrder {
  const { blocks, texts, table, origin, flags } = shape;
  const charsBefore = new Float64Array(blocks.length);
  for (let at = 1; at < blocks.length; at++)
    charsBefore[at] = valueAt(charsBefore, at - 1) + valueAt(texts.chars, at - 1);
  const h1 = headingOf(shape);
  return {
    ...countCopies(texts.hash),
    charsBefore,
    ...sumPaths(shape),
    h1,
    offer: flags.findIndex((flag) => (flag & OFFER_FLAG) !== 0),
    toTop: meet(shape, topOf(shape)),
    toH1: meet(shape, h1 < 0 ? table.elements.length - 1 : valueAt(origin, h1)),
  };
}

function countCopies(hashes: Int32Array): Pick<BlockOrder, 'repeats' | 'copies'> {
  const counts = new Map<number, number>();
  const copies = Float64Array.from(hashes, (hash) => {
    const count = counts.get(hash) ?? 0;
    counts.set(hash, count + 1);
    return count;
  });
  return { copies, repeats: Float64Array.from(hashes, (hash) => counts.get(hash) ?? 1) };
}

function sumPaths({ blocks, texts, table, container, flags }: DomTable): Pick<BlockOrder, 'paths' | 'pathOf'> {
  const numbers = new Map<number, number>();
  const pathOf = Int32Array.from(container, (element) => {
    const path = valueAt(table.path, element);
    const number = numbers.get(path) ?? numbers.size;
    numbers.set(path, number);
    return number;
  });
  const sums = () => new Float64Array(numbers.size);
  const paths: PathTable = { blocks: sums(), chars: sums(), linkChars: sums(), prices: sums() };
  for (let at = 0; at < blocks.length; at++) {
    const path = valueAt(pathOf, at);
    add(paths.blocks, path, 1);
    add(paths.chars, path, valueAt(texts.chars, at));
    add(paths.linkChars, path, blocks[at]?.linkChars ?? 0);
    if ((valueAt(flags, at) & PRICE_FLAG) !== 0) add(paths.prices, path, 1);
  }
  return { paths, pathOf };
}

const H1 = ANCESTOR_TAGS.indexOf('h1');

/** The first `h1`, or the one that has most words of the title. */
function headingOf({ blocks, table, origin, texts }: DomTable): number {
  let found = -1;
  for (let at = 0; at < blocks.length; at++) {
    if ((table.distances[valueAt(origin, at) * DISTANCES + H1] ?? 0) === 0) continue;
    const isBetter = found >= 0 && valueAt(texts.titleCovered, at) > valueAt(texts.titleCovered, found);
    if (found < 0 || isBetter) found = at;
  }
  return found;
}

const MIN_SCORED_CHARS = 25;
const SCORED_LEVELS = 4;

function topOf({ blocks, table, container, texts }: DomTable): number {
  const scores = new Float64Array(table.elements.length);
  for (let at = 0; at < blocks.length; at++) {
    const chars = valueAt(texts.chars, at);
    const linkShare = valueAt(texts.linkShare, at);
    if (chars < MIN_SCORED_CHARS || linkShare > 0.5) continue;
    const score = 1 + valueAt(texts.punctuation, at) + Math.min(chars / 100, 3) * (1 - linkShare);
    addScore(table, { scores, from: valueAt(container, at), score });
  }
  return bestOf(table, scores);
}

type Scored = { readonly scores: Float64Array; readonly from: number; readonly score: number };

/** Most for the parent, less with every level above it. */
function addScore({ parent }: ElementTable, { scores, from, score }: Scored): void {
  let at = from;
  for (let level = 0; level < SCORED_LEVELS && at !== 0; level++) {
    at = valueAt(parent, at);
    add(scores, at, score / (level === 0 ? 1 : level === 1 ? 2 : level * 3));
  }
}

function bestOf({ chars, linkChars }: ElementTable, scores: Float64Array): number {
  let best = 0;
  let most = 0;
  for (let at = 0; at < scores.length; at++) {
    const size = valueAt(chars, at);
    const score = valueAt(scores, at) * (size === 0 ? 1 : 1 - valueAt(linkChars, at) / size);
    if (score > most) {
      most = score;
      best = at;
    }
  }
  return best;
}

/** O(blocks × depth). */
function meet({ table: { parent }, origin }: DomTable, element: number): Meeting {
  const chain = new Map<number, number>();
  for (let at = Math.max(0, element), level = 0; ; at = valueAt(parent, at), level++) {
    chain.set(at, level);
    if (at === 0) break;
  }
  const list = () => new Int32Array(origin.length);
  const meeting = { up: list(), down: list(), element: list() };
  for (const [block, from] of origin.entries()) {
    let at = from;
    let levels = 0;
    for (; !chain.has(at); at = valueAt(parent, at)) levels++;
    meeting.up[block] = chain.get(at) ?? 0;
    meeting.down[block] = levels;
    meeting.element[block] = at;
  }
  return meeting;
}
