import type { Tree } from '../../src/core/boosted-trees.ts';
import { binColumns, boostTrees, type SetSlopes, type TrainOptions } from './boosted-trees.ts';

/** Candidates of one question: rows `from` to `to - 1`. */
export type RankedGroup = { readonly from: number; readonly to: number };

export type RankingRows = {
  readonly values: Float32Array;
  readonly columns: number;
  /** What it is worth to have the row first, 0 = nothing. */
  readonly gains: Float64Array;
  readonly groups: readonly RankedGroup[];
};

/** Places that are paid for: rows behind them only push against those in front. */
const PAID_PLACES = 30;
/** Keeps pairs of equal scores from counting without bound. */
const LEAST_DISTANCE = 0.01;

/**
 * Trees whose sum orders the rows of each group by their gains (LambdaMART, Burges 2010): each pair of unequal rows
 * pulls by what exchanging them changes of the discounted gain of its group. Groups without a gain teach nothing.
 */
export function trainRanking({ values, columns, gains, groups }: RankingRows, options: TrainOptions): readonly Tree[] {
  const rows = Int32Array.from(gains, (_, row) => row);
  const taught = groups
    .map((group) => ({ ...group, best: bestGain(gains.slice(group.from, group.to)) }))
    .filter(({ best }) => best > 0);
  const setSlopes: SetSlopes = (scores, gradients, hessians) => {
    gradients.fill(0);
    hessians.fill(0);
    for (const group of taught) addSlopes({ scores, gradients, hessians, gains }, group);
  };
  const data = binColumns({ values, columns }, rows);
  return boostTrees({ data, start: new Float64Array(gains.length), setSlopes }, options);
}

type Slopes = {
  readonly scores: Float64Array;
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
  readonly gains: Float64Array;
};

function addSlopes(
  { scores, gradients, hessians, gains }: Slopes,
  { from, to, best }: RankedGroup & { readonly best: number },
) {
  const order = Array.from({ length: to - from }, (_, at) => from + at).sort((a, b) => scores[b]! - scores[a]!);
  const isSpread = scores[order[0]!] !== scores[order.at(-1)!];
  let total = 0;
  const pulls: (readonly [better: number, worse: number, pull: number, bend: number])[] = [];
  for (let first = 0; first < Math.min(PAID_PLACES, order.length); first++) {
    for (let second = first + 1; second < order.length; second++) {
      const [a, b] = [order[first]!, order[second]!];
      if (gains[a] === gains[b]) continue;
      const [better, worse] = gains[a]! > gains[b]! ? [a, b] : [b, a];
      const distance = scores[better]! - scores[worse]!;
      const change = (Math.abs(gains[a]! - gains[b]!) * (discount(first) - discount(second))) / best;
      const weight = isSpread ? change / (LEAST_DISTANCE + Math.abs(distance)) : change;
      const p = 1 / (1 + Math.exp(distance));
      pulls.push([better, worse, p * weight, p * (1 - p) * weight]);
      total += 2 * p * weight;
    }
  }
  const share = total > 0 ? Math.log2(1 + total) / total : 0;
  for (const [better, worse, pull, bend] of pulls) {
    gradients[better]! -= pull * share;
    gradients[worse]! += pull * share;
    hessians[better]! += bend * share;
    hessians[worse]! += bend * share;
  }
}

/** Discounted gain of the best order. */
function bestGain(gains: Float64Array): number {
  return gains
    .toSorted()
    .reverse()
    .slice(0, PAID_PLACES)
    .reduce((sum, gain, place) => sum + gain * discount(place), 0);
}

function discount(place: number): number {
  return place < PAID_PLACES ? 1 / Math.log2(place + 2) : 0;
}
