import { compareCodePoints } from '../../../core/compare-text.ts';
import { PART_PREFIX } from '../../../text/term-keys.ts';
import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { PositionReader } from '../positions/coder.ts';
import { decodeTerm, type PostingsWriter } from '../postings/blocks.ts';
import type { Segment } from '../segment/segment.ts';
import type { FrontCodedWalk } from '../term-dictionary/front-coded-list.ts';
import type { FrontCodingWriter } from '../term-dictionary/front-coding-writer.ts';
import type { Renumbering } from '../term-dictionary/reader.ts';
import { forEachDocumentOfSurface } from '../term-dictionary/surface-scan.ts';
import {
  type DictionarySource,
  SURFACE_CLASS_BITS,
  type SurfaceListsWriter,
  type SurfaceTerms,
} from '../term-dictionary/surfaces.ts';
import type { MergeSource } from './merger.ts';

type MergedInput = {
  readonly sources: readonly MergeSource[];
  readonly merged: MergedEntries;
  readonly terms: MergedTerms;
  /** Keys of the part terms, which are not among the merged entries and come before them. */
  readonly parts: readonly string[];
  readonly termCount: number;
};

/**
 * The stems and surface words that live documents of the sources have. Documents are read from the sources when they
 * are written: a merge holds the lists of one surface at a time.
 */
export class MergedDictionary implements DictionarySource {
  readonly count: number;
  readonly termCount: number;
  private readonly sources: readonly MergeSource[];
  private readonly merged: MergedEntries;
  private readonly terms: MergedTerms;
  private readonly renumberings: readonly Renumbering[];
  private readonly parts: readonly string[];
  /** By holder: 1 = a surface of its source with a live document. */
  private readonly isLive: Uint8Array;
  /** Merged entries that are written. */
  private readonly kept: Uint32Array;
  private readonly isKeptSurface: Uint8Array;
  private readonly list = new GrowableU32();

  constructor({ sources, merged, terms, parts, termCount }: MergedInput) {
    this.sources = sources;
    this.merged = merged;
    this.terms = terms;
    this.parts = parts;
    this.renumberings = sources.map(({ segment }, number) => ({
      termMap: terms.termMaps[number]!,
      languageMask: segment.languageMask,
    }));
    this.termCount = termCount;
    this.isLive = new Uint8Array(merged.entries.length);
    this.isKeptSurface = new Uint8Array(merged.count);
    this.kept = this.keepLive();
    this.count = parts.length + this.kept.length;
  }

  pushText(entry: number, out: FrontCodingWriter): void {
    const { bytes, textStarts } = this.merged;
    if (entry < this.parts.length) out.push(this.parts[entry]!);
    else out.pushBytes(bytes, textStarts[this.mergedOf(entry)]!, textStarts[this.mergedOf(entry) + 1]!);
  }

  termOf(entry: number): number {
    return entry < this.parts.length ? entry : this.terms.termOfEntry[this.mergedOf(entry)]!;
  }

  isSurface(entry: number): boolean {
    return entry >= this.parts.length && this.isKeptSurface[this.mergedOf(entry)] === 1;
  }

  addTerms(entry: number, out: SurfaceTerms): void {
    const { starts, sources, entries } = this.merged;
    const merged = this.mergedOf(entry);
    for (let holder = starts[merged]!; holder < starts[merged + 1]!; holder++) {
      if (this.isLive[holder] === 0) continue;
      const source = sources[holder]!;
      this.sources[source]!.segment.dictionary.addTermsTo(out, entries[holder]!, this.renumberings[source]!);
    }
  }

  addDocuments(entry: number, out: SurfaceListsWriter): void {
    const { list } = this;
    list.length = 0;
    this.forEachHolder(entry, ({ segment, documentMap }, held) => {
      forEachDocumentOfSurface(segment, held, (d, classes) => {
        const document = documentMap[d]!;
        if (document >= 0) list.push(((document << SURFACE_CLASS_BITS) | classes) >>> 0);
      });
    });
    out.addOwn(entry, list.array, 0, list.length);
  }

  addTitles(entry: number, out: SurfaceListsWriter): boolean {
    const { list } = this;
    list.length = 0;
    this.forEachHolder(entry, ({ segment: { dictionary }, documentMap }, held) => {
      if (!dictionary.isInTitle(held)) return;
      dictionary.surfaces.forEachTitle(held, (d) => {
        if (documentMap[d]! >= 0) list.push((documentMap[d]! << SURFACE_CLASS_BITS) >>> 0);
      });
    });
    return out.addTitles(entry, list.array, 0, list.length);
  }

