import { decodeTerm } from '../postings/blocks.ts';
import { PostingCursor } from '../postings/cursor.ts';
import type { Segment } from '../segment/segment.ts';
import { EVERY_LANGUAGE, type TermList } from './compile.ts';

/** Documents of a word, ascending, each with the number of its posting. */
export type WordPostings = { readonly count: number; readonly documents: Uint32Array; readonly postings: Uint32Array };

/**
 * All postings of a word's lists in one segment. A document is in at most one of them: it has one language, and the
 * masks of the lists part the languages. O(Σ df), plus a merge when there are several lists.
 */
export function postingsOf(segment: Segment, lists: readonly TermList[]): WordPostings {
  let merged: WordPostings = { count: 0, documents: new Uint32Array(0), postings: new Uint32Array(0) };
  for (const list of lists) {
    const next = postingsOfList(segment, list);
    merged = merged.count === 0 ? next : mergePostings(merged, next);
  }
  return merged;
}

function postingsOfList(segment: Segment, { term, mask }: TermList): WordPostings {
  const df = segment.termDf[term]!;
  const documents = new Uint32Array(df);
  const postings = new Uint32Array(df);
  decodeTerm(segment, term, documents);
  const first = segment.termPosting[term]!;
  let count = 0;
  for (let i = 0; i < df; i++) {
    const document = documents[i]!;
    if (mask !== EVERY_LANGUAGE && ((mask >>> segment.languages[document]!) & 1) === 0) continue;
    documents[count] = document;
    postings[count++] = first + i;
  }
  return { count, documents, postings };
}

/** Union of two lists without a common document, ascending. */
export function mergePostings(a: WordPostings, b: WordPostings): WordPostings {
  const count = a.count + b.count;
  const documents = new Uint32Array(count);
  const postings = new Uint32Array(count);
  let i = 0;
  let j = 0;
  for (let at = 0; at < count; at++) {
    const takesA = j >= b.count || (i < a.count && a.documents[i]! < b.documents[j]!);
    documents[at] = takesA ? a.documents[i]! : b.documents[j]!;
    postings[at] = takesA ? a.postings[i++]! : b.postings[j++]!;
  }
  return { count, documents, postings };
}

/** Finds a word's posting in documents that ascend, over all of its lists. */
export class WordCursor {
  private readonly segment: Segment;
  private readonly lists: readonly TermList[];
  private readonly cursors: readonly PostingCursor[];

  constructor(segment: Segment, lists: readonly TermList[]) {
    this.segment = segment;
    this.lists = lists;
    this.cursors = lists.map(({ term }) => {
      const cursor = new PostingCursor();
      cursor.open(segment, term);
      return cursor;
    });
  }

  /** Number of the posting, -1 when the document does not have the word. Questions must not descend. */
  seek(document: number): number {
    const { lists, cursors } = this;
    for (let i = 0; i < lists.length; i++) {
      const { mask } = lists[i]!;
      if (mask !== EVERY_LANGUAGE && ((mask >>> this.segment.languages[document]!) & 1) === 0) continue;
      return cursors[i]!.seek(document);
    }
    return -1;
  }
}
