import { encodeText } from '../bytes/text-order.ts';
import { SECTION, type SectionData } from '../segment/sections.ts';
import { FrontCodedList } from './front-coded-list.ts';
import { SurfaceLists, type SurfaceTerms } from './surfaces.ts';
import { ENTRY_FLAG, TERM_LIST_BIT } from './writer.ts';

type SurfaceVisitor = (text: string, entry: number) => void;

/** What the terms and languages of a segment become when it is merged. */
export type Renumbering = { readonly termMap: Int32Array; readonly languageMask: number };

/** Look-up of terms in one segment. One thread, one reader: look-ups share scratch memory. */
export class TermDictionary {
  readonly entries: FrontCodedList;
  readonly surfaces: SurfaceLists;
  private readonly entryTerm: Uint32Array;
  private readonly entryFlags: Uint8Array;
  private readonly lists: Uint32Array;

  constructor(section: (kind: number, part?: number) => SectionData, entryCount: number) {
    const bytes = section(SECTION.entryBytes) as Uint8Array;
    const blocks = section(SECTION.entryBlocks) as Uint32Array;
    this.entries = new FrontCodedList({ bytes, blocks }, entryCount);
    this.entryTerm = section(SECTION.entryTerm) as Uint32Array;
    this.entryFlags = section(SECTION.entryFlags) as Uint8Array;
    this.lists = section(SECTION.entryTermLists) as Uint32Array;
    this.surfaces = new SurfaceLists(section);
  }

  /** Number of the term with this stem, -1 when the segment has none. */
  findTerm(stem: string): number {
    const entry = this.entries.find(stem);
    if (entry < 0 || (this.entryFlags[entry]! & ENTRY_FLAG.stem) === 0) return -1;
    const term = this.entryTerm[entry]!;
    return term < TERM_LIST_BIT ? term : this.lists[(term & ~TERM_LIST_BIT) + 1]!;
  }

  /** Stems of all terms by number. For merging. */
  stems(): string[] {
    const stems: string[] = [];
    let entry = 0;
    for (const text of this.entries) {
      if ((this.entryFlags[entry]! & ENTRY_FLAG.stem) !== 0) stems.push(text);
      entry++;
    }
    return stems;
  }

  /** Whether a term has the entry as its stem. */
  isStem(entry: number): boolean {
    return (this.entryFlags[entry]! & ENTRY_FLAG.stem) !== 0;
  }

  /** Visits the surface words in order, each with its entry. */
  forEachSurface(visit: SurfaceVisitor): void {
    let entry = 0;
    for (const text of this.entries) {
      if (this.isSurface(entry)) visit(text, entry);
      entry++;
    }
  }

  /** Entries of the surface words of a range, ascending. */
  surfacesIn({ from, to }: { readonly from: number; readonly to: number }): Uint32Array {
    const surfaces = new Uint32Array(to - from);
    const { entryFlags } = this;
    let count = 0;
    for (let entry = from; entry < to; entry++) {
      if ((entryFlags[entry]! & ENTRY_FLAG.surface) !== 0) surfaces[count++] = entry;
    }
    return surfaces.subarray(0, count);
  }

  /** Documents of surfaces, which ascend, dead ones included. `termDf` = documents of the terms. */
  frequenciesOf(entries: Uint32Array, termDf: Uint32Array): Uint32Array {
    const frequencies = this.surfaces.frequenciesOf(entries);
    for (let i = 0; i < entries.length; i++) {
      if (!this.hasOwnList(entries[i]!)) frequencies[i] = termDf[this.termOf(entries[i]!)]!;
    }
    return frequencies;
  }

  /** Entries of all texts that start with `head`: `[from, to)`. */
  rangeOf(head: string): { readonly from: number; readonly to: number } {
    const key = encodeText(head);
    const beyond = new Uint8Array(key.length + 1).fill(0xff);
    beyond.set(key);
    return { from: this.entries.lowerBound(key), to: this.entries.lowerBound(beyond) };
  }

  isSurface(entry: number): boolean {
    return (this.entryFlags[entry]! & ENTRY_FLAG.surface) !== 0;
  }

  /** Whether the entry has a document list of its own; else its documents are those of its one term. */
  hasOwnList(entry: number): boolean {
    return (this.entryFlags[entry]! & ENTRY_FLAG.ownList) !== 0;
  }

  /** Whether the surface has another written form; false for an entry below 0. */
  hasDisplay(entry: number): boolean {
    return (this.entryFlags[entry]! & ENTRY_FLAG.display) !== 0;
  }

  hasDigit(entry: number): boolean {
    return (this.entryFlags[entry]! & ENTRY_FLAG.digit) !== 0;
  }

  isInTitle(entry: number): boolean {
    return (this.entryFlags[entry]! & ENTRY_FLAG.title) !== 0;
  }

  /** The one term of a surface without an own list. */
  termOf(entry: number): number {
    const term = this.entryTerm[entry]!;
    if (term < TERM_LIST_BIT) return term;
    // The entry is the stem of other words too, whose term stands first, with the mask of no language.
    const at = term & ~TERM_LIST_BIT;
    return this.lists[at + 2] === 0 ? this.lists[at + 3]! : this.lists[at + 1]!;
  }

  /** (term, language mask) pairs of a surface; a single term counts for every language. */
  termsOf(entry: number): readonly number[] {
    const term = this.entryTerm[entry]!;
    if (term < TERM_LIST_BIT) return [term, 0xffffffff];
    const at = term & ~TERM_LIST_BIT;
    return [...this.lists.subarray(at + 1, at + 1 + this.lists[at]! * 2)];
  }

  /** Adds the terms of a surface to those of a merged one: new numbers by old ones, -1 = none, and languages there are. */
  addTermsTo(out: SurfaceTerms, entry: number, { termMap, languageMask }: Renumbering): void {
    const first = this.entryTerm[entry]!;
    if (first < TERM_LIST_BIT) {
      if (termMap[first]! >= 0 && languageMask !== 0) out.add(termMap[first]!, languageMask);
      return;
    }
    const at = (first & ~TERM_LIST_BIT) + 1;
    const end = at + this.lists[at - 1]! * 2;
    for (let i = at; i < end; i += 2) {
      const term = termMap[this.lists[i]!]!;
      const mask = this.lists[i + 1]! & languageMask;
      if (term >= 0 && mask !== 0) out.add(term, mask);
    }
  }
}
