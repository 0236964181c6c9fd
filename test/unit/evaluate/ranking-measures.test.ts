import { expect, test } from 'vitest';
import { mean, ndcg, reciprocalRank } from '../../../scripts/evaluate/ranking-measures.ts';

const JUDGED = new Map([
  ['a', 3],
  ['b', 2],
  ['c', 1],
  ['d', 0],
]);

test.each<{ name: string; ranked: readonly string[]; depth?: number; value: number }>([
  { name: 'the best order', ranked: ['a', 'b', 'c', 'd'], value: 1 },
  { name: 'nothing found', ranked: [], value: 0 },
  { name: 'nothing relevant found', ranked: ['d', 'x'], value: 0 },
  // (3/1 + 7/log2(3)) / (7/1 + 3/log2(3) + 1/2)
  { name: 'the two best swapped, the third missing', ranked: ['b', 'a'], value: 0.789_6 },
  { name: 'what is found twice counts once', ranked: ['a', 'a', 'b', 'c'], value: 1 },
  { name: 'places behind the depth do not count', ranked: ['d', 'a'], depth: 1, value: 0 },
])('nDCG of $name', ({ ranked, depth, value }) => {
  expect(ndcg(ranked, JUDGED, depth)).toBeCloseTo(value, 3);
});

test('nDCG without a relevant document is 0', () => {
  expect(ndcg(['a'], new Map())).toBe(0);
});

test.each<[what: string, ranked: readonly string[], value: number]>([
  ['the first', ['c', 'd'], 1],
  ['the third', ['x', 'd', 'b'], 1 / 3],
  ['none', ['x', 'd'], 0],
])('the reciprocal rank when %s is relevant', (_what, ranked, value) => {
  expect(reciprocalRank(ranked, JUDGED)).toBe(value);
});

test('the mean of nothing is 0', () => {
  expect([mean([]), mean([1, 0.5])]).toEqual([0, 0.75]);
});
