import { expect, test } from 'vitest';
import { selectionScores } from '../../../src/extract/html/choose-blocks.ts';
import {
  REUSED_FEATURES,
  readSelectionFeatures,
  type ScoredBlocks,
  SELECTION_FEATURES,
} from '../../../src/extract/html/selection-features.ts';

/** Blocks of ten words; elements 0 (root), 1 and 2, the first block in 1, all others in 2. */
function pageOf(scores: readonly number[], words = 10): ScoredBlocks {
  const none = () => new Int32Array(scores.length).fill(-1);
  return {
    scores: Float64Array.from(scores),
    words: new Float64Array(scores.length).fill(words),
    places: {
      heading: none().fill(0, 1),
      upper: none(),
      path: none().fill(0),
      inner: none(),
      outer: none(),
      container: Int32Array.from(scores, (_, at) => (at === 0 ? 1 : 2)),
      parent: Int32Array.of(0, 0, 0),
      larger: Int32Array.of(0, 0, 0),
    },
    kept: Float32Array.from({ length: scores.length * REUSED_FEATURES.length }, (_, at) => at % REUSED_FEATURES.length),
  };
}

function columnOf(page: ScoredBlocks, block: number, name: string): number {
  const { rows } = readSelectionFeatures(page);
  return rows[block * SELECTION_FEATURES.length + SELECTION_FEATURES.indexOf(name)] ?? Number.NaN;
}

test.each<[string, number, string, number]>([
  ['its own probability', 1, 'p', 0.4],
  ['that of a neighbour', 1, 'next1.p', 0.2],
  ['no neighbour', 2, 'next1.p', -1],
  ['the mean around it', 1, 'window2.p', 0.5],
  ['the mean below its heading', 1, 'section.mean', 0.3],
  ['the likeliest below its heading', 2, 'section.most', 0.4],
  ['that of its heading', 2, 'heading.p', 0.9],
  ['no heading', 0, 'heading.p', -1],
  ['the mean within its element', 2, 'around0.mean', 0.3],
  ['the mean within the page', 2, 'around1.mean', 0.5],
  ['its share of the likeliest', 1, 'ofBest', 0.4 / 0.9],
  ['the share of words that are likelier, its own counted', 1, 'rank', 2 / 3],
  ['how much of these is expected to be main text', 1, 'precision', 0.65],
  ['what came before', 1, 'before', 0.6],
  ['the likeliest block of the page', 2, 'scores.best', 0.9],
  ['the share of sure words', 2, 'scores.sureShare', 1 / 3],
  ['how likely the last of the likeliest half is', 0, 'scores.top0.5', 0.4],
  ['a column of the first row', 0, `own.${REUSED_FEATURES[3]}`, 3],
])('a block is told %s', (_, block, name, value) => {
  expect(columnOf(pageOf([0.9, 0.4, 0.2]), block, name)).toBeCloseTo(value, 5);
});

test('log odds are counted from the least likely block of the expected choice', () => {
  const { odds } = readSelectionFeatures(pageOf([0.9, 0.8, 0.01]));
  expect(odds[0]).toBeGreaterThan(0);
  expect(odds[1]).toBe(0);
  expect(odds[2]).toBeLessThan(-3);
});

test('a page without blocks, and one without words, are no trouble', () => {
  expect(readSelectionFeatures(pageOf([])).odds).toHaveLength(0);
  expect([...readSelectionFeatures(pageOf([0, 0], 0)).rows].every(Number.isFinite)).toBe(true);
});

test('impossible blocks are worth nothing, whatever the second look says', () => {
  const model = { score: () => 0, correct: () => 100 };
  const worth = selectionScores(model, pageOf([0.9, 0, 0.2]));
  expect(worth[1]).toBe(0);
  expect(worth[2]).toBeGreaterThan(0.99);
});

test.each<[string, readonly number[], number, boolean]>([
  ['a page of unlikely blocks alone is worth nothing', [0.17, 0.1, 0.02], 40, false],
  ['one block that may be text makes it a page', [0.19, 0.1, 0.02], 40, true],
  ['the few words of a page are its text, likely or not', [0.17, 0.1, 0.02], 30, true],
  ['a long page on which all is unlikely is no shell', [0.17, 0.1, 0.02], 400, true],
])('%s', (_, scores, words, isSelected) => {
  const worth = selectionScores({ score: () => 0, correct: () => 100 }, pageOf(scores, words));
  expect(worth.some((own) => own > 0)).toBe(isSelected);
});
