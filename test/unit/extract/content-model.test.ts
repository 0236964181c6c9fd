import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { flattenTrees } from '../../../src/core/boosted-trees.ts';
import {
  BUILT_IN_MODEL,
  builtInModel,
  type ModelFile,
  readContentModel,
} from '../../../src/extract/html/content-model.ts';
import { FEATURES } from '../../../src/extract/html/features.ts';
import { REUSED_COLUMNS, SELECTION_FEATURES } from '../../../src/extract/html/selection-features.ts';
import { seededRandom } from '../../helpers/random.ts';

const file: ModelFile = JSON.parse(readFileSync(BUILT_IN_MODEL, 'utf8'));
const MAX_FILE_BYTES = 260_000;

describe('the built-in model', () => {
  test('has the columns of the code, in order', () => {
    expect(file.features).toEqual(FEATURES);
    expect(new Set(FEATURES).size).toBe(FEATURES.length);
    expect(file.worth.features).toEqual(SELECTION_FEATURES);
    expect(new Set(SELECTION_FEATURES).size).toBe(SELECTION_FEATURES.length);
    expect(REUSED_COLUMNS).not.toContain(-1);
  });

  test('is small and says what it was trained on and what it is worth', () => {
    expect(readFileSync(BUILT_IN_MODEL).length).toBeLessThan(MAX_FILE_BYTES);
    expect(file.trainedOn).toContain('article');
    expect(file.report).toHaveProperty('profiles.balanced.all.F1');
  });

  test('scores and corrects by the trees of its file', () => {
    const model = builtInModel();
    const [first, second] = [flattenTrees(file), flattenTrees({ base: 0, ...file.worth })];
    const random = seededRandom(7);
    for (let run = 0; run < 50; run++) {
      const rows = Float32Array.from({ length: 1 + FEATURES.length }, () => random.whole(-20, 240) / 20);
      expect(model.score(rows, 1)).toBe(first.score(rows, 1));
      expect(model.correct(rows, 1)).toBe(second.odds(rows, 1));
    }
  });
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
