import type { Segment } from '../segment/segment.ts';
import type { TermList } from './compile.ts';
import { postingsOf, WordCursor, type WordPostings } from './postings-of.ts';

/** Documents of a word group in one segment, ascending, each with its best list's weight × T. */
export type GroupMatches = {
  readonly count: number;
  readonly documents: Uint32Array;
  readonly saturations: Float32Array;
};

/** Where the documents of a word come from: its posting lists, or its group when that has been evaluated. */
export type WordSource = { readonly lists: readonly TermList[]; readonly group: GroupMatches | undefined };

/** Finds documents that ascend; the answer is a posting of the lists or a place in the group, -1 = not there. */
export type DocumentCursor = { seek(document: number): number };

/** Upper bound of its documents. */
export function sizeOf(segment: Segment, { lists, group }: WordSource): number {
  return group === undefined ? lists.reduce((sum, { term }) => sum + segment.termDf[term]!, 0) : group.count;
}

/** All documents, in arrays that belong to the caller. */
export function documentsOf(segment: Segment, { lists, group }: WordSource): WordPostings {
  if (group === undefined) return postingsOf(segment, lists);
  const { count } = group;
  const postings = new Uint32Array(count);
  for (let i = 0; i < count; i++) postings[i] = i;
  return { count, documents: group.documents.slice(0, count), postings };
}

export function cursorOf(segment: Segment, { lists, group }: WordSource): DocumentCursor {
  return group === undefined ? new WordCursor(segment, lists) : new GroupCursor(group);
}

/** Gallops through an evaluated group: O(log gap) per question. */
class GroupCursor implements DocumentCursor {
  private readonly documents: Uint32Array;
  private readonly count: number;
  private place = 0;

  constructor({ documents, count }: GroupMatches) {
    this.documents = documents;
    this.count = count;
  }

  seek(document: number): number {
    const { documents, count } = this;
    let low = this.place;
    let step = 1;
    while (low + step < count && documents[low + step]! < document) {
      low += step;
      step <<= 1;
    }
    let high = Math.min(count, low + step);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (documents[middle]! < document) low = middle + 1;
      else high = middle;
    }
    this.place = low;
    return low < count && documents[low] === document ? low : -1;
  }
}