  /** The form that stands for most documents of the sources, each of which knows its most frequent one only. */
  displayOf(entry: number): string | undefined {
    let hasOther = false;
    this.forEachHolder(entry, ({ segment }, held) => {
      hasOther ||= segment.dictionary.hasDisplay(held);
    });
    if (!hasOther) return undefined;
    const { bytes, textStarts } = this.merged;
    const merged = this.mergedOf(entry);
    const text = Buffer.from(bytes.subarray(textStarts[merged]!, textStarts[merged + 1]!)).toString('utf8');
    const documentsByForm = new Map<string, number>();
    this.forEachHolder(entry, ({ segment }, held) => {
      const form = segment.dictionary.surfaces.displayOf(held) ?? text;
      documentsByForm.set(form, (documentsByForm.get(form) ?? 0) + frequencyOf(segment, held));
    });
    const [best] = [...documentsByForm].sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b));
    return best === undefined || best[0] === text ? undefined : best[0];
  }

  private mergedOf(entry: number): number {
    return this.kept[entry - this.parts.length]!;
  }

  /** The sources in which a surface has a live document. */
  private forEachHolder(entry: number, visit: (source: MergeSource, held: number) => void): void {
    const { starts, sources, entries } = this.merged;
    const merged = this.mergedOf(entry);
    for (let holder = starts[merged]!; holder < starts[merged + 1]!; holder++) {
      if (this.isLive[holder] === 1) visit(this.sources[sources[holder]!]!, entries[holder]!);
    }
  }

  /** Finds the surfaces with a live document; returns them and the stems with one. */
  private keepLive(): Uint32Array {
    const { count, starts, sources, entries } = this.merged;
    const kept = new Uint32Array(count);
    let size = 0;
    for (let merged = 0; merged < count; merged++) {
      for (let holder = starts[merged]!; holder < starts[merged + 1]!; holder++) {
        if (!this.isLiveSurface(sources[holder]!, entries[holder]!)) continue;
        this.isLive[holder] = 1;
        this.isKeptSurface[merged] = 1;
      }
      if (this.isKeptSurface[merged] === 1 || this.terms.termOfEntry[merged]! >= 0) kept[size++] = merged;
    }
    return kept.subarray(0, size);
  }

  private isLiveSurface(number: number, held: number): boolean {
    const { segment, documentMap } = this.sources[number]!;
    const { dictionary } = segment;
    if (!dictionary.isSurface(held)) return false;
    if (!dictionary.hasOwnList(held)) return this.terms.termMaps[number]![dictionary.termOf(held)]! >= 0;
    return dictionary.surfaces.someOwn(held, (d) => documentMap[d]! >= 0);
  }
}

function frequencyOf({ dictionary, termDf }: Segment, entry: number): number {
  return dictionary.hasOwnList(entry) ? dictionary.surfaces.frequencyOf(entry) : termDf[dictionary.termOf(entry)]!;
}

/**
 * The dictionary entries of several segments by code point, each once. Entry e has the UTF-8 bytes
 * `bytes[textStarts[e]..textStarts[e + 1])`; it is entry `entries[h]` of source `sources[h]`, for h in
 * `starts[e]..starts[e + 1]`, sources ascending.
 */
type MergedEntries = {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly textStarts: Uint32Array;
  readonly starts: Uint32Array;
  readonly sources: Uint32Array;
  readonly entries: Uint32Array;
  /** Per source the number of its first term among the entries. */
  readonly firstTerms: readonly number[];
};

const PART_BYTE = PART_PREFIX.charCodeAt(0);

/**
 * Merges by comparing bytes: O(entries · sources), no strings. `withoutParts` leaves out the part terms, which come
 * first in every dictionary.
 */
