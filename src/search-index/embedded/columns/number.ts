import { setBit } from '../bytes/bitset.ts';
import type { SectionData } from '../segment/sections.ts';
import { checkStop } from '../stop-point.ts';
import { type NumberKinds, spread } from './column-writers.ts';

/** Numbers or instants of one field of a segment. */
export type NumberColumn = {
  /** Smallest and largest number per document, NaN = none; the same array when no document has two. */
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** Documents with three numbers or more: those of `documents[i]` = `values[starts[i]..starts[i + 1])`, ascending. */
  readonly exceptions: { readonly starts: Uint32Array; readonly documents: Uint32Array; readonly values: Float64Array };
  /** Documents with a number, ascending by the smallest. */
  readonly order: Uint32Array;
};

const NO_EXCEPTIONS = { starts: new Uint32Array(1), documents: new Uint32Array(0), values: new Float64Array(0) };

export function readNumberColumn(
  section: (kind: number, part?: number) => SectionData | undefined,
  kinds: NumberKinds,
  documentCount: number,
): NumberColumn | undefined {
  const stored = section(kinds.min) as Float64Array | undefined;
  if (stored === undefined) return undefined;
  const sparse = section(kinds.min, 2) as Uint32Array | undefined;
  const dense = (data: Float64Array) => (sparse === undefined ? data : spread(data, sparse, documentCount));
  const min = dense(stored);
  const storedMax = section(kinds.max) as Float64Array | undefined;
  const starts = section(kinds.exceptions, 1) as Uint32Array | undefined;
  return {
    min,
    max: storedMax === undefined ? min : dense(storedMax),
    exceptions:
      starts === undefined
        ? NO_EXCEPTIONS
        : {
            starts,
            documents: section(kinds.exceptions, 2) as Uint32Array,
            values: section(kinds.exceptions, 3) as Float64Array,
          },
    order: section(kinds.order) as Uint32Array,
  };
}

/** All numbers of a document, ascending; empty when it has none. `exception` = its place among the exceptions or -1. */
export function numbersOf(column: NumberColumn, document: number): readonly number[] {
  const least = column.min[document]!;
  if (Number.isNaN(least)) return [];
  const { starts, documents, values } = column.exceptions;
  const at = documents.length === 0 ? -1 : find(documents, document);
  if (at >= 0) return [...values.subarray(starts[at]!, starts[at + 1]!)];
  const most = column.max[document]!;
  return most === least ? [least] : [least, most];
}

/** The largest number of a document that is not above `bound`. */
export function latestUpTo(column: NumberColumn, document: number, bound: number): number | undefined {
  return numbersOf(column, document).findLast((value) => value <= bound);
}

/**
 * Sets the bits of documents with a number in [from, to]. O(slice) when the slice of `order` is short and no document
 * has two numbers, else O(documents).
 */
export function setBitsInRange(column: NumberColumn, from: number, to: number, bits: Uint32Array): void {
  const { min, max, order } = column;
  if (min === max) {
    const low = lowerBound(order, min, from, false);
    const high = lowerBound(order, min, to, true);
    for (let i = low; i < high; i++) bits[order[i]! >>> 5] = bits[order[i]! >>> 5]! | (1 << (order[i]! & 31));
    return;
  }
  for (let d = 0; d < min.length; d++) {
    const a = min[d]!;
    const b = max[d]!;
    if ((a >= from && a <= to) || (b >= from && b <= to)) bits[d >>> 5] = bits[d >>> 5]! | (1 << (d & 31));
  }
  setBitsOfExceptions(column, from, to, bits);
}

const CALLS_BETWEEN_STOPS = 8_192;

/** Sets the bits of documents with a number that passes. O(documents) calls. */
export function setMatchingBits(column: NumberColumn, test: (value: number) => boolean, bits: Uint32Array): void {
  const { order, exceptions } = column;
  const some = (document: number) => {
    const { min, max } = column;
    return test(min[document]!) || test(max[document]!);
  };
  for (let i = 0; i < order.length; i++) {
    if (i % CALLS_BETWEEN_STOPS === 0) checkStop();
    if (some(order[i]!)) setBit(bits, order[i]!);
  }
  for (let i = 0; i < exceptions.documents.length; i++) {
    const values = exceptions.values.subarray(exceptions.starts[i]!, exceptions.starts[i + 1]!);
    if (values.some(test)) setBit(bits, exceptions.documents[i]!);
  }
}

function setBitsOfExceptions({ exceptions }: NumberColumn, from: number, to: number, bits: Uint32Array): void {
  const { starts, documents, values } = exceptions;
  for (let i = 0; i < documents.length; i++) {
    const d = documents[i]!;
    const inside = values.subarray(starts[i]!, starts[i + 1]!).some((value) => value >= from && value <= to);
    if (inside) bits[d >>> 5] = bits[d >>> 5]! | (1 << (d & 31));
  }
}

/** First place in `order` whose number is ≥ `bound`, or > `bound` when `after`. */
function lowerBound(order: Uint32Array, numbers: Float64Array, bound: number, after: boolean): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = numbers[order[middle]!]!;
    if (value < bound || (after && value === bound)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function find(sorted: Uint32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted ? low : -1;
}
