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

function readTerm(segment: Segment, term: number): number {
  const df = segment.termDf[term]!;
  if (termDocuments.length < df) termDocuments = new Uint32Array(df * 2);
  decodeTerm(segment, term, termDocuments);
  return df;
}

/** Classes B and C of a tf byte. */
function classesOf(tf: number): number {
  return ((tf & 0b1100) === 0 ? 0 : SURFACE_CLASS.b) | (tf >>> 4 === 0 ? 0 : SURFACE_CLASS.c);
}
