import { decodeTerm } from '../postings/blocks.ts';
import type { Segment } from '../segment/segment.ts';
import { SURFACE_CLASS } from './surfaces.ts';

/** Grows to the longest list read; belongs to the thread. */
let termDocuments = new Uint32Array(1 << 10);

/** Visits the documents of a surface, ascending, with the bits of `SURFACE_CLASS`. O(df). */
export function forEachDocumentOfSurface(
  segment: Segment,
  entry: number,
  visit: (document: number, classes: number) => void,
): void {
  const { dictionary, tfBytes, termPosting } = segment;
  if (dictionary.hasOwnList(entry)) {
    dictionary.surfaces.forEachOwn(entry, visit);
    return;
  }
  const term = dictionary.termOf(entry);
  const df = readTerm(segment, term);
  const first = termPosting[term]!;
  const documents = termDocuments;
  for (let i = 0; i < df; i++) visit(documents[i]!, classesOf(tfBytes[first + i]!));
}

/**
 * The documents of a surface, ascending, or only those that have it in class C; valid until the next call. O(df), one
 * tight loop.
 */
export function documentsOfSurface(segment: Segment, entry: number, inBody: boolean): Uint32Array {
  const { dictionary, tfBytes, termPosting } = segment;
  if (dictionary.hasOwnList(entry)) {
    reserve(dictionary.surfaces.frequencyOf(entry));
    const count = dictionary.surfaces.readOwn(entry, inBody ? SURFACE_CLASS.c : 0, termDocuments);
    return termDocuments.subarray(0, count);
  }
  const term = dictionary.termOf(entry);
  const df = readTerm(segment, term);
  if (!inBody) return termDocuments.subarray(0, df);
  const first = termPosting[term]!;
  let count = 0;
  for (let i = 0; i < df; i++) {
    termDocuments[count] = termDocuments[i]!;
    if ((classesOf(tfBytes[first + i]!) & SURFACE_CLASS.c) !== 0) count++;
  }
  return termDocuments.subarray(0, count);
}

/** The documents that have a surface in class A, ascending; valid until the next call. O(documents). */
export function titlesOfSurface({ dictionary }: Segment, entry: number): Uint32Array {
  reserve(dictionary.surfaces.titleBound(entry));
  return termDocuments.subarray(0, dictionary.surfaces.readTitles(entry, termDocuments));
}

function readTerm(segment: Segment, term: number): number {
  const df = segment.termDf[term]!;
  reserve(df);
  decodeTerm(segment, term, termDocuments);
  return df;
}

function reserve(count: number): void {
  if (termDocuments.length < count) termDocuments = new Uint32Array(count * 2);
}

/** Classes B and C of a tf byte. */
function classesOf(tf: number): number {
  return ((tf & 0b1100) === 0 ? 0 : SURFACE_CLASS.b) | (tf >>> 4 === 0 ? 0 : SURFACE_CLASS.c);
}
