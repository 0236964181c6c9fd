import { describe, expect, test } from 'vitest';
import { bestByScore, type RankedMatches } from '../../../../src/search-index/embedded/collect/best-scores.ts';
import { seededRandom } from '../../../helpers/random.ts';

const random = seededRandom(11);

/** Matches in every second document, with ids in no order of the documents. */
function matchesOf(count: number, scoreOf: (match: number) => number): RankedMatches {
  const idRank = Uint32Array.from({ length: 2 * count }, (_, document) => document);
  for (let i = idRank.length - 1; i > 0; i--) {
    const other = random.whole(0, i);
    [idRank[i], idRank[other]] = [idRank[other] ?? 0, idRank[i] ?? 0];
  }
  return {
    count,
    documents: Uint32Array.from({ length: count }, (_, match) => 2 * match),
    scores: Float32Array.from({ length: count }, (_, match) => scoreOf(match)),
    idRank,
  };
}

/** By sorting all of them. */
function bestOf({ count, documents, scores, idRank }: RankedMatches, size: number): number[] {
  const rankOf = (match: number) => idRank[documents[match] ?? 0] ?? 0;
  const scoreOf = (match: number) => scores[match] ?? 0;
  const order = Array.from({ length: count }, (_, match) => match);
  return order.sort((a, b) => scoreOf(b) - scoreOf(a) || rankOf(a) - rankOf(b)).slice(0, size);
}

const SCORES: readonly (readonly [string, (match: number) => number])[] = [
  ['all different', () => random.whole(0, 1_000_000) / 7],
  ['few different ones', () => random.whole(0, 4)],
  ['all equal', () => 1],
  ['none', () => 0],
  ['close together above one far below', (match) => (match === 0 ? 1e-30 : 5 + random.whole(0, 9) / 1e6)],
  ['one far above', (match) => (match === 3 ? 3e38 : random.whole(0, 100))],
];

describe('the best matches are those that sorting gives', () => {
  test.each(SCORES)('%s', (_name, scoreOf) => {
    for (const count of [0, 1, 19, 20, 21, 300, 8_192, 8_193, 20_000]) {
      const matches = matchesOf(count, scoreOf);
      const size = Math.min(20, count);

      const best = bestByScore(matches, size, Number.NEGATIVE_INFINITY);

      expect(new Set(best)).toEqual(new Set(bestOf(matches, size)));
    }
  });

  test('none of many that is below the floor', () => {
    const matches = matchesOf(20_000, (match) => match % 100);

    const best = bestByScore(matches, 500, 98);

    expect(new Set(best)).toEqual(new Set(bestOf(matches, 400)));
  });
});
