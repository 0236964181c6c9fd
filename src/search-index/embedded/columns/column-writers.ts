import { bitWords, setBit } from '../bytes/bitset.ts';
import { GrowableU32 } from '../bytes/growable.ts';
import { sortByCodePoint } from '../bytes/text-order.ts';
import { RESIDENCY, SECTION, type Section, type SectionData } from '../segment/sections.ts';
import { FrontCodingWriter } from '../term-dictionary/front-coding-writer.ts';
import { isLongValue } from './keyword.ts';

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

/** Share of documents below which a column lists its documents instead of giving every document a number. */
const SPARSE_DIVISOR = 8;

/**
 * Collects one field's values as value sets: one number per document, however many values it has. Set 0 is empty.
 * Documents are added in ascending order.
 */
export class KeywordColumnWriter {
  private readonly ordinals = new Map<string, number>();
  private readonly sets = new Map<string, number>();
  /** Members of all sets, one set after the other, and where each ends; set 0 is empty. */
  private readonly members = new GrowableU32();
  private readonly memberEnds = new GrowableU32();
  /** Per value the set that holds it alone, 0 = none yet. */
  private readonly singleSets = new GrowableU32();
  private readonly documents = new GrowableU32();
  private readonly documentSets = new GrowableU32();

  constructor() {
    this.memberEnds.push(0);
  }

  /** Documents added with at least one value. */
  get count(): number {
    return this.documents.length;
  }

  get longValues(): number {
    let count = 0;
    for (const key of this.ordinals.keys()) if (isLongValue(key)) count++;
    return count;
  }

  /** Temporary number of a value key. */
  internValue(key: string): number {
    let ordinal = this.ordinals.get(key);
    if (ordinal === undefined) {
      ordinal = this.ordinals.size;
      this.ordinals.set(key, ordinal);
      this.singleSets.push(0);
    }
    return ordinal;
  }

  /** Number of the set of one value. */
  internSingle(ordinal: number): number {
    const known = this.singleSets.array[ordinal]!;
    if (known !== 0) return known;
    this.members.push(ordinal);
    const set = this.endSet();
    this.singleSets.array[ordinal] = set;
    return set;
  }

  /** Number of the set with these values; duplicates and order do not matter. */
  internSet(ordinals: readonly number[]): number {
    if (ordinals.length === 0) return 0;
    if (ordinals.length === 1) return this.internSingle(ordinals[0]!);
    const distinct = [...new Set(ordinals)].sort((a, b) => a - b);
    if (distinct.length === 1) return this.internSingle(distinct[0]!);
    const key = distinct.join();
    const known = this.sets.get(key);
    if (known !== undefined) return known;
    for (const ordinal of distinct) this.members.push(ordinal);
    const set = this.endSet();
    this.sets.set(key, set);
    return set;
  }

  add(document: number, set: number): void {
    this.documents.push(document);
    this.documentSets.push(set);
  }

  sections(field: number, documentCount: number): Section[] {
    const column = (kind: number, data: SectionData): Section => ({
      kind,
      subject: field,
      part: 0,
      residency: RESIDENCY.column,
      data,
    });
    const sorted = sortByCodePoint([...this.ordinals.keys()]);
    const rank = new Uint32Array(sorted.length);
    const coding = new FrontCodingWriter();
    for (const [i, key] of sorted.entries()) {
      rank[this.ordinals.get(key)!] = i;
      coding.push(key);
    }
    const coded = coding.finish();
    return [
      column(SECTION.values, coded.bytes),
      column(SECTION.valueBlocks, coded.blocks),
      ...this.setSections(rank).map(([kind, data]) => column(kind, data)),
      ...this.documentSections(documentCount).map(([kind, data]) => column(kind, data)),
    ];
  }

  private get setCount(): number {
    return this.memberEnds.length;
  }

  /** Makes a set of the members added since the last one. */
  private endSet(): number {
    this.memberEnds.push(this.members.length);
    return this.memberEnds.length - 1;
  }

  private setSections(rank: Uint32Array): [number, SectionData][] {
    const ends = this.memberEnds.array;
    const starts = new Uint32Array(this.setCount + 1);
    const values = Uint32Array.from(this.members.view(), (ordinal) => rank[ordinal]!);
    for (let set = 1; set < this.setCount; set++) {
      const start = ends[set - 1]!;
      starts[set] = start;
      if (ends[set]! - start > 1) values.subarray(start, ends[set]).sort();
    }
    starts[this.setCount] = values.length;
    return [
      [SECTION.setStart, starts],
      [SECTION.setValues, values],
    ];
  }

  private documentSections(documentCount: number): [number, SectionData][] {
    const documents = this.documents.view();
    const sets = this.documentSets.view();
    if (documents.length < documentCount / SPARSE_DIVISOR) {
      return [
        [SECTION.sparseDocs, documents],
        [SECTION.set, narrowest(sets, this.setCount)],
      ];
    }
    const dense = new Uint32Array(documentCount);
    for (let i = 0; i < documents.length; i++) dense[documents[i]!] = sets[i]!;
    return [[SECTION.set, narrowest(dense, this.setCount)]];
  }
}

/** Numbers below `limit` in the fewest bytes. */
export function narrowest(numbers: Uint32Array, limit: number): Uint8Array | Uint16Array | Uint32Array {
  if (limit <= 256) return Uint8Array.from(numbers);
  return limit <= 65536 ? Uint16Array.from(numbers) : numbers;
}
