import type { Terms } from '../search/passage.ts';

/** From here on two texts say the same. */
export const SAME_OVERLAP = 0.8;

/** Shared terms over those of the smaller text: 1 = one says all that the other says. */
export function overlap(a: Terms, b: Terms): number {
  return sharedOver(a, b, Math.min);
}

/** Shared terms over the geometric mean of both: how much two texts are about the same. */
export function similarity(a: Terms, b: Terms): number {
  return sharedOver(a, b, (first, second) => Math.sqrt(first * second));
}

function sharedOver(a: Terms, b: Terms, sizeOf: (a: number, b: number) => number): number {
  const [first, second] = [new Set(a), new Set(b)];
  const size = sizeOf(first.size, second.size);
  return size === 0 ? 0 : first.intersection(second).size / size;
}
