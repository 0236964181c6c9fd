import { type BlockStructure, FEATURES } from './features.ts';
import { add, share, valueAt } from './text-measures.ts';

/** A page whose blocks have probabilities, and what stands together on it. */
export type ScoredBlocks = {
  readonly scores: Float64Array;
  /** Of each block. */
  readonly words: Float64Array;
  readonly places: BlockStructure;
  /** `REUSED_FEATURES` of each block, one row after another. */
  readonly kept: Float32Array;
};

export type SelectionRows = {
  /** One row of `SELECTION_FEATURES` per block. */
  readonly rows: Float32Array;
  /** Log odds of each block against the least likely one of the expected choice. */
  readonly odds: Float64Array;
};

const REUSED_GROUPS = /^(?:heading|section|path|inner|outer)\./;
const REUSED_NAMES = new Set([
  ...['chars', 'words', 'wordLength', 'linkShare', 'punctuationShare', 'digits', 'capitals', 'repeated', 'copies'],
  ...['endsWithStop', 'action', 'year', 'price', 'separator', 'dated', 'code', 'hidden', 'faded'],
  ...['titleShare', 'titleCovered', 'descriptionShare', 'dataMain', 'dataOpinions', 'dataOther'],
  ...['p', 'li', 'a', 'h2', 'h3', 'h4', 'td', 'div', 'pre', 'blockquote'].map((tag) => `tag.${tag}`),
  ...['nav', 'footer', 'aside', 'main', 'article', 'section', 'form', 'table', 'pre', 'details', 'li'].map(
    (tag) => `in.${tag}`,
  ),
  ...['nav', 'side', 'foot', 'related', 'comment', 'review'].map((word) => `named.${word}`),
  ...['topDistance', 'rank', 'charRank', 'fromH1', 'fromStart', 'fromEnd', 'fromOffer'],
  ...['h1.up', 'h1.down', 'h1.share', 'h1.linkShare', 'top.up', 'top.down', 'top.share', 'top.linkShare'],
  ...['upper.related', 'upper.opinions', 'upper.about', 'upper.distance', 'related.distance', 'opinions.distance'],
]);

/** What is read again of the first row. */
export const REUSED_FEATURES: readonly string[] = FEATURES.filter(
  (name) => REUSED_GROUPS.test(name) || REUSED_NAMES.has(name),
);

/** Where they stand in a row of `FEATURES`. */
export const REUSED_COLUMNS: Int32Array = Int32Array.from(REUSED_FEATURES, (name) => FEATURES.indexOf(name));

const NEIGHBOURS = [-3, -2, -1, 1, 2, 3];
const WINDOWS = [2, 5, 15];
const CONTAINERS = 6;
const GROUPS = ['section', 'upper', 'path', 'inner', 'outer'] as const;
/** Shares of the page's words, the likeliest first: how likely is the last one of them? */
const QUANTILES = [0.05, 0.1, 0.2, 0.35, 0.5, 0.75];
const PAGE_NAMES = [
  ...['best', 'words', 'expectedWords', 'share', 'doubt', 'expectedF', 'threshold', 'chosenPrecision', 'chosenShare'],
  ...['sureShare', 'doubtfulShare', ...QUANTILES.map((part) => `top${part}`)],
].map((name) => `scores.${name}`);
const OWN_NAMES = ['p', 'odds', 'before', 'rank', 'precision', 'overThreshold', 'ofBest', 'heading.p', 'upper.p'];

/** Columns that say how likely a block is beside those that it stands with; a part of every model file. */
export const SELECTION_FEATURES: readonly string[] = [
  ...OWN_NAMES,
  ...NEIGHBOURS.map((offset) => `next${offset}.p`),
  ...WINDOWS.map((size) => `window${size}.p`),
  ...GROUPS.flatMap((name) => [`${name}.mean`, `${name}.most`, `${name}.words`]),
  ...Array.from({ length: CONTAINERS }, (_, level) =>
    ['mean', 'most', 'share'].map((name) => `around${level}.${name}`),
  ).flat(),
  ...PAGE_NAMES,
  ...REUSED_FEATURES.map((name) => `own.${name}`),
];

/** A word more than none: blocks of signs count as half a word. */
const HALF_WORD = 0.5;
/** Recall is worth β times precision where the choice begins. */
const START_BETA = 1.5;
const [MIN_THRESHOLD, MAX_THRESHOLD] = [0.02, 0.95];
const [SURE, UNCERTAIN] = [0.7, 0.2];
const [MIN_P, MAX_P] = [0.001, 0.999];

