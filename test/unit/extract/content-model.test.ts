import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flattenTrees, type Tree } from '../../../src/core/boosted-trees.ts';
import {
  BUILT_IN_MODEL,
  builtInModel,
  type ModelFile,
  readContentModel,
} from '../../../src/extract/html/content-model.ts';
import { FEATURES } from '../../../src/extract/html/features.ts';
import { KEPT_COLUMNS, WORTH_FEATURES } from '../../../src/extract/html/worth-features.ts';

const file: ModelFile = JSON.parse(readFileSync(BUILT_IN_MODEL, 'utf8'));
const MAX_FILE_BYTES = 260_000;

/** What the file says, read literally. */
function naiveOdds({ base, trees }: Pick<ModelFile, 'base' | 'trees'>, row: Float32Array): number {
  const leafOf = ({ f, t, l, r, v }: Tree, node: number): number => {
    const column = f[node]!;
    if (column < 0) return v[node]!;
    return leafOf({ f, t, l, r, v }, row[column]! <= Math.fround(t[node]!) ? l[node]! : r[node]!);
  };
  return trees.reduce((sum, tree) => sum + Math.fround(leafOf(tree, 0)), base);
}

describe('the built-in model', () => {
  test('has the columns of the code, in order', () => {
    expect(file.features).toEqual(FEATURES);
    expect(new Set(FEATURES).size).toBe(FEATURES.length);
    expect(file.worth.features).toEqual(WORTH_FEATURES);
    expect(new Set(WORTH_FEATURES).size).toBe(WORTH_FEATURES.length);
    expect(KEPT_COLUMNS).not.toContain(-1);
  });

  test('is small and says what it was trained on and what it is worth', () => {
    expect(readFileSync(BUILT_IN_MODEL).length).toBeLessThan(MAX_FILE_BYTES);
    expect(file.trainedOn).toContain('article');
    expect(file.report).toHaveProperty('profiles.balanced.all.F1');
  });

  const rowOf = (columns: number) => {
    const value = fc.oneof(fc.integer({ min: -1, max: 12 }), fc.double({ min: -1, max: 12, noNaN: true }));
    return fc.array(value, { minLength: columns, maxLength: columns });
  };

  test('scores and corrects as its file says', () => {
    const model = builtInModel();
    fc.assert(
      fc.property(rowOf(FEATURES.length), rowOf(WORTH_FEATURES.length), (values, others) => {
        const rows = Float32Array.from([0, ...values]);
        expect(model.score(rows, 1)).toBeCloseTo(1 / (1 + Math.exp(-naiveOdds(file, rows.subarray(1)))), 9);
        const second = Float32Array.from([0, ...others]);
        expect(model.correct(second, 1)).toBeCloseTo(naiveOdds({ base: 0, ...file.worth }, second.subarray(1)), 9);
      }),
      { numRuns: 50 },
    );
  });
});

test('a value that equals the threshold as a 32-bit float goes left', () => {
  const tree = { f: [0, -1, -1], t: [0.1, 0, 0], l: [1, 0, 0], r: [2, 0, 0], v: [0, -4, 4] };
  const { score } = flattenTrees({ base: 0, trees: [tree] });
  expect(score(Float32Array.of(0.1), 0)).toBeLessThan(0.5);
  expect(score(Float32Array.of(0.1000001), 0)).toBeGreaterThan(0.5);
});

describe('a file that does not fit is refused with a sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fossick-model-'));
  test.each<[string, unknown, string]>([
    ['another version', { ...file, version: 1 }, 'is no content model of version 2'],
    ['no trees', { version: 2, features: FEATURES }, 'is no content model of version 2'],
    ['other columns of the second look', { ...file, worth: { ...file.worth, features: ['p'] } }, 'column 1 is missing'],
    ['fewer columns', { ...file, features: FEATURES.slice(1) }, 'was trained with other features'],
    ['more columns', { ...file, features: [...FEATURES, 'more'] }, `${FEATURES.length + 1} columns`],
    ['an unknown column', { ...file, trees: [{ ...file.trees[0], f: [FEATURES.length] }] }, 'is no content model'],
    ['a cycle', { ...file, trees: [{ f: [0], t: [0], l: [0], r: [0], v: [0] }] }, 'is no content model'],
  ])('%s', (name, content, message) => {
    const path = join(folder, `${name}.json`);
    writeFileSync(path, JSON.stringify(content));
    expect(() => readContentModel(path)).toThrow(message);
  });
});
