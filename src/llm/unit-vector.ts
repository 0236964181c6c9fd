/** The direction of the values: of length 1, or NaN throughout for a vector without one. */
export function unitVector(values: ArrayLike<number>): Float32Array {
  const length = Math.hypot(...Array.from(values));
  return Float32Array.from(values, (value) => value / length);
}
