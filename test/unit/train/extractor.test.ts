import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { binColumns, trainTrees } from '../../../scripts/train/boosted-trees.ts';
import { alignBlocks } from '../../../scripts/train/label-blocks.ts';
import { makeModelFile, reportOf } from '../../../scripts/train/make-model-file.ts';
import { worseThan } from '../../../scripts/train/report.ts';
import { readTrainingPages } from '../../../scripts/train/training-pages.ts';
import { flattenTrees } from '../../../src/core/boosted-trees.ts';

const folder = new URL('../../fixtures/training/', import.meta.url);
const modelFile = new URL('model.json', folder);
const TREES = { trees: 4, learningRate: 0.3, leaves: 4, minRowsPerLeaf: 2, l2: 1, columnShare: 0.5 };
const OPTIONS = { blocks: TREES, worth: { ...TREES, l2: 0.01 } };

function trainOnFixture() {
  return makeModelFile([...readTrainingPages(fileURLToPath(folder))], 20, OPTIONS);
}

test('the same pages give the same file, byte for byte', () => {
  const file = `${JSON.stringify(trainOnFixture())}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(modelFile, file);
  expect(file).toBe(readFileSync(modelFile, 'utf8'));
});

test('a model that is clearly worse is told by its report', () => {
  const report = reportOf(trainOnFixture());
  const { balanced } = report.profiles;
  const worse = {
    ...report,
    profiles: { ...report.profiles, balanced: { ...balanced, all: { ...balanced.all, F1: balanced.all.F1 - 0.01 } } },
  };
  expect(worseThan(report, report)).toEqual([]);
  expect(worseThan(report, worse)).toEqual([expect.stringMatching(/^F1 of all pages falls from/)]);
});

test('boosted trees learn what one column cannot tell', () => {
  const size = 400;
  const values = Float32Array.from({ length: size * 2 }, (_, at) => (Math.imul(at + 1, 2_654_435_761) >>> 8) % 1000);
  const labels = Uint8Array.from({ length: size }, (_, row) => {
    return Number(values[2 * row]! > 500) ^ Number(values[2 * row + 1]! > 300);
  });
  const data = binColumns(
    { values, columns: 2 },
    Int32Array.from({ length: size }, (_, row) => row),
  );
  const rows = { data, labels, weights: new Float64Array(size).fill(1) };
  const options = { trees: 40, learningRate: 0.3, leaves: 6, minRowsPerLeaf: 5, l2: 1, columnShare: 1 };
  const model = flattenTrees(trainTrees(rows, options));
  const right = labels.filter((label, row) => model.score(values, 2 * row) > 0.5 === (label === 1)).length;
  expect(right / size).toBeGreaterThan(0.95);
});

test.each<[string, readonly string[], string, readonly number[]]>([
  ['whole blocks', ['One two three four', 'five six seven eight'], 'one two three four five six seven eight', [1, 1]],
  ['part of a block', ['alpha beta gamma delta other'], 'alpha beta gamma delta', [0.8]],
  ['too small a part', ['alpha beta other words here'], 'alpha beta', [0]],
  ['words of the truth once', ['same line of text', 'same line of text'], 'same line of text', [1, 0]],
  [
    'short blocks only where their neighbours are',
    ['Price', 'a long text of its own', 'Price'],
    'a long text of its own',
    [0, 1, 0],
  ],
  ['short blocks beside their neighbours', ['Price', 'a long text of its own'], 'price a long text of its own', [1, 1]],
  ['small gaps', ['one two three four'], 'one x two y three four', [1]],
])('blocks are found in the labelled text: %s', (_, blocks, truth, shares) => {
  expect(alignBlocks(blocks, truth)).toEqual(shares);
});
