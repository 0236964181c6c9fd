import { probabilityOf, type Tree } from '../../src/core/boosted-trees.ts';
import { binColumns, boostTrees, type SetSlopes, type TrainOptions } from './boosted-trees.ts';

/** Candidates of one question. */
export type RankedGroup = {
  /** Row by row, as many columns each. */
  readonly rows: Float32Array;
  /** One a row: what it is worth to have it first, 0 = nothing. */
  readonly gains: readonly number[];
  /** One a row: its score before any tree; 0 without. */
  readonly scores?: readonly number[];
};

/** Places that are paid for: rows behind them only push against those in front. */
const PAID_PLACES = 30;
/** Keeps pairs of equal scores from counting without bound. */
const LEAST_DISTANCE = 0.01;

/**
 * Trees whose sum orders the rows of each group by their gains (LambdaMART, Burges 2010): each pair of unequal rows
 * pulls by what exchanging them changes of the discounted gain of its group. Groups without a gain teach nothing.
 */
export function trainRanking(groups: readonly RankedGroup[], columns: number, options: TrainOptions): readonly Tree[] {
  const { values, gains, start, spans } = joined(groups.filter((group) => group.gains.some((gain) => gain > 0)));
  const setSlopes: SetSlopes = (scores, gradients, hessians) => {
    gradients.fill(0);
    hessians.fill(0);
    for (const span of spans) addSlopes({ scores, gradients, hessians, gains }, span);
  };
  const data = binColumns({ values, columns }, Int32Array.from(gains.keys()));
  return boostTrees({ data, start, setSlopes }, options);
}

/** The rows `from` to `to - 1` of a group; `best`: discounted gain of its best order. */
type Span = { readonly from: number; readonly to: number; readonly best: number };

function joined(groups: readonly RankedGroup[]) {
  const values = new Float32Array(groups.reduce((size, { rows }) => size + rows.length, 0));
  const gains = Float64Array.from(groups.flatMap((group) => group.gains));
  const start = Float64Array.from(groups.flatMap((group) => group.scores ?? group.gains.map(() => 0)));
  const spans: Span[] = [];
  let [value, from] = [0, 0];
  for (const group of groups) {
    values.set(group.rows, value);
    value += group.rows.length;
    const to = from + group.gains.length;
    spans.push({ from, to, best: bestGain(group.gains) });
    from = to;
  }
  return { values, gains, start, spans };
}

type Slopes = {
  readonly scores: Float64Array;
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
  readonly gains: Float64Array;
};

function addSlopes({ scores, gradients, hessians, gains }: Slopes, { from, to, best }: Span) {
  const order = Array.from({ length: to - from }, (_, at) => from + at).sort((a, b) => scores[b]! - scores[a]!);
  const isSpread = scores[order[0]!] !== scores[order.at(-1)!];
  let total = 0;
  const [pulls, bends] = [new Float64Array(to - from), new Float64Array(to - from)];
  for (let first = 0; first < Math.min(PAID_PLACES, order.length); first++) {
    for (let second = first + 1; second < order.length; second++) {
      const [a, b] = [order[first]!, order[second]!];
      if (gains[a] === gains[b]) continue;
      const [better, worse] = gains[a]! > gains[b]! ? [a, b] : [b, a];
      const distance = scores[better]! - scores[worse]!;
      const change = (Math.abs(gains[a]! - gains[b]!) * (discount(first) - discount(second))) / best;
      const weight = isSpread ? change / (LEAST_DISTANCE + Math.abs(distance)) : change;
      const p = probabilityOf(-distance);
      const [pull, bend] = [p * weight, p * (1 - p) * weight];
      pulls[better - from]! -= pull;
      pulls[worse - from]! += pull;
      bends[better - from]! += bend;
      bends[worse - from]! += bend;
      total += 2 * pull;
    }
  }
  const share = total > 0 ? Math.log2(1 + total) / total : 0;
  for (let at = 0; at < pulls.length; at++) {
    gradients[from + at]! += pulls[at]! * share;
    hessians[from + at]! += bends[at]! * share;
  }
}

function bestGain(gains: readonly number[]): number {
  const best = gains.toSorted((a, b) => b - a).slice(0, PAID_PLACES);
  return best.reduce((sum, gain, place) => sum + gain * discount(place), 0);
}

function discount(place: number): number {
  return place < PAID_PLACES ? 1 / Math.log2(place + 2) : 0;
}
