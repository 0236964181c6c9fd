import { expect, test } from 'vitest';
import { type RankedGroup, trainRanking } from '../../../scripts/train/rank-trees.ts';
import { flattenTrees, type Tree } from '../../../src/core/boosted-trees.ts';
import { seededRandom } from '../../helpers/random.ts';

const OPTIONS = { trees: 60, learningRate: 0.2, leaves: 4, minRowsPerLeaf: 5, l2: 0.1, columnShare: 1 };
const ROWS = 6;

/**
 * Groups of rows of one column: the best row has 1 more than its group's own level, the others less than half of that.
 * Levels are up to 10 apart, so that the worst row of one group has more than the best one of another.
 */
function groupsOfOwnLevel(count: number, seed: number): readonly RankedGroup[] {
  const random = seededRandom(seed);
  const share = () => random.whole(0, 1_000) / 1_000;
  return Array.from({ length: count }, () => {
    const level = 10 * share();
    const best = random.whole(0, ROWS - 1);
    const gains = Array.from({ length: ROWS }, (_, at) => (at === best ? 1 : 0));
    return { rows: Float32Array.from(gains, (gain) => level + (gain || share() / 2)), gains };
  });
}

/** Share of groups whose best row the trees put first. */
function shareRight(trees: readonly Tree[], groups: readonly RankedGroup[]): number {
  const right = groups.filter(({ rows, gains }) => {
    const scores = gains.map((_, at) => oddsOf(trees, rows[at] ?? 0));
    return gains[scores.indexOf(Math.max(...scores))] === 1;
  });
  return right.length / groups.length;
}

function oddsOf(trees: readonly Tree[], value: number): number {
  return flattenTrees({ base: 0, trees }).odds(Float32Array.of(value), 0);
}

test('learns the order within groups, where no threshold over all of them tells the best rows', () => {
  const trees = trainRanking(groupsOfOwnLevel(200, 1), 1, OPTIONS);
  expect(shareRight(trees, groupsOfOwnLevel(200, 2))).toBeGreaterThan(0.8);
});

test('what all rows of a group share is worth nothing', () => {
  const groups = Array.from({ length: 40 }, (_, at) => {
    return { rows: new Float32Array(ROWS).fill(at), gains: [0, 0, at % 2, 0, 1, 0] };
  });
  const trees = trainRanking(groups, 1, OPTIONS);
  for (const { rows } of groups) expect(oddsOf(trees, rows[0] ?? 0)).toBeCloseTo(0);
});

test('groups without a gain teach nothing', () => {
  const groups = groupsOfOwnLevel(40, 3);
  const idle = groups.map(({ rows, gains }) => ({ rows: rows.map((value) => 20 - value), gains: gains.map(() => 0) }));
  const mixed = groups.flatMap((group, at) => [idle[at] ?? group, group]);
  expect(trainRanking(mixed, 1, OPTIONS)).toEqual(trainRanking(groups, 1, OPTIONS));
});

test('the same groups give the same trees', () => {
  const train = () => trainRanking(groupsOfOwnLevel(40, 4), 1, OPTIONS);
  expect(train()).toEqual(train());
});

test.each([
  ['the second', 6, 1, [1, 2, 0]],
  ['the third', 1, 6, [2, 1, 0]],
])('of two rows that are worth something the one that is worth more comes first: %s', (_name, second, third, order) => {
  const group = { rows: Float32Array.of(0, 1, 2, 0, 0, 0), gains: [0, second, third, 0, 0, 0] };
  const trees = trainRanking(Array<RankedGroup>(20).fill(group), 1, OPTIONS);
  expect([0, 1, 2].toSorted((a, b) => oddsOf(trees, b) - oddsOf(trees, a))).toEqual(order);
});

test('gains count against the best order of their group, whatever their size', () => {
  const groups = groupsOfOwnLevel(40, 5);
  // A power of two, so that nothing is rounded.
  const dear = groups.map(({ rows, gains }) => ({ rows, gains: gains.map((gain) => 8 * gain) }));
  expect(trainRanking(dear, 1, OPTIONS)).toEqual(trainRanking(groups, 1, OPTIONS));
});
