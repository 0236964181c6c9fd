/** Relevance of documents to one query by their ids: 0 or absent = not relevant, more = better. */
export type Judgements = ReadonlyMap<string, number>;

/**
 * Normalised discounted cumulated gain of the first `depth` places (Järvelin and Kekäläinen 2002; gain 2^grade - 1):
 * 1 = the best order there is. 0 when nothing is judged relevant.
 */
export function ndcg(ranked: readonly string[], judgements: Judgements, depth = 10): number {
  const ideal = [...judgements.values()].sort((a, b) => b - a);
  const best = discountedGain(ideal.slice(0, depth));
  return best === 0 ? 0 : discountedGain(gradesOf(ranked, judgements).slice(0, depth)) / best;
}

/** 1 over the place of the first relevant document, 0 when none is found. */
export function reciprocalRank(ranked: readonly string[], judgements: Judgements): number {
  const index = gradesOf(ranked, judgements).findIndex((grade) => grade > 0);
  return index < 0 ? 0 : 1 / (index + 1);
}

/** 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A document that is found twice counts once. */
function gradesOf(ranked: readonly string[], judgements: Judgements): readonly number[] {
  return [...new Set(ranked)].map((id) => judgements.get(id) ?? 0);
}

function discountedGain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0);
}
