import { hasBit } from '../bytes/bitset.ts';
import type { Segment } from '../segment/segment.ts';
import { cursorOf, type DocumentCursor, documentsOf, sizeOf, type WordSource } from './word-source.ts';

/** Documents that have every word, ascending, and per word the number of its posting (place in its group) in each. */
export type Intersection = {
  readonly count: number;
  readonly documents: Uint32Array;
  readonly postings: readonly Int32Array[];
};

/**
 * Walks the rarest word, drops what is not accepted, then gallops in the others by rising frequency:
 * O(rarest df · words · log gap).
 */
export function intersectWords(
  segment: Segment,
  words: readonly WordSource[],
  accept: Uint32Array | undefined,
): Intersection {
  const sizes = words.map((word) => sizeOf(segment, word));
  const order = [...sizes.keys()].sort((a, b) => sizes[a]! - sizes[b]!);
  const rarest = order[0];
  const postings: Int32Array[] = words.map(() => new Int32Array(0));
  if (rarest === undefined || sizes[rarest] === 0) return { count: 0, documents: new Uint32Array(0), postings };
  const walked = documentsOf(segment, words[rarest]!);
  const { documents } = walked;
  const own = new Int32Array(walked.count);
  let count = 0;
  for (let i = 0; i < walked.count; i++) {
    if (accept !== undefined && !hasBit(accept, documents[i]!)) continue;
    own[count] = walked.postings[i]!;
    documents[count++] = documents[i]!;
  }
  postings[rarest] = own;
  const done = [own];
  for (const word of order.slice(1)) {
    const next = new Int32Array(count);
    count = keepWith(cursorOf(segment, words[word]!), { documents, count, next, done });
    postings[word] = next;
    done.push(next);
  }
  return { count, documents, postings };
}

/** Keeps the candidates that a word has too; the postings of the words already done move along. */
function keepWith(
  cursor: DocumentCursor,
  found: { documents: Uint32Array; count: number; next: Int32Array; done: readonly Int32Array[] },
): number {
  const { documents, next, done } = found;
  let kept = 0;
  for (let i = 0; i < found.count; i++) {
    const posting = cursor.seek(documents[i]!);
    if (posting < 0) continue;
    next[kept] = posting;
    for (let j = 0; j < done.length; j++) done[j]![kept] = done[j]![i]!;
    documents[kept++] = documents[i]!;
  }
  return kept;
}
