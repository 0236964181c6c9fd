import type { Terms } from '../search/passage.ts';

/** From here on two texts say the same. */
export const SAME_OVERLAP = 0.8;

/** The terms of some texts, each once and rising. */
export type DistinctTerms = Uint32Array;

/** O(terms · log terms). */
export function distinctTerms(texts: readonly Terms[]): DistinctTerms {
  const terms = new Uint32Array(texts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const text of texts) {
    terms.set(text, end);
    end += text.length;
  }
  terms.sort();
  let count = 0;
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] ?? 0;
    if (at === 0 || term !== terms[at - 1]) terms[count++] = term;
  }
  return terms.subarray(0, count);
}

/** Shared terms over those of the smaller text: 1 = one says all that the other says. O(terms), as `similarity`. */
export function overlap(a: DistinctTerms, b: DistinctTerms): number {
  return sharedOver(a, b, Math.min);
}

/** Shared terms over the geometric mean of both: how much two texts are about the same. */
export function similarity(a: DistinctTerms, b: DistinctTerms): number {
  return sharedOver(a, b, (first, second) => Math.sqrt(first * second));
}

function sharedOver(a: DistinctTerms, b: DistinctTerms, sizeOf: (a: number, b: number) => number): number {
  const size = sizeOf(a.length, b.length);
  return size === 0 ? 0 : sharedCount(a, b) / size;
}

function sharedCount(a: DistinctTerms, b: DistinctTerms): number {
  let [count, inA, inB] = [0, 0, 0];
  while (inA < a.length && inB < b.length) {
    const [term, other] = [a[inA] ?? 0, b[inB] ?? 0];
    if (term === other) count++;
    if (term <= other) inA++;
    if (other <= term) inB++;
  }
  return count;
}