/** O(blocks · log blocks + elements). */
export function readSelectionFeatures(page: ScoredBlocks): SelectionRows {
  const words = page.words.map((count) => count + HALF_WORD);
  const { scores, places: positions, kept } = page;
  const choice = expectFBeta(scores, words, START_BETA);
  const input: Weighing = {
    scores,
    words,
    places: positions,
    choice,
    page: pageColumns(scores, words, choice),
    groups: [positions.heading, positions.upper, positions.path, positions.inner, positions.outer].map((keys) =>
      sumGroups(keys, scores, words),
    ),
    elements: sumElements(positions, scores, words),
    ...sumBefore(scores, words),
  };
  const columns = SELECTION_FEATURES.length;
  const rows = new Float32Array(scores.length * columns);
  const first = columns - REUSED_FEATURES.length;
  for (let block = 0; block < scores.length; block++) {
    writeRow(rows, block * columns, block, input);
    rows.set(
      kept.subarray(block * REUSED_FEATURES.length, (block + 1) * REUSED_FEATURES.length),
      block * columns + first,
    );
  }
  const start = oddsOf(Math.min(MAX_THRESHOLD, Math.max(MIN_THRESHOLD, choice.threshold)));
  return { rows, odds: scores.map((score) => oddsOf(score) - start) };
}

type Weighing = {
  readonly scores: Float64Array;
  readonly words: Float64Array;
  readonly places: BlockStructure;
  readonly choice: ReturnType<typeof expectFBeta>;
  readonly page: readonly number[];
  readonly groups: readonly Sums[];
  readonly elements: Sums;
  /** Of all blocks before each, and of all at the end. */
  readonly wordsBefore: Float64Array;
  readonly expectedBefore: Float64Array;
};

function writeRow(rows: Float32Array, from: number, block: number, input: Weighing): void {
  const { scores, places: positions, choice, page, groups, expectedBefore } = input;
  const own = valueAt(scores, block);
  const heading = positions.heading[block] ?? -1;
  const upper = positions.upper[block] ?? -1;
  let at = from;
  rows[at++] = own;
  rows[at++] = oddsOf(own);
  rows[at++] = share(valueAt(expectedBefore, block), choice.expected);
  rows[at++] = share(valueAt(choice.wordsAbove, block), valueAt(input.wordsBefore, scores.length));
  rows[at++] = share(valueAt(choice.expectedAbove, block), valueAt(choice.wordsAbove, block));
  rows[at++] = own - choice.threshold;
  rows[at++] = share(own, page[0] ?? 0);
  rows[at++] = heading < 0 ? -1 : valueAt(scores, heading);
  rows[at++] = upper < 0 ? -1 : valueAt(scores, upper);
  for (const offset of NEIGHBOURS) rows[at++] = scores[block + offset] ?? -1;
  for (const size of WINDOWS) rows[at++] = meanAround(input, block, size);
  const keys = [
    heading,
    upper,
    positions.path[block] ?? -1,
    positions.inner[block] ?? -1,
    positions.outer[block] ?? -1,
  ];
  for (const [index, { words, expected, most }] of groups.entries()) {
    const key = (keys[index] ?? -1) + 1;
    rows[at++] = share(valueAt(expected, key), valueAt(words, key));
    rows[at++] = valueAt(most, key);
    rows[at++] = Math.log1p(valueAt(words, key));
  }
  at = writeContainers(rows, at, valueAt(positions.container, block), input);
  rows.set(page, at);
}

function writeContainers(rows: Float32Array, from: number, container: number, input: Weighing): number {
  const { elements, places: positions, choice } = input;
  let at = from;
  let element = container;
  for (let level = 0; level < CONTAINERS; level++) {
    rows[at++] = share(valueAt(elements.expected, element), valueAt(elements.words, element));
    rows[at++] = valueAt(elements.most, element);
    rows[at++] = share(valueAt(elements.expected, element), choice.expected);
    element = valueAt(positions.larger, element);
  }
  return at;
}

function meanAround({ scores, wordsBefore, expectedBefore }: Weighing, block: number, size: number): number {
  const from = Math.max(0, block - size);
  const to = Math.min(scores.length, block + size + 1);
  const expected = valueAt(expectedBefore, to) - valueAt(expectedBefore, from);
  return share(expected, valueAt(wordsBefore, to) - valueAt(wordsBefore, from));
}

/** Of each key + 1: words, words that are expected to be main text, and the largest probability. */
type Sums = { readonly words: Float64Array; readonly expected: Float64Array; readonly most: Float64Array };

function sumsOf(size: number): Sums {
  return { words: new Float64Array(size), expected: new Float64Array(size), most: new Float64Array(size) };
}

function sumGroups(keys: Int32Array, scores: Float64Array, words: Float64Array): Sums {
  const sums = sumsOf(keys.reduce((most, key) => Math.max(most, key), -1) + 2);
  for (const [block, key] of keys.entries()) {
    const score = valueAt(scores, block);
    add(sums.words, key + 1, valueAt(words, block));
    add(sums.expected, key + 1, valueAt(words, block) * score);
    sums.most[key + 1] = Math.max(valueAt(sums.most, key + 1), score);
  }
  return sums;
}