export function mergeEntries(sources: readonly MergeSource[], withoutParts: boolean): MergedEntries {
  const walks = sources.map(({ segment }) => segment.dictionary.entries.walk());
  const firstTerms = walks.map((walk) => {
    while (walk.next() && withoutParts && walk.item[0] === PART_BYTE);
    return walk.index;
  });
  const bytes = new GrowableU8();
  const [textStarts, starts, holders, entries] = [0, 1, 2, 3].map(() => new GrowableU32()) as Four<GrowableU32>;
  const least = new Uint32Array(walks.length);
  for (let count = findLeast(walks, least); count > 0; count = findLeast(walks, least)) {
    const first = walks[least[0]!]!;
    textStarts.push(bytes.length);
    bytes.append(first.item, 0, first.length);
    starts.push(entries.length);
    for (let i = 0; i < count; i++) {
      const walk = walks[least[i]!]!;
      holders.push(least[i]!);
      entries.push(walk.index);
      walk.next();
    }
  }
  const count = starts.length;
  textStarts.push(bytes.length);
  starts.push(entries.length);
  return {
    count,
    firstTerms,
    bytes: bytes.array,
    textStarts: textStarts.view(),
    starts: starts.view(),
    sources: holders.view(),
    entries: entries.view(),
  };
}

type Four<T> = [T, T, T, T];

/** Writes the walks that stand at the least text into `least`; returns how many, 0 when all have ended. */
function findLeast(walks: readonly FrontCodedWalk[], least: Uint32Array): number {
  let count = 0;
  for (let number = 0; number < walks.length; number++) {
    const walk = walks[number]!;
    if (walk.isAtEnd) continue;
    const order = count === 0 ? -1 : compareItems(walk, walks[least[0]!]!);
    if (order > 0) continue;
    if (order < 0) count = 0;
    least[count++] = number;
  }
  return count;
}

function compareItems(a: FrontCodedWalk, b: FrontCodedWalk): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a.item[i] !== b.item[i]) return a.item[i]! - b.item[i]!;
  return a.length - b.length;
}

/** New numbers of terms: by merged entry, and by source and old number; -1 = none with a live document. */
type MergedTerms = { readonly termOfEntry: Int32Array; readonly termMaps: readonly Int32Array[] };

/** A source while its terms are copied in order. */
type TermCopy = {
  readonly source: MergeSource;
  readonly termMap: Int32Array;
  readonly positions: PositionReader;
  next: number;
};

/** Writes the live postings of all terms, one source after the other, terms in the order of the merged entries. */
export function mergePostings(
  sources: readonly MergeSource[],
  merged: MergedEntries,
  out: PostingsWriter,
): MergedTerms {
  const copies = sources.map((source, number) => openCopy(source, merged.firstTerms[number]!));
  const documents = new Uint32Array(Math.max(0, ...sources.map(({ segment }) => segment.documents)));
  const termOfEntry = new Int32Array(merged.count).fill(-1);
  for (let entry = 0; entry < merged.count; entry++) {
    const number = out.terms;
    let isTerm = false;
    for (let holder = merged.starts[entry]!; holder < merged.starts[entry + 1]!; holder++) {
      const copy = copies[merged.sources[holder]!]!;
      if (!copy.source.segment.dictionary.isStem(merged.entries[holder]!)) continue;
      if (!isTerm) out.beginTerm();
      isTerm = true;
      copy.termMap[copy.next] = number;
      copyPostings(copy, copy.next++, documents, out);
    }
    if (isTerm && out.endTerm()) termOfEntry[entry] = number;
    else if (isTerm) forgetTerm(copies, number);
  }
  return { termOfEntry, termMaps: copies.map(({ termMap }) => termMap) };
}

/** No document of the last term is live. */
function forgetTerm(copies: readonly TermCopy[], number: number): void {
  for (const { termMap, next } of copies) if (termMap[next - 1] === number) termMap[next - 1] = -1;
}

function openCopy(source: MergeSource, next: number): TermCopy {
  const { segment } = source;
  const positions = new PositionReader();
  positions.open(segment.positions(), segment.tfBytes);
  return { source, termMap: new Int32Array(segment.header.terms).fill(-1), positions, next };
}

/** Copies the live postings of a term; coded positions are taken over unread, those that lie together at once. */
function copyPostings(
  { source, positions }: TermCopy,
  term: number,
  documents: Uint32Array,
  out: PostingsWriter,
): void {
  const { segment, documentMap } = source;
  const df = segment.termDf[term]!;
  const first = segment.termPosting[term]!;
  decodeTerm(segment, term, documents);
  for (let i = 0; i < df; ) {
    const start = i;
    for (const end = Math.min(df, start + out.unindexed); i < end && documentMap[documents[i]!]! >= 0; i++) {
      out.beginPosting();
      out.endPosting(documentMap[documents[i]!]!, segment.tfBytes[first + i]!);
    }
    if (i === start) i++;
    else {
      const { from, to } = positions.rangeOf(first + start, i - start);
      out.positions.append(positions.source, from, to);
    }
  }
}
