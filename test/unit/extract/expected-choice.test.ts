import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectFBeta } from '../../../src/extract/html/selection-features.ts';

const weighted = fc.array(
  fc.record({ p: fc.double({ min: 0.01, max: 1, noNaN: true }), words: fc.integer({ min: 1, max: 300 }) }),
  { minLength: 1, maxLength: 10 },
);

function expectedFBeta(
  blocks: readonly { p: number; words: number }[],
  isChosen: (at: number) => boolean,
  beta: number,
) {
  const square = beta * beta;
  let [right, chosen, expected] = [0, 0, 0];
  for (const [at, { p, words }] of blocks.entries()) {
    expected += p * words;
    if (!isChosen(at)) continue;
    right += p * words;
    chosen += words;
  }
  return ((1 + square) * right) / (chosen + square * expected);
}

test.each([0.7, 1, 1.5, 2])('no subset of the blocks has a larger expected F-beta at beta %s', (beta) => {
  fc.assert(
    fc.property(weighted, (blocks) => {
      const { threshold, value } = expectFBeta(
        Float64Array.from(blocks, ({ p }) => p),
        Float64Array.from(blocks, ({ words }) => words),
        beta,
      );
      const own = expectedFBeta(blocks, (at) => (blocks[at]?.p ?? 0) >= threshold, beta);
      expect(own).toBeCloseTo(value, 9);
      for (let subset = 1; subset < 2 ** blocks.length; subset++) {
        const other = expectedFBeta(blocks, (at) => ((subset >> at) & 1) === 1, beta);
        expect(own).toBeGreaterThanOrEqual(other - 1e-9);
      }
    }),
    { numRuns: 60 },
  );
});

test('blocks without words and pages without blocks are no trouble', () => {
  expect(expectFBeta(new Float64Array(), new Float64Array(), 1.5)).toMatchObject({ value: 0, threshold: 1 });
  expect(expectFBeta(Float64Array.of(0.4, 0), Float64Array.of(0, 0), 1.5)).toMatchObject({ value: 0, threshold: 1 });
});

test('each block knows the words of all that are likelier', () => {
  const { order, wordsAbove, expectedAbove } = expectFBeta(
    Float64Array.of(0.2, 0.9, 0.5),
    Float64Array.of(10, 20, 30),
    1,
  );
  expect([...order]).toEqual([1, 2, 0]);
  expect([...wordsAbove]).toEqual([60, 20, 50]);
  expect([...expectedAbove]).toEqual([35, 18, 33]);
});
