import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BLOCK_FEATURES } from '../../../src/ai/blocks/block-features.ts';
import {
  BLOCK_MODEL_FILE,
  BLOCK_MODEL_URL,
  blockModelOf,
  defaultBlockModel,
} from '../../../src/ai/blocks/rank-blocks.ts';

const MAX_FILE_BYTES = 120_000;
const TREE = { f: [2, -1, -1], t: [0.5, 0, 0], l: [1, 0, 0], r: [2, 0, 0], v: [0, 1, -1] };
const FILE = { version: 1, trainedOn: 'a test', features: [...BLOCK_FEATURES], trees: [TREE, TREE] };

test('a model adds what its trees say of the row that begins at a place', () => {
  const model = blockModelOf(BLOCK_MODEL_FILE.parse(FILE));
  const rows = new Float32Array(2 * BLOCK_FEATURES.length);
  rows[BLOCK_FEATURES.length + 2] = 1;
  expect([model(rows, 0), model(rows, BLOCK_FEATURES.length)]).toEqual([2, -2]);
});

test.each<[string, object, string]>([
  ['fewer features', { features: BLOCK_FEATURES.slice(1) }, 'trained with other features: train it anew'],
  ['more features', { features: [...BLOCK_FEATURES, 'more'] }, 'trained with other features: train it anew'],
  ['another order', { features: BLOCK_FEATURES.toReversed() }, 'trained with other features: train it anew'],
  ['another version', { version: 2 }, 'version'],
  ['an unknown column', { trees: [{ ...TREE, f: [BLOCK_FEATURES.length, -1, -1] }] }, 'trees'],
  ['a cycle', { trees: [{ ...TREE, l: [0, 0, 0] }] }, 'trees'],
  ['what no script writes', { base: 0 }, 'base'],
])('a file is refused with %s', (_name, change, message) => {
  expect(() => BLOCK_MODEL_FILE.parse({ ...FILE, ...change })).toThrow(message);
});

describe('the file of the product', () => {
  const text = readFileSync(BLOCK_MODEL_URL, 'utf8');

  test('is small and as its script writes it', () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_FILE_BYTES);
    expect(text === `${JSON.stringify(JSON.parse(text))}\n`).toBe(true);
  });

  test('is the stock model, which is read once', () => {
    const row = Float32Array.from(BLOCK_FEATURES, (_, column) => column % 3);
    const model = blockModelOf(BLOCK_MODEL_FILE.parse(JSON.parse(text)));
    expect(defaultBlockModel()(row, 0)).toBe(model(row, 0));
    expect(defaultBlockModel()).toBe(defaultBlockModel());
  });
});
