/** Lists of numbers that are read within their bounds: reading beyond gives 0. */
type Numbers = Float64Array | Int32Array;

export function valueAt(list: Numbers, index: number): number {
  return list[index] ?? 0;
}

export function add(list: Float64Array, index: number, value: number): void {
  list[index] = (list[index] ?? 0) + value;
}

/** 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

const LOGARITHMS = Float64Array.from({ length: 4_096 }, (_, count) => Math.log1p(count));

/** `Math.log1p`, of small counts from a table. */
export function logOf(count: number): number {
  return LOGARITHMS[count] ?? Math.log1p(count);
}
