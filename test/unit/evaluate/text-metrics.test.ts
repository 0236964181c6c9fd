import { expect, test } from 'vitest';
import {
  f1Of,
  isSameTitle,
  pooledF1,
  segmentsIn,
  shingleScore,
  snippetShare,
  wordScore,
  wordScoreOfLines,
} from '../../../scripts/evaluate/text-metrics.ts';

test.each<{ name: string; output: string; truth: string; precision: number; recall: number; f1: number }>([
  { name: 'the same words in another order', output: 'b A', truth: 'a, B!', precision: 1, recall: 1, f1: 1 },
  { name: 'half of the words', output: 'a b', truth: 'a b c d', precision: 1, recall: 0.5, f1: 2 / 3 },
  {
    name: 'words that repeat count as often as both have them',
    output: 'a a a',
    truth: 'a a',
    precision: 2 / 3,
    recall: 1,
    f1: 0.8,
  },
  { name: 'letters of any script', output: 'Größe 東京', truth: 'größe 東京 x', precision: 1, recall: 2 / 3, f1: 0.8 },
  { name: 'nothing where nothing is wanted', output: ' ', truth: '', precision: 1, recall: 1, f1: 1 },
  { name: 'something where nothing is wanted', output: 'a', truth: '', precision: 0, recall: 0, f1: 0 },
  { name: 'nothing where something is wanted', output: '', truth: 'a', precision: 0, recall: 0, f1: 0 },
])('word score of $name', ({ output, truth, precision, recall, f1 }) => {
  const score = wordScore(output, truth);
  expect(score.precision).toBeCloseTo(precision);
  expect(score.recall).toBeCloseTo(recall);
  expect(score.f1).toBeCloseTo(f1);
});

test.each<{ name: string; output: string; truth: string; precision: number; recall: number }>([
  {
    name: 'a head that only the other tool repeats',
    output: 'Guide\na\nb',
    truth: 'Guide\na\nguide\nb',
    precision: 1,
    recall: 1,
  },
  {
    name: 'a head that only the reader repeats',
    output: 'Guide\na\nGuide\nb',
    truth: 'Guide\na b',
    precision: 1,
    recall: 1,
  },
  { name: 'a head that both repeat', output: 'x\na\nx', truth: 'x\na\nx\nc', precision: 1, recall: 3 / 4 },
  { name: 'a head that is gone', output: 'a\nb', truth: 'x\na\nx\nb', precision: 1, recall: 2 / 3 },
  { name: 'a line that repeats, joined to others', output: 'a x\nb x', truth: 'a\nx\nb\nx', precision: 1, recall: 1 },
  { name: 'a word of different lines', output: 'x a\nb', truth: 'x a\nx b', precision: 1, recall: 3 / 4 },
  { name: 'a word too often', output: 'x x a', truth: 'x\na', precision: 2 / 3, recall: 1 },
  { name: 'nothing where nothing is wanted', output: '', truth: '', precision: 1, recall: 1 },
  { name: 'something where nothing is wanted', output: 'a', truth: '', precision: 0, recall: 0 },
])('word score of lines: $name', ({ output, truth, precision, recall }) => {
  const score = wordScoreOfLines(output, truth);
  expect([score.precision, score.recall]).toEqual([expect.closeTo(precision), expect.closeTo(recall)]);
});

test('shingles tell order and case apart', () => {
  expect(shingleScore('a b c d e', 'a b c d e').f1).toBe(1);
  expect(shingleScore('a b c d x', 'a b c d e').f1).toBe(0.5);
  expect(shingleScore('A b c d', 'a b c d').f1).toBe(0);
  expect(shingleScore('d c b a', 'a b c d').f1).toBe(0);
});

test('a text shorter than a shingle is one', () => {
  expect(shingleScore('a b', 'a b').f1).toBe(1);
  expect(shingleScore('a', 'a b').f1).toBe(0);
});

test('pooled F1 is that of the means', () => {
  const scores = [
    { precision: 1, recall: 0.5, f1: 0 },
    { precision: 0.5, recall: 0.1, f1: 0 },
  ];
  expect(pooledF1(scores)).toBeCloseTo(f1Of(0.75, 0.3));
});

test('snippets are looked for whatever their case', () => {
  expect(snippetShare('One two THREE', ['one', 'Three', 'four'], 0)).toBeCloseTo(2 / 3);
  expect(snippetShare('One', [], 1)).toBe(1);
});

test('segments are found across other blanks and forms of a letter', () => {
  expect(segmentsIn('a cafe\u0301\n  is open', ['café is open', 'Café'])).toBe(1);
});

test.each([
  ['Returns  today', 'returns today', true],
  ['It’s “here”', 'It\'s "here"', true],
  ['Returns', 'Returns | Shop', false],
])('%s and %s are one title: %s', (a, b, isSame) => {
  expect(isSameTitle(a, b)).toBe(isSame);
});

test('the F of nothing is 0', () => {
  expect(f1Of(0, 0)).toBe(0);
});
