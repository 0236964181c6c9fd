/** The blocks from the best down to some place, and what their probabilities promise. */
export type ExpectedChoice = {
  /** Blocks by their probability, the likeliest first. */
  readonly order: Uint32Array;
  /** Of each block: words of it and of all that are likelier, and how many of them are expected to be main text. */
  readonly wordsAbove: Float64Array;
  readonly expectedAbove: Float64Array;
  /** Words of the page that are expected to be main text. */
  readonly expected: number;
  /** The largest expected F-beta, and what it takes: the least probability, the words, the expected words. */
  readonly value: number;
  readonly threshold: number;
  readonly chosen: { readonly words: number; readonly expected: number };
};

/**
 * The place where the expected F-beta of the words is largest: one threshold per page, without a constant. With equal
 * probabilities the blocks are chosen together. O(n · log n).
 */
export function expectFBeta(scores: Float64Array, words: Float64Array, beta: number): ExpectedChoice {
  const square = beta * beta;
  const order = Uint32Array.from(scores, (_, at) => at).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  let expected = 0;
  for (let at = 0; at < scores.length; at++) expected += (scores[at] ?? 0) * (words[at] ?? 0);
  const wordsAbove = new Float64Array(scores.length);
  const expectedAbove = new Float64Array(scores.length);
  let [right, all, value] = [0, 0, 0];
  let threshold = 1;
  let chosen = { words: 0, expected: 0 };
  for (const at of order) {
    right += (scores[at] ?? 0) * (words[at] ?? 0);
    all += words[at] ?? 0;
    wordsAbove[at] = all;
    expectedAbove[at] = right;
    const own = ((1 + square) * right) / (all + square * expected);
    if (!(own > value)) continue;
    value = own;
    threshold = scores[at] ?? 0;
    chosen = { words: all, expected: right };
  }
  return { order, wordsAbove, expectedAbove, expected, value, threshold, chosen };
}
