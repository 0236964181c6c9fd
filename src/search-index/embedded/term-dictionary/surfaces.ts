import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { encodeText } from '../bytes/text-order.ts';
import { RESIDENCY, SECTION, type Section, type SectionData } from '../segment/sections.ts';
import type { FrontCodingWriter } from './front-coding-writer.ts';

/** Class bits of a surface's document; neither = in class A only. The numbers are stored. */
export const SURFACE_CLASS = { b: 1, c: 2 } as const;
/** Bits of `SURFACE_CLASS` below the document number. */
export const SURFACE_CLASS_BITS = 2;

/** What the dictionary of a new segment is written from: stems and surface words together, by code point. */
export interface DictionarySource {
  readonly count: number;
  readonly termCount: number;
  pushText(entry: number, out: FrontCodingWriter): void;
  /** Number of the term with this stem, -1 = the entry is none. */
  termOf(entry: number): number;
  isSurface(entry: number): boolean;
  /** Adds the terms of a surface, at least one. */
  addTerms(entry: number, out: SurfaceTerms): void;
  /** Adds the documents of a surface that `ownsLists` gives a list. */
  addDocuments(entry: number, out: SurfaceListsWriter): void;
  /** Adds the documents that have a surface in class A; false = none has. */
  addTitles(entry: number, out: SurfaceListsWriter): boolean;
  /** The written form of a surface that is most frequent; undefined = the folded one. */
  displayOf(entry: number): string | undefined;
}

/** Terms of one surface word, ascending, each with the mask of the languages in which it has that stem. Reused. */
export class SurfaceTerms {
  length = 0;
  readonly terms: number[] = [];
  readonly masks: number[] = [];

  add(term: number, mask: number): void {
    let at = this.length;
    while (at > 0 && this.terms[at - 1]! > term) at--;
    if (at > 0 && this.terms[at - 1] === term) {
      this.masks[at - 1] = (this.masks[at - 1]! | mask) >>> 0;
      return;
    }
    for (let i = this.length++; i > at; i--) {
      this.terms[i] = this.terms[i - 1]!;
      this.masks[i] = this.masks[i - 1]!;
    }
    this.terms[at] = term;
    this.masks[at] = mask >>> 0;
  }
}

/** What tells which surfaces need a list of their own. */
type TermsBySurface = Pick<DictionarySource, 'count' | 'termCount' | 'isSurface' | 'addTerms'>;

/**
 * By entry: 1 = a surface that needs a list of its own, as it has several terms or shares its term. The documents of
 * any other are its term's. O(terms of all surfaces).
 */
export function ownsLists(source: TermsBySurface): Uint8Array {
  const { count, termCount } = source;
  const surfaces = new Uint32Array(termCount);
  const onlyTerm = new Int32Array(count).fill(-1);
  const owns = new Uint8Array(count);
  const found = new SurfaceTerms();
  for (let entry = 0; entry < count; entry++) {
    if (!source.isSurface(entry)) continue;
    found.length = 0;
    source.addTerms(entry, found);
    for (let i = 0; i < found.length; i++) surfaces[found.terms[i]!]!++;
    if (found.length === 1) onlyTerm[entry] = found.terms[0]!;
    else owns[entry] = 1;
  }
  for (let entry = 0; entry < count; entry++) {
    if (onlyTerm[entry]! >= 0 && surfaces[onlyTerm[entry]!]! > 1) owns[entry] = 1;
  }
  return owns;
}

/** Byte lists of some entries: the bytes, where each list starts (one more than there are), and the entries. */
class ListsWriter {
  readonly bytes = new GrowableU8();
  private readonly starts = new GrowableU32();
  private readonly entries = new GrowableU32();

  begin(entry: number): void {
    this.starts.push(this.bytes.length);
    this.entries.push(entry);
  }

  sections(kind: number): Section[] {
    this.starts.push(this.bytes.length);
    const parts = [this.bytes.view(), this.starts.view(), this.entries.view()];
    return parts.map((data, part) => section(kind, part, data));
  }
}

/** Writes the document lists and display forms of surface words, entries ascending (search-engine design 7.3). */
export class SurfaceListsWriter {
  private readonly frequencies = new GrowableU32();
  private readonly own = new ListsWriter();
  private readonly titles = new ListsWriter();
  private readonly displays = new ListsWriter();

  /**
   * Documents of a surface: `items[from..to)` ascending, each shifted left by `SURFACE_CLASS_BITS` with the bits of
   * `SURFACE_CLASS`.
   */
  addOwn(entry: number, items: Uint32Array, from: number, to: number): void {
    this.own.begin(entry);
    this.frequencies.push(to - from);
    const { bytes } = this.own;
    let last = 0;
    for (let i = from; i < to; i++) {
      const document = items[i]! >>> SURFACE_CLASS_BITS;
      bytes.varint((((document - last) << SURFACE_CLASS_BITS) | (items[i]! & CLASSES)) >>> 0);
      last = document;
    }
  }

  /** Documents that have the surface in class A, in the same form; false = there is none. */
  addTitles(entry: number, items: Uint32Array, from: number, to: number): boolean {
    if (from === to) return false;
    this.titles.begin(entry);
    let last = 0;
    for (let i = from; i < to; i++) {
      const document = items[i]! >>> SURFACE_CLASS_BITS;
      this.titles.bytes.varint(document - last);
      last = document;
    }
    return true;
  }

  addDisplay(entry: number, display: string): void {
    this.displays.begin(entry);
    const bytes = encodeText(display);
    this.displays.bytes.append(bytes, 0, bytes.length);
  }

  sections(): Section[] {
    return [
      section(SECTION.surfaceDf, 0, this.frequencies.view()),
      ...this.own.sections(SECTION.surfaceDeltas),
      ...this.titles.sections(SECTION.titleDeltas),
      ...this.displays.sections(SECTION.displayBytes),
    ];
  }
}

