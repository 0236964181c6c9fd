import type { Strengths } from './ranking.ts';

/** What the terms of a question weigh, and their sum. */
export type TermWeights = { readonly weights: readonly number[]; readonly total: number };

/** Share of the weight that strengths cover. These are the inner loops of ranking: none allocates. O(terms). */
export function covered({ weights, total }: TermWeights, strengths: Strengths): number {
  let sum = 0;
  for (let term = 0; term < weights.length; term++) sum += (weights[term] ?? 0) * (strengths[term] ?? 0);
  return sum / total;
}

/** `covered` by the higher of both for each term. */
export function coveredByEither({ weights, total }: TermWeights, a: Strengths, b: Strengths): number {
  let sum = 0;
  for (let term = 0; term < weights.length; term++) {
    sum += (weights[term] ?? 0) * Math.max(a[term] ?? 0, b[term] ?? 0);
  }
  return sum / total;
}

/** `covered` by what the first says of each term more than the second. */
export function coveredBeyond({ weights, total }: TermWeights, a: Strengths, b: Strengths): number {
  let sum = 0;
  for (let term = 0; term < weights.length; term++) {
    sum += (weights[term] ?? 0) * Math.max(0, (a[term] ?? 0) - (b[term] ?? 0));
  }
  return sum / total;
}

/** The higher of both for each term; one of them as it is when the other is empty. */
export function highest(a: Strengths, b: Strengths): Strengths {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const sum = a.slice();
  for (let term = 0; term < sum.length; term++) sum[term] = Math.max(sum[term] ?? 0, b[term] ?? 0);
  return sum;
}
