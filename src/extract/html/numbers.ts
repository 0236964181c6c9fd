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
