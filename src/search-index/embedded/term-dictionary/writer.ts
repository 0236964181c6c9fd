import { compareCodePoints } from '../../../core/compare-text.ts';
import { GrowableU8, GrowableU32 } from '../bytes/growable.ts';
import { sortByCodePoint } from '../bytes/text-order.ts';
import { RESIDENCY, SECTION, type Section } from '../segment/sections.ts';
import { FrontCodingWriter } from './front-coding.ts';
import { SurfaceListsWriter } from './surface-lists.ts';
import type { Surfaces, SurfaceTerms } from './surfaces.ts';

/** Bits of an entry's flags; the numbers are stored. */
export const ENTRY_FLAG = { surface: 1, stem: 2, title: 4, ownList: 8, digit: 32, display: 64 } as const;
/** Top bit of `entryTerm`: the rest is an index into the term lists. */
export const TERM_LIST_BIT = 0x80000000;

const NO_TERMS: SurfaceTerms = [];

/**
 * The sorted entries of a segment: stems, and surface words that point at the terms they were indexed under. An
 * entry that is a stem names its own term first, whatever languages its surface has.
 */
export function writeDictionary(
  terms: readonly string[],
  surfaces: Surfaces,
): { entries: number; sections: Section[] } {
  const coding = new FrontCodingWriter();
  const entryTerm = new GrowableU32();
  const flags = new GrowableU8();
  const lists: number[] = [];
  const surfaceLists = new SurfaceListsWriter();
  forEachEntry(terms, surfaces, (text, own, surface) => {
    const listFlags = surface === undefined ? 0 : addLists(surfaceLists, coding.count, surfaces, surface);
    coding.push(text);
    flags.push((own === undefined ? 0 : ENTRY_FLAG.stem) | (hasDigit(text) ? ENTRY_FLAG.digit : 0) | listFlags);
    entryTerm.push(termsOfEntry(own, surface === undefined ? NO_TERMS : surfaces.terms[surface]!, lists));
  });
  const coded = coding.finish();
  const engine = (kind: number, data: Section['data']): Section => ({
    kind,
    subject: 0,
    part: 0,
    residency: RESIDENCY.engine,
    data,
  });
  const sections = [
    engine(SECTION.entryBytes, coded.bytes),
    engine(SECTION.entryBlocks, coded.blocks),
    engine(SECTION.entryTerm, entryTerm.view()),
    engine(SECTION.entryFlags, flags.view()),
    engine(SECTION.entryTermLists, Uint32Array.from(lists)),
    ...surfaceLists.sections(),
  ];
  return { entries: coding.count, sections };
}

/** Visits stems and surfaces together, by code point. */
function forEachEntry(
  terms: readonly string[],
  { numbers }: Surfaces,
  visit: (text: string, own: number | undefined, surface: number | undefined) => void,
): void {
  const words = sortByCodePoint([...numbers.keys()]);
  for (let term = 0, word = 0; term < terms.length || word < words.length; ) {
    const order = compareHeads(terms[term], words[word]);
    const text = order <= 0 ? terms[term]! : words[word]!;
    visit(text, order <= 0 ? term : undefined, order >= 0 ? numbers.get(words[word]!) : undefined);
    if (order <= 0) term++;
    if (order >= 0) word++;
  }
}

/** Writes what a surface has beside its terms; returns the flags that say so. */
function addLists(out: SurfaceListsWriter, entry: number, surfaces: Surfaces, surface: number): number {
  let flags: number = ENTRY_FLAG.surface;
  if (surfaces.owns[surface] === 1) {
    out.addOwn(entry, surfaces.documentsOf(surface));
    flags |= ENTRY_FLAG.ownList;
  }
  const titles = surfaces.titlesOf(surface);
  if (titles.length > 0) {
    out.addTitles(entry, titles);
    flags |= ENTRY_FLAG.title;
  }
  const display = surfaces.displayOf(surface);
  if (display !== undefined) {
    out.addDisplay(entry, display);
    flags |= ENTRY_FLAG.display;
  }
  return flags;
}

/** The one term, or where the list of (term, mask) pairs starts, preceded by its length. */
function termsOfEntry(own: number | undefined, surface: SurfaceTerms, lists: number[]): number {
  const single = surface.length <= 2 && (own === undefined || surface.length === 0 || surface[0] === own);
  if (single) return own ?? surface[0]!;
  const pairs: number[] = [];
  if (own !== undefined) pairs.push(own, maskOf(surface, own));
  for (let i = 0; i < surface.length; i += 2) if (surface[i] !== own) pairs.push(surface[i]!, surface[i + 1]!);
  const at = lists.length;
  lists.push(pairs.length / 2, ...pairs);
  return (TERM_LIST_BIT | at) >>> 0;
}

function maskOf(surface: SurfaceTerms, term: number): number {
  for (let i = 0; i < surface.length; i += 2) if (surface[i] === term) return surface[i + 1]!;
  return 0;
}

/** Order of the next stem and the next surface; one that is not there comes last. */
function compareHeads(term: string | undefined, word: string | undefined): number {
  if (term === word) return 0;
  if (term === undefined) return 1;
  return word === undefined ? -1 : compareCodePoints(term, word);
}

function hasDigit(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 48 && unit <= 57) return true;
  }
  return false;
}
