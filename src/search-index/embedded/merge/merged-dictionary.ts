import { compareCodePoints } from '../../../core/compare-text.ts';
import { GrowableU32 } from '../bytes/growable.ts';
import type { Segment } from '../segment/segment.ts';
import type { FrontCodingWriter } from '../term-dictionary/front-coding-writer.ts';
import type { Renumbering } from '../term-dictionary/reader.ts';
import { forEachDocumentOfSurface } from '../term-dictionary/surface-documents.ts';
import type { SurfaceListsWriter } from '../term-dictionary/surface-lists.ts';
import { type DictionarySource, SURFACE_CLASS_BITS, type SurfaceTerms } from '../term-dictionary/surfaces.ts';
import type { MergedEntries } from './merge-entries.ts';
import type { MergedTerms } from './merge-postings.ts';
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
