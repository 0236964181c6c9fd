export type LabelledRow = { readonly row: readonly number[]; readonly isPositive: boolean };

export type LogisticModel = { readonly bias: number; readonly weights: readonly number[] };

const STEPS = 2_000;
const RATE = 0.05;
const L2 = 0.002;
const [MOMENT, SQUARE, TINY] = [0.9, 0.999, 1e-8];

/**
 * Weights of a logistic regression by Adam over all rows, both classes weighing the same. `signs` forbids weights of
 * the other sign (0 = free), so that what must not lower a probability never does. The same rows give the same weights.
 */
export function trainLogistic(rows: readonly LabelledRow[], signs: readonly (-1 | 0 | 1)[]): LogisticModel {
  const width = signs.length;
  const params = new Float64Array(width + 1);
  const [first, second] = [new Float64Array(width + 1), new Float64Array(width + 1)];
  for (let step = 1; step <= STEPS; step++) {
    const slope = slopeOf(rows, params);
    for (let at = 0; at <= width; at++) {
      const own = slope[at]! + (at < width ? L2 * params[at]! : 0);
      first[at] = MOMENT * first[at]! + (1 - MOMENT) * own;
      second[at] = SQUARE * second[at]! + (1 - SQUARE) * own * own;
      const mean = first[at]! / (1 - MOMENT ** step);
      const spread = Math.sqrt(second[at]! / (1 - SQUARE ** step));
      params[at]! -= (RATE * mean) / (spread + TINY);
      if (at < width && params[at]! * signs[at]! < 0) params[at] = 0;
    }
  }
  return { bias: params[width]!, weights: [...params.subarray(0, width)] };
}

export function probability({ bias, weights }: LogisticModel, row: readonly number[]): number {
  return 1 / (1 + Math.exp(-row.reduce((sum, value, at) => sum + value * weights[at]!, bias)));
}

/** Probability of each row by a model that was trained without its fold; a row's fold is its index modulo `folds`. */
export function probabilitiesOutOfFold(
  rows: readonly LabelledRow[],
  signs: readonly (-1 | 0 | 1)[],
  folds: number,
): readonly number[] {
  const models = Array.from({ length: folds }, (_, fold) =>
    trainLogistic(
      rows.filter((_row, index) => index % folds !== fold),
      signs,
    ),
  );
  return rows.map(({ row }, index) => probability(models[index % folds]!, row));
}

/** Chance that a positive row is more probable than a negative one. */
export function areaUnderCurve(rows: readonly LabelledRow[], probabilities: readonly number[]): number {
  const of = (isPositive: boolean) => probabilities.filter((_, index) => rows[index]!.isPositive === isPositive);
  const [positive, negative] = [of(true), of(false)];
  let won = 0;
  for (const a of positive) for (const b of negative) won += a > b ? 1 : a === b ? 0.5 : 0;
  return won / (positive.length * negative.length);
}

function slopeOf(rows: readonly LabelledRow[], params: Float64Array): Float64Array {
  const width = params.length - 1;
  const slope = new Float64Array(width + 1);
  const positives = rows.filter(({ isPositive }) => isPositive).length;
  const shares = { positive: 0.5 / Math.max(1, positives), negative: 0.5 / Math.max(1, rows.length - positives) };
  const model = { bias: params[width]!, weights: [...params] };
  for (const { row, isPositive } of rows) {
    const share = isPositive ? shares.positive : shares.negative;
    const off = (probability(model, row) - (isPositive ? 1 : 0)) * share;
    for (let at = 0; at < width; at++) slope[at]! += off * row[at]!;
    slope[width]! += off;
  }
  return slope;
}
