import type { Segment } from '../segment/segment.ts';
import { BLOCK } from './writer.ts';

/** The arrays of a segment that hold postings. */
export type PostingArrays = Pick<
  Segment,
  'termDf' | 'termFirst' | 'termPosting' | 'blockFirst' | 'blockLast' | 'blockOffset' | 'deltas' | 'tfBytes'
>;

/** Number of blocks of a term: none for a term of one document. */
export function blockCount(df: number): number {
  return df === 1 ? 0 : Math.ceil(df / BLOCK);
}

/**
 * Writes the `size` documents of a block, ascending, into `out` from `at` on. One loop per delta width; no branch per
 * document.
 */
export function decodeBlock(arrays: PostingArrays, block: number, size: number, out: Uint32Array, at = 0): void {
  const { deltas } = arrays;
  const coded = arrays.blockOffset[block]!;
  const end = at + size;
  let from = coded >>> 2;
  let document = arrays.blockFirst[block]!;
  out[at] = document;
  switch (coded & 3) {
    case 0:
      for (let i = at + 1; i < end; i++) {
        document += deltas[from++]!;
        out[i] = document;
      }
      return;
    case 1:
      for (let i = at + 1; i < end; i++, from += 2) {
        document += deltas[from]! | (deltas[from + 1]! << 8);
        out[i] = document;
      }
      return;
    default:
      for (let i = at + 1; i < end; i++, from += 4) {
        document +=
          (deltas[from]! | (deltas[from + 1]! << 8) | (deltas[from + 2]! << 16)) + deltas[from + 3]! * 0x1000000;
        out[i] = document;
      }
  }
}

/** Writes all documents of a term, ascending, into `out` (at least df long). O(df). */
export function decodeTerm(arrays: PostingArrays, term: number, out: Uint32Array): void {
  const df = arrays.termDf[term]!;
  const first = arrays.termFirst[term]!;
  if (df === 1) {
    out[0] = first;
    return;
  }
  for (let done = 0, block = first; done < df; done += BLOCK, block++) {
    decodeBlock(arrays, block, Math.min(BLOCK, df - done), out, done);
  }
}
