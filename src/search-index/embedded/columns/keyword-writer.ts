import { GrowableU32 } from '../bytes/growable.ts';
import { sortByCodePoint } from '../bytes/text-order.ts';
import { RESIDENCY, SECTION, type Section, type SectionData } from '../segment/sections.ts';
import { FrontCodingWriter } from '../term-dictionary/front-coding-writer.ts';
import { isLongValue } from './value-key.ts';

/** Share of documents below which a column lists its documents instead of giving every document a number. */
export const SPARSE_DIVISOR = 8;

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
