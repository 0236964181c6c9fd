import { expect, test } from 'vitest';
import { bestFuzzyTerms, maxEditsOf } from '../../../src/search-index/relevance.ts';

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
