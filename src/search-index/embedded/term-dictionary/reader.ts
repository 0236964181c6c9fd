import { SECTION, type SectionData } from '../segment/sections.ts';
import { FrontCodedList } from './front-coding.ts';
import { ENTRY_FLAG, type SurfaceTerms, TERM_LIST_BIT } from './writer.ts';

/** Look-up of terms in one segment. One thread, one reader: look-ups share scratch memory. */
export class TermDictionary {
  readonly entries: FrontCodedList;
  private readonly entryTerm: Uint32Array;
  private readonly entryFlags: Uint8Array;
  private readonly lists: Uint32Array;

  constructor(section: (kind: number) => SectionData, entryCount: number) {
    const bytes = section(SECTION.entryBytes) as Uint8Array;
    const blocks = section(SECTION.entryBlocks) as Uint32Array;
    this.entries = new FrontCodedList({ bytes, blocks }, entryCount);
    this.entryTerm = section(SECTION.entryTerm) as Uint32Array;
    this.entryFlags = section(SECTION.entryFlags) as Uint8Array;
    this.lists = section(SECTION.entryTermLists) as Uint32Array;
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

  /** Visits the surface words in order, each with its (term, language mask) pairs. For merging. */
  forEachSurface(visit: (text: string, terms: SurfaceTerms) => void): void {
    let entry = 0;
    for (const text of this.entries) {
      if ((this.entryFlags[entry]! & ENTRY_FLAG.surface) !== 0) visit(text, this.pairsOf(entry));
      entry++;
    }
  }

  /** (term, mask) pairs; a single term counts for every language. */
  private pairsOf(entry: number): SurfaceTerms {
    const term = this.entryTerm[entry]!;
    if (term < TERM_LIST_BIT) return [term, 0xffffffff];
    const at = term & ~TERM_LIST_BIT;
    return [...this.lists.subarray(at + 1, at + 1 + this.lists[at]! * 2)];
  }
}
