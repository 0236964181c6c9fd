import { hasBit } from '../bytes/bitset.ts';
import type { SegmentView } from '../read/snapshot.ts';

/** Matches of one segment, ascending by document. The arrays belong to the search and are valid during it. */
export type SegmentMatches = {
  readonly view: SegmentView;
  readonly count: number;
  readonly documents: Uint32Array;
  readonly scores: Float32Array;
  /** The scores before boosts, when there are boosts. */
  readonly first?: Float32Array;
};

/** The matches whose bit is set; undefined = all of them, uncopied. */
export function keepMatches(matches: SegmentMatches, bits: Uint32Array | undefined): SegmentMatches {
  if (bits === undefined) return matches;
  const { view, first } = matches;
  const documents = new Uint32Array(matches.count);
  const scores = new Float32Array(matches.count);
  const keptFirst = first === undefined ? undefined : new Float32Array(matches.count);
  let count = 0;
  for (let i = 0; i < matches.count; i++) {
    if (!hasBit(bits, matches.documents[i]!)) continue;
    documents[count] = matches.documents[i]!;
    if (keptFirst !== undefined) keptFirst[count] = first![i]!;
    scores[count++] = matches.scores[i]!;
  }
  return { view, count, documents, scores, ...(keptFirst !== undefined && { first: keptFirst }) };
}

export function totalOf(matches: readonly SegmentMatches[]): number {
  return matches.reduce((sum, { count }) => sum + count, 0);
}
