/** A page with candidates of which one is to be chosen; several may be right. */
export type ChoicePage = { readonly options: readonly { readonly isRight: boolean; readonly row: Float64Array }[] };

const STEPS = 500;
const RATE = 0.05;
/** Keeps weights of rare features small; found by cross-validation within the tuning half. */
const L2 = 0.006;
const [MOMENT, SQUARE, TINY] = [0.9, 0.999, 1e-8];

/**
 * Weights that maximise the probability of a right choice where candidates compete by the exponential of their score
 * (conditional logit, McFadden 1974), by Adam over all pages. Pages without a right candidate teach nothing.
 */
export function trainChoice(pages: readonly ChoicePage[], features: number): Float64Array {
  const taught = pages.filter(({ options }) => options.some(({ isRight }) => isRight));
  const weights = new Float64Array(features);
  const first = new Float64Array(features);
  const second = new Float64Array(features);
  for (let step = 1; step <= STEPS; step++) {
    const slope = new Float64Array(features);
    for (const page of taught) addSlope(slope, page, weights);
    for (let at = 0; at < features; at++) {
      const own = slope[at]! / taught.length + L2 * weights[at]!;
      first[at] = MOMENT * first[at]! + (1 - MOMENT) * own;
      second[at] = SQUARE * second[at]! + (1 - SQUARE) * own * own;
      const mean = first[at]! / (1 - MOMENT ** step);
      const spread = Math.sqrt(second[at]! / (1 - SQUARE ** step));
      weights[at]! -= (RATE * mean) / (spread + TINY);
    }
  }
  return weights;
}

/** Share of the pages whose candidate with the highest score is right. */
export function shareRight(pages: readonly ChoicePage[], weights: Float64Array): number {
  const right = pages.filter(({ options }) => {
    const scores = options.map(({ row }) => scoreOf(row, weights));
    return options[scores.indexOf(Math.max(...scores))]?.isRight === true;
  });
  return right.length / Math.max(1, pages.length);
}

function addSlope(slope: Float64Array, { options }: ChoicePage, weights: Float64Array): void {
  const scores = options.map(({ row }) => scoreOf(row, weights));
  const top = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - top));
  const all = odds.reduce((sum, value) => sum + value, 0);
  const right = odds.reduce((sum, value, index) => sum + (options[index]!.isRight ? value : 0), 0);
  for (const [index, { row, isRight }] of options.entries()) {
    const pull = odds[index]! / all - (isRight ? odds[index]! / right : 0);
    for (let at = 0; at < row.length; at++) slope[at]! += pull * row[at]!;
  }
}

function scoreOf(row: Float64Array, weights: Float64Array): number {
  let score = 0;
  for (let at = 0; at < row.length; at++) score += row[at]! * weights[at]!;
  return score;
}
