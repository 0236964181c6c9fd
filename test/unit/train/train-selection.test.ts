import { expect, test } from 'vitest';
import {
  type ScoredPage,
  scoredBlocks,
  type Training,
  trainSelection,
} from '../../../scripts/train/train-selection.ts';
import type { TrainingPage } from '../../../scripts/train/training-pages.ts';
import { flattenTrees } from '../../../src/core/boosted-trees.ts';
import { selectionScores } from '../../../src/extract/html/choose-blocks.ts';
import { FEATURES } from '../../../src/extract/html/features.ts';

const TREES = { trees: 30, learningRate: 0.3, leaves: 4, minRowsPerLeaf: 5, l2: 0.001, columnShare: 1 };
const TRAINING: Training = { options: { blocks: TREES, worth: TREES }, segmentWeight: 20 };
const BLOCKS = 10;
const ELEMENT = { name: 'p', attributes: {}, children: [], parent: undefined, attributeBits: 0 };

/** One likely block, and nine doubtful ones that are main text on some pages: those whose best block is less likely. */
function pageOf(best: number, isWhole: boolean): ScoredPage {
  const words = Array.from({ length: BLOCKS }, (_, at) => `one two three four five six seven eight nine${at}`);
  const page: TrainingPage = {
    kind: 'own',
    fold: 0,
    host: 0,
    blocks: words.map((text) => ({
      kind: 'paragraph',
      level: 0,
      text,
      words: 9,
      element: ELEMENT,
      origin: ELEMENT,
      group: undefined,
      linkChars: 0,
      links: 0,
      marks: 0,
      visibility: 'visible',
      snippet: true,
      rule: undefined,
    })),
    shares: words.map((_, at) => Number(at === 0 || isWhole)),
    rows: new Float32Array(BLOCKS * FEATURES.length),
    places: {
      heading: none(),
      upper: none(),
      path: none(),
      inner: none(),
      outer: none(),
      container: new Int32Array(BLOCKS),
      parent: Int32Array.of(0),
      larger: Int32Array.of(0),
    },
    truth: { text: (isWhole ? words : words.slice(0, 1)).join(' '), must: [], mustNot: [] },
  };
  return { page, scores: Float64Array.from(words, (_, at) => (at === 0 ? best : 0.45)) };
}

function none(): Int32Array {
  return new Int32Array(BLOCKS).fill(-1);
}

test('doubtful blocks are worth what such pages make of them', () => {
  const pages = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? pageOf(0.95, false) : pageOf(0.6, true)));
  const trees = trainSelection(pages, TRAINING);
  const model = { score: () => 0, correct: flattenTrees({ base: 0, trees: [...trees] }).odds };
  const [few, all] = [pageOf(0.95, false), pageOf(0.6, true)].map((page) => selectionScores(model, scoredBlocks(page)));
  expect(few?.[0]).toBeGreaterThan(0.5);
  expect(few?.[5]).toBeLessThan(0.5);
  expect(all?.[5]).toBeGreaterThan(0.5);
});

test('the same pages give the same trees', () => {
  const pages = [pageOf(0.95, false), pageOf(0.6, true), pageOf(0.9, false)];
  expect(trainSelection(pages, TRAINING)).toEqual(trainSelection(pages, TRAINING));
});