type Lists = {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
  /** Place of the entry that was looked for last. */
  last: number;
};

/** Share of all lists from which on many are found by walking. */
const SPARSE_DIVISOR = 16;

const CLASSES = (1 << SURFACE_CLASS_BITS) - 1;

/** Reads what `SurfaceListsWriter` writes. Finding an entry is a binary search. */
export class SurfaceLists {
  private readonly frequencies: Uint32Array;
  private readonly own: Lists;
  private readonly titles: Lists;
  private readonly displays: Lists;

  constructor(section: (kind: number, part?: number) => SectionData) {
    this.frequencies = section(SECTION.surfaceDf) as Uint32Array;
    this.own = readLists(section, SECTION.surfaceDeltas);
    this.titles = readLists(section, SECTION.titleDeltas);
    this.displays = readLists(section, SECTION.displayBytes);
  }

  /** Documents of a surface with an own list, dead ones included. */
  frequencyOf(entry: number): number {
    return this.frequencies[indexOf(this.own, entry)]!;
  }

  /** `frequencyOf` entries that ascend; 0 for those without an own list. */
  frequenciesOf(entries: Uint32Array): Uint32Array {
    const own = this.own.entries;
    const frequencies = new Uint32Array(entries.length);
    const walks = entries.length > own.length / SPARSE_DIVISOR;
    let at = 0;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!;
      if (walks) while (at < own.length && own[at]! < entry) at++;
      else at = indexOf(this.own, entry);
      if (own[at] === entry) frequencies[i] = this.frequencies[at]!;
    }
    return frequencies;
  }

  /**
   * Writes the documents of a surface with an own list that have it in one of the classes (0 = in any) into `out`, at
   * least its frequency long; returns how many.
   */
  readOwn(entry: number, classes: number, out: Uint32Array): number {
    return readDeltas(this.own, entry, { bits: SURFACE_CLASS_BITS, classes, out });
  }

  /** Writes the documents that have the surface in class A into `out`, at least its frequency long; returns how many. */
  readTitles(entry: number, out: Uint32Array): number {
    return readDeltas(this.titles, entry, { bits: 0, classes: 0, out });
  }

  /** Upper bound of the documents that have the surface in class A. */
  titleBound(entry: number): number {
    const index = indexOf(this.titles, entry);
    return index < 0 ? 0 : this.titles.starts[index + 1]! - this.titles.starts[index]!;
  }

  /** Visits the documents of a surface with an own list, ascending, with their class bits. O(df). */
  forEachOwn(entry: number, visit: (document: number, classes: number) => void): void {
    this.someOwn(entry, (document, classes) => {
      visit(document, classes);
      return false;
    });
  }

  /** Whether a document of a surface with an own list passes; stops at the first. */
  someOwn(entry: number, test: (document: number, classes: number) => boolean): boolean {
    let document = 0;
    return someVarint(this.own, entry, (value) => {
      document += value >>> SURFACE_CLASS_BITS;
      return test(document, value & CLASSES);
    });
  }

  /** Visits the documents that have the surface in class A, ascending. O(documents). */
  forEachTitle(entry: number, visit: (document: number) => void): void {
    let document = 0;
    someVarint(this.titles, entry, (delta) => {
      document += delta;
      visit(document);
      return false;
    });
  }

  displayOf(entry: number): string | undefined {
    const { bytes, starts } = this.displays;
    const index = indexOf(this.displays, entry);
    if (index < 0) return undefined;
    return Buffer.from(bytes.subarray(starts[index]!, starts[index + 1]!)).toString('utf8');
  }
}

function readLists(section: (kind: number, part?: number) => SectionData, kind: number): Lists {
  return {
    bytes: section(kind) as Uint8Array,
    starts: section(kind, 1) as Uint32Array,
    entries: section(kind, 2) as Uint32Array,
    last: 0,
  };
}

/** -1 when the entry has no list. Gallops from the entry found last: those of a pattern ascend. */
function indexOf(lists: Lists, entry: number): number {
  const { entries } = lists;
  let low = lists.last < entries.length && entries[lists.last]! <= entry ? lists.last : 0;
  let step = 1;
  for (; low + step < entries.length && entries[low + step]! < entry; step <<= 1) low += step;
  let high = Math.min(entries.length, low + step + 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (entries[middle]! < entry) low = middle + 1;
    else high = middle;
  }
  lists.last = low;
  return entries[low] === entry ? low : -1;
}

type Reading = { readonly bits: number; readonly classes: number; readonly out: Uint32Array };

/** One loop without a call per document: patterns read a thousand lists. */
function readDeltas(lists: Lists, entry: number, { bits, classes, out }: Reading): number {
  const { bytes, starts } = lists;
  const index = indexOf(lists, entry);
  if (index < 0) return 0;
  const end = starts[index + 1]!;
  let document = 0;
  let count = 0;
  for (let at = starts[index]!; at < end; ) {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    document += value >>> bits;
    out[count] = document;
    if (classes === 0 || (value & classes) !== 0) count++;
  }
  return count;
}

function someVarint(lists: Lists, entry: number, test: (value: number) => boolean): boolean {
  const { bytes, starts } = lists;
  const index = indexOf(lists, entry);
  if (index < 0) return false;
  const end = starts[index + 1]!;
  for (let at = starts[index]!; at < end; ) {
    let value = 0;
    let shift = 0;
    let byte = 0;
    do {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    if (test(value >>> 0)) return true;
  }
  return false;
}

function section(kind: number, part: number, data: SectionData): Section {
  return { kind, subject: 0, part, residency: RESIDENCY.engine, data };
}
