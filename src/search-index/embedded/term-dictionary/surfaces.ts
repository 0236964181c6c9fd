import type { FrontCodingWriter } from './front-coding-writer.ts';
import type { SurfaceListsWriter } from './surface-lists.ts';

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
