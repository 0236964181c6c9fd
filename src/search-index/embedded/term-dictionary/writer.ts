import { GrowableU32 } from '../bytes/growable.ts';
import { RESIDENCY, SECTION, type Section } from '../segment/sections.ts';
import { FrontCodingWriter } from './front-coding-writer.ts';
import { type DictionarySource, SurfaceListsWriter, SurfaceTerms } from './surfaces.ts';

/** Bits of an entry's flags; the numbers are stored. */
export const ENTRY_FLAG = { surface: 1, stem: 2, title: 4, ownList: 8, digit: 32, display: 64 } as const;
/** Top bit of `entryTerm`: the rest is an index into the term lists. */
export const TERM_LIST_BIT = 0x80000000;

/**
 * The sorted entries of a segment: stems, and surface words that point at the terms they were indexed under. An
 * entry that is a stem names its own term first, whatever languages its surface has. `owns` = `ownsLists` of the source.
 */
export function writeDictionary(source: DictionarySource, owns: Uint8Array): Section[] {
  const coding = new FrontCodingWriter();
  const entryTerm = new Uint32Array(source.count);
  const flags = new Uint8Array(source.count);
  const lists = new GrowableU32();
  const surfaceLists = new SurfaceListsWriter();
  const found = new SurfaceTerms();
  for (let entry = 0; entry < source.count; entry++) {
    source.pushText(entry, coding);
    found.length = 0;
    const own = source.termOf(entry);
    flags[entry] = (own < 0 ? 0 : ENTRY_FLAG.stem) | (coding.lastHasDigit() ? ENTRY_FLAG.digit : 0);
    if (source.isSurface(entry)) {
      source.addTerms(entry, found);
      flags[entry]! |= addSitemaps(source, entry, owns[entry] === 1, surfaceLists);
    }
    entryTerm[entry] = termsOfEntry(own, found, lists);
  }
  const coded = coding.finish();
  const engine = (kind: number, data: Section['data']): Section => ({
    kind,
    subject: 0,
    part: 0,
    residency: RESIDENCY.engine,
    data,
  });
  return [
    engine(SECTION.entryBytes, coded.bytes),
    engine(SECTION.entryBlocks, coded.blocks),
    engine(SECTION.entryTerm, entryTerm),
    engine(SECTION.entryFlags, flags),
    engine(SECTION.entryTermLists, lists.view()),
    ...surfaceLists.sections(),
  ];
}

/** Writes what a surface has beside its terms; returns the flags that say so. */
function addSitemaps(source: DictionarySource, entry: number, owns: boolean, out: SurfaceListsWriter): number {
  let flags: number = ENTRY_FLAG.surface;
  if (owns) {
    source.addDocuments(entry, out);
    flags |= ENTRY_FLAG.ownList;
  }
  if (source.addTitles(entry, out)) flags |= ENTRY_FLAG.title;
  const display = source.displayOf(entry);
  if (display !== undefined) {
    out.addDisplay(entry, display);
    flags |= ENTRY_FLAG.display;
  }
  return flags;
}

/** The one term, or where the list of (term, mask) pairs starts, preceded by its length. `own` = -1 for no stem. */
function termsOfEntry(own: number, { length, terms, masks }: SurfaceTerms, lists: GrowableU32): number {
  if (length === 0) return own;
  if (length === 1 && (own < 0 || terms[0] === own)) return terms[0]!;
  const at = lists.length;
  lists.push(length);
  if (own >= 0) {
    const index = terms.indexOf(own);
    const isTerm = index >= 0 && index < length;
    if (!isTerm) lists.array[at] = length + 1;
    lists.push(own);
    lists.push(isTerm ? masks[index]! : 0);
  }
  for (let i = 0; i < length; i++) {
    if (terms[i] === own) continue;
    lists.push(terms[i]!);
    lists.push(masks[i]!);
  }
  return (TERM_LIST_BIT | at) >>> 0;
}