/** By number of the element, with all that it holds. */
function sumElements({ container, parent }: BlockStructure, scores: Float64Array, words: Float64Array): Sums {
  const sums = sumsOf(parent.length);
  for (const [block, element] of container.entries()) {
    const score = valueAt(scores, block);
    add(sums.words, element, valueAt(words, block));
    add(sums.expected, element, valueAt(words, block) * score);
    sums.most[element] = Math.max(valueAt(sums.most, element), score);
  }
  for (let at = parent.length - 1; at > 0; at--) {
    const above = valueAt(parent, at);
    add(sums.words, above, valueAt(sums.words, at));
    add(sums.expected, above, valueAt(sums.expected, at));
    sums.most[above] = Math.max(valueAt(sums.most, above), valueAt(sums.most, at));
  }
  return sums;
}

function sumBefore(scores: Float64Array, words: Float64Array): Pick<Weighing, 'wordsBefore' | 'expectedBefore'> {
  const wordsBefore = new Float64Array(scores.length + 1);
  const expectedBefore = new Float64Array(scores.length + 1);
  for (let at = 0; at < scores.length; at++) {
    wordsBefore[at + 1] = valueAt(wordsBefore, at) + valueAt(words, at);
    expectedBefore[at + 1] = valueAt(expectedBefore, at) + valueAt(words, at) * valueAt(scores, at);
  }
  return { wordsBefore, expectedBefore };
}

/** One value for each of `PAGE_NAMES`. */
function pageColumns(scores: Float64Array, words: Float64Array, choice: Weighing['choice']): readonly number[] {
  const { order, wordsAbove, expected, chosen, value, threshold } = choice;
  let [all, sure, uncertain, uncertainty] = [0, 0, 0, 0];
  for (const [at, score] of scores.entries()) {
    const count = valueAt(words, at);
    all += count;
    uncertainty += count * score * (1 - score);
    if (score > SURE) sure += count;
    else if (score > UNCERTAIN) uncertain += count;
  }
  const lastOf = (part: number) => order.find((at) => valueAt(wordsAbove, at) >= part * all);
  return [
    ...[valueAt(scores, order[0] ?? -1), Math.log1p(all), Math.log1p(expected), share(expected, all)],
    ...[share(uncertainty, expected), value, threshold, share(chosen.expected, chosen.words), share(chosen.words, all)],
    ...[share(sure, all), share(uncertain, all), ...QUANTILES.map((part) => valueAt(scores, lastOf(part) ?? -1))],
  ];
}

function oddsOf(score: number): number {
  const p = Math.min(MAX_P, Math.max(MIN_P, score));
  return Math.log(p / (1 - p));
}

/** The blocks from the best down to some place, and what their probabilities promise. */
export type ExpectedChoice = {
  /** Blocks by their probability, the likeliest first. */
  readonly order: Uint32Array;
  /** Of each block: words of it and of all that are likelier, and how many of them are expected to be main text. */
  readonly wordsAbove: Float64Array;
  readonly expectedAbove: Float64Array;
  /** Words of the page that are expected to be main text. */
  readonly expected: number;
  /** The largest expected F-beta, and what it takes: the least probability, the words, the expected words. */
  readonly value: number;
  readonly threshold: number;
  readonly chosen: { readonly words: number; readonly expected: number };
};

/**
 * The place where the expected F-beta of the words is largest: one threshold per page, without a constant. With equal
 * probabilities the blocks are chosen together. O(n · log n).
 */
export function expectFBeta(scores: Float64Array, words: Float64Array, beta: number): ExpectedChoice {
  const square = beta * beta;
  const order = Uint32Array.from(scores, (_, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  let expected = 0;
  for (let at = 0; at < scores.length; at++) expected += (scores[at] ?? 0) * (words[at] ?? 0);
  const wordsAbove = new Float64Array(scores.length);
  const expectedAbove = new Float64Array(scores.length);
  let [right, all, value] = [0, 0, 0];
  let threshold = 1;
  let chosen = { words: 0, expected: 0 };
  for (const at of order) {
    right += (scores[at] ?? 0) * (words[at] ?? 0);
    all += words[at] ?? 0;
    wordsAbove[at] = all;
    expectedAbove[at] = right;
    const own = ((1 + square) * right) / (all + square * expected);
    if (!(own > value)) continue;
    value = own;
    threshold = scores[at] ?? 0;
    chosen = { words: all, expected: right };
  }
  return { order, wordsAbove, expectedAbove, expected, value, threshold, chosen };
}
