import { compareCodePoints } from '../../../core/compare-text.ts';
import { RESIDENCY, SECTION, type Section } from '../segment/sections.ts';
import { FrontCodingWriter } from './front-coding.ts';

/** Bits of an entry's flags; the numbers are stored. */
export const ENTRY_FLAG = { surface: 1, stem: 2, digit: 32 } as const;
/** Top bit of `entryTerm`: the rest is an index into the term lists. */
export const TERM_LIST_BIT = 0x80000000;

const DIGIT = /\d/;

/** Terms of a surface word: pairs (term number, mask of the languages in which it has that stem). */
export type SurfaceTerms = number[];

/**
 * The sorted entries of a segment: stems, and surface words that point at the terms they were indexed under. An
 * entry that is a stem names its own term first, whatever languages its surface has.
 */
export function writeDictionary(
  terms: readonly string[],
  surfaces: ReadonlyMap<string, SurfaceTerms>,
): { entries: number; sections: Section[] } {
  const termOf = new Map(terms.map((term, number) => [term, number]));
  const texts = mergeSorted(terms, [...surfaces.keys()]);
  const coding = new FrontCodingWriter();
  const entryTerm = new Uint32Array(texts.length);
  const flags = new Uint8Array(texts.length);
  const lists: number[] = [];
  for (const [i, text] of texts.entries()) {
    coding.push(text);
    const own = termOf.get(text);
    const surface = surfaces.get(text);
    flags[i] =
      (surface === undefined ? 0 : ENTRY_FLAG.surface) |
      (own === undefined ? 0 : ENTRY_FLAG.stem) |
      (DIGIT.test(text) ? ENTRY_FLAG.digit : 0);
    entryTerm[i] = termsOfEntry(own, surface ?? [], lists);
  }
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
    engine(SECTION.entryTerm, entryTerm),
    engine(SECTION.entryFlags, flags),
    engine(SECTION.entryTermLists, Uint32Array.from(lists)),
  ];
  return { entries: texts.length, sections };
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

/** Union of two lists by code point; `sorted` is, `texts` gets sorted. */
function mergeSorted(sorted: readonly string[], texts: string[]): string[] {
  texts.sort(compareCodePoints);
  const out: string[] = [];
  let i = 0;
  let j = 0;
  while (i < sorted.length || j < texts.length) {
    const a = sorted[i];
    const b = texts[j];
    const order = a === undefined ? 1 : b === undefined ? -1 : compareCodePoints(a, b);
    out.push(order <= 0 ? a! : b!);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return out;
}
