import { expect, test } from 'vitest';
import {
  bestFuzzyTerms,
  lengthCode,
  lengthOfCode,
  maxEditsOf,
  translatedLengthCode,
} from '../../../src/search-index/relevance.ts';

test.each([
  ['ski', 0],
  ['pump', 1],
  ['recycle', 1],
  ['parabola', 2],
  ['accessibility', 2],
  ['sha256sum', 0],
])('%s may be %d edits away from what was meant', (word, edits) => {
  expect(maxEditsOf(word)).toBe(edits);
});

const word = (text: string, distance: number, documents: number) => ({ text, display: text, distance, documents });

test('near words are taken by distance, then by documents, and rare ones only where there is no other', () => {
  const words = [word('pomp', 1, 2), word('pump', 1, 9), word('punp', 1, 1), word('stump', 2, 30)];

  expect(bestFuzzyTerms(words, 2).map(({ text }) => text)).toEqual(['pump', 'pomp']);
  expect(bestFuzzyTerms(words, 9).map(({ text }) => text)).toEqual(['pump', 'pomp', 'stump']);
  expect(bestFuzzyTerms([word('punp', 1, 1)], 9).map(({ text }) => text)).toEqual(['punp']);
  expect(bestFuzzyTerms([word('pumq', 0, 1), word('pump', 1, 9)], 9).map(({ text }) => text)).toEqual(['pumq', 'pump']);
});

test.each([
  { tokens: 8, error: 0 },
  { tokens: 511, error: 0.08 },
  { tokens: 1_000_000, error: 0.16 },
])('a length up to $tokens tokens is kept within $error, and longer ones have no smaller code', ({ tokens, error }) => {
  for (let length = 0, code = 0; length <= tokens; length = Math.ceil(length * 1.01) + 1) {
    expect(lengthCode(length), `${length}`).toBeGreaterThanOrEqual(code);
    code = lengthCode(length);
    expect(Math.abs(lengthOfCode(code) - length), `${length}`).toBeLessThanOrEqual(error * length);
  }
});

test('codes of lengths fit six bits, and each stands for itself', () => {
  expect(lengthCode(Number.MAX_SAFE_INTEGER)).toBe(63);
  for (let code = 0; code < 64; code++) expect(lengthCode(lengthOfCode(code))).toBe(code);
});

test.each([0, 1, 2, 5, 9, 31, 250, 500, 2_000, 6_000])(
  'a length of %i tokens is read from an index of before',
  (length) => {
    const before = Math.min(63, Math.round(5 * Math.log2(length + 1)));

    const read = lengthOfCode(translatedLengthCode(before));

    expect(Math.abs(read - length)).toBeLessThanOrEqual(Math.max(1, 0.25 * length));
  },
);
