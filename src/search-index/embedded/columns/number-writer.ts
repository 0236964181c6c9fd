import { bitWords, setBit } from '../bytes/bitset.ts';
import { GrowableU32 } from '../bytes/growable.ts';
import { RESIDENCY, SECTION, type Section, type SectionData } from '../segment/sections.ts';
import { SPARSE_DIVISOR } from './keyword-writer.ts';

/** Section kinds of a column of numbers: plain ones or instants. */
export type NumberKinds = {
  readonly min: number;
  readonly max: number;
  readonly exceptions: number;
  readonly order: number;
  readonly unparsed: number;
};

export const NUMBER_KINDS: NumberKinds = {
  min: SECTION.numberMin,
  max: SECTION.numberMax,
  exceptions: SECTION.numberExceptions,
  order: SECTION.numberOrder,
  unparsed: SECTION.unparsedNumber,
};

export const DATE_KINDS: NumberKinds = {
  min: SECTION.dateMin,
  max: SECTION.dateMax,
  exceptions: SECTION.dateExceptions,
  order: SECTION.dateOrder,
  unparsed: SECTION.unparsedDate,
};

/** Collects the numbers (or instants) of one field. Documents are added in ascending order. */
export class NumberColumnWriter {
  private readonly documents = new GrowableU32();
  private readonly unparsed = new GrowableU32();
  private readonly values: number[][] = [];

  /** `values` has at least one. */
  add(document: number, values: readonly number[]): void {
    this.documents.push(document);
    this.values.push([...values].sort((a, b) => a - b));
  }

  /** Notes a document with a value that is none. */
  addUnparsed(document: number): void {
    this.unparsed.push(document);
  }

  get count(): number {
    return this.documents.length;
  }

  get unparsedCount(): number {
    return this.unparsed.length;
  }

  /** Nothing for a field without a single number. */
  sections(field: number, documentCount: number, kinds: NumberKinds): Section[] {
    if (this.count === 0) return [];
    const column = (kind: number, part: number, data: SectionData): Section => ({
      kind,
      subject: field,
      part,
      residency: RESIDENCY.column,
      data,
    });
    const documents = this.documents.view();
    const min = Float64Array.from(this.values, (values) => values[0]!);
    const max = Float64Array.from(this.values, (values) => values.at(-1)!);
    const order = Uint32Array.from(sortedBy(min), (i) => documents[i]!);
    const sections = [column(kinds.order, 0, order)];
    const sparse = documents.length < documentCount / SPARSE_DIVISOR;
    if (sparse) sections.push(column(kinds.min, 2, documents));
    const stored = (data: Float64Array) => (sparse ? data : spread(data, documents, documentCount));
    sections.push(column(kinds.min, 0, stored(min)));
    if (this.values.some((values) => values.length > 1)) {
      sections.push(column(kinds.max, 0, stored(max)));
      sections.push(...this.exceptionParts().map((data, i) => column(kinds.exceptions, i + 1, data)));
    }
    if (this.unparsed.length > 0) sections.push(column(kinds.unparsed, 0, this.unparsedBits(documentCount)));
    return sections;
  }

  /** Documents with three numbers or more: their starts, numbers and values, all of them. */
  private exceptionParts(): SectionData[] {
    const starts: number[] = [];
    const documents: number[] = [];
    const numbers: number[] = [];
    for (const [i, values] of this.values.entries()) {
      if (values.length < 3) continue;
      starts.push(numbers.length);
      documents.push(this.documents.array[i]!);
      // Not spread: a document may have a million numbers, more than a call takes arguments.
      for (const value of values) numbers.push(value);
    }
    starts.push(numbers.length);
    return [Uint32Array.from(starts), Uint32Array.from(documents), Float64Array.from(numbers)];
  }

  private unparsedBits(documentCount: number): Uint32Array {
    const bits = new Uint32Array(bitWords(documentCount));
    for (const document of this.unparsed.view()) setBit(bits, document);
    return bits;
  }
}

/** Positions by ascending number; equal numbers keep their order. */
export function sortedBy(numbers: Float64Array): Uint32Array {
  return Uint32Array.from(numbers.keys()).sort((a, b) => numbers[a]! - numbers[b]! || a - b);
}

/** One number per document, NaN where there is none. */
export function spread(data: Float64Array, documents: Uint32Array, documentCount: number): Float64Array {
  const dense = new Float64Array(documentCount).fill(Number.NaN);
  for (let i = 0; i < documents.length; i++) dense[documents[i]!] = data[i]!;
  return dense;
}
