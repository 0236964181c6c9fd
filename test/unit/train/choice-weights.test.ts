import { expect, test } from 'vitest';
import { type ChoicePage, shareRight, trainChoice } from '../../../scripts/train/choice-weights.ts';

const page = (...rows: readonly (readonly [boolean, ...number[]])[]): ChoicePage => ({
  options: rows.map(([isRight, ...row]) => ({ isRight, row: Float64Array.from(row) })),
});
/** The first column tells the right one, the second says nothing. */
const PAGES = [
  page([true, 1, 0], [false, 0, 1]),
  page([false, 0, 0], [true, 1, 1], [false, 0, 1]),
  page([false, 0, 1], [false, 0, 0]),
];

test('what goes with the right choice gets the weight', () => {
  const weights = trainChoice(PAGES, 2);
  expect(weights[0]).toBeGreaterThan(1);
  expect(Math.abs(weights[1]!)).toBeLessThan(0.5);
  expect(shareRight(PAGES, weights)).toBeCloseTo(2 / 3);
});

test('the same pages give the same weights', () => {
  expect(trainChoice(PAGES, 2)).toEqual(trainChoice(PAGES, 2));
});

test('pages without a right choice teach nothing', () => {
  expect(trainChoice(PAGES.slice(0, 2), 2)).toEqual(trainChoice(PAGES, 2));
});
