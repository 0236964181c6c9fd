import { hasBit } from '../bytes/bitset.ts';
import { BLOCK, blockCount, decodeBlock, decodeTerm } from '../postings/blocks.ts';
import type { Segment } from '../segment/segment.ts';
import { EVERY_LANGUAGE } from './compile.ts';
import { cursorOf, type DocumentCursor, documentsOf, sizeOf, type WordSource } from './word-source.ts';

/**
 * Documents that have every word, ascending, and per word the number of its posting (place in its group) in each. The
 * arrays are the thread's own and valid until the next intersection.
 */
export type Intersection = {
  readonly count: number;
  readonly documents: Uint32Array;
  readonly postings: readonly Int32Array[];
};

/** A word with so many times the postings of the candidates is decoded whole. */
const SIMILAR_FACTOR = 8;

/**
 * Walks the rarest word, drops what is not accepted, then looks the others up by rising frequency: a word of similar
 * frequency is decoded whole, in the others it gallops. O(rarest df · words · log gap).
 */
export function intersectWords(
  segment: Segment,
  words: readonly WordSource[],
  accept: Uint32Array | undefined,
): Intersection {
  const sizes = words.map((word) => sizeOf(segment, word));
  const order = [...sizes.keys()].sort((a, b) => sizes[a]! - sizes[b]!);
  const rarest = order[0];
  const most = rarest === undefined ? 0 : sizes[rarest]!;
  reserve(words.length, most, segment.documents);
  const postings = postingScratch.slice(0, words.length);
  if (rarest === undefined || most === 0) return { count: 0, documents: candidates, postings };
  const own = postings[rarest]!;
  let count = listRarest(segment, words[rarest]!, accept, own);
  const done = [own];
  for (const word of order.slice(1)) {
    const next = postings[word]!;
    const found = { count, next, done };
    const isSimilar = sizes[word]! <= count * SIMILAR_FACTOR;
    count = isSimilar ? keepListed(segment, words[word]!, found) : keepSought(segment, words[word]!, found);
    done.push(next);
  }
  return { count, documents: candidates, postings };
}

/** Documents that may have every word, and per word its postings in them. */
let candidates = new Uint32Array(0);
const postingScratch: Int32Array[] = [];
/** By document 1 + its posting of one word, 0 between two uses. */
let noted = new Int32Array(0);
const block = new Uint32Array(BLOCK);

/** Grows the scratch arrays to what the words of a segment may need. */
function reserve(words: number, most: number, documents: number): void {
  if (candidates.length < most) candidates = new Uint32Array(2 * most);
  for (let i = 0; i < words; i++) {
    if ((postingScratch[i]?.length ?? 0) < most) postingScratch[i] = new Int32Array(2 * most);
  }
  if (noted.length < documents) noted = new Int32Array(documents);
}

/** Term of a word that has one list, whose postings all count. */
function onlyTerm({ lists, group }: WordSource): number | undefined {
  const [list, ...others] = lists;
  const isPlain = group === undefined && others.length === 0 && list?.mask === EVERY_LANGUAGE;
  return isPlain ? list.term : undefined;
}

/** Writes the accepted documents of the rarest word and its postings; returns how many. O(df). */
function listRarest(segment: Segment, word: WordSource, accept: Uint32Array | undefined, postings: Int32Array): number {
  const term = onlyTerm(word);
  let size = 0;
  if (term === undefined) {
    const listed = documentsOf(segment, word);
    candidates.set(listed.documents.subarray(0, listed.count));
    postings.set(listed.postings.subarray(0, listed.count));
    size = listed.count;
  } else {
    size = segment.termDf[term]!;
    const first = segment.termPosting[term]!;
    decodeTerm(segment, term, candidates);
    for (let i = 0; i < size; i++) postings[i] = first + i;
  }
  if (accept === undefined) return size;
  let count = 0;
  for (let i = 0; i < size; i++) {
    const document = candidates[i]!;
    if (!hasBit(accept, document)) continue;
    postings[count] = postings[i]!;
    candidates[count++] = document;
  }
  return count;
}

/** What is noted of the candidates. */
type Found = {
  readonly count: number;
  /** Gets the postings of the present word. */
  readonly next: Int32Array;
  /** Postings of the words already done, which move along. */
  readonly done: readonly Int32Array[];
};

/** Keeps the candidates that a word has too, asked one by one. 15 to 40 ns a candidate. */
function keepSought(segment: Segment, word: WordSource, { count, next, done }: Found): number {
  const cursor: DocumentCursor = cursorOf(segment, word);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const document = candidates[i]!;
    const posting = cursor.seek(document);
    if (posting < 0) continue;
    next[kept] = posting;
    for (let j = 0; j < done.length; j++) done[j]![kept] = done[j]![i]!;
    candidates[kept++] = document;
  }
  return kept;
}

/**
 * As `keepSought`, by noting where the word stands in each document: every candidate is written and only those kept move
 * on, as a branch on what is nearly random costs more. O(candidates + df), about 3 ns each.
 */
function keepListed(segment: Segment, word: WordSource, { count, next, done }: Found): number {
  const term = onlyTerm(word);
  const listed = term === undefined ? documentsOf(segment, word) : undefined;
  if (term !== undefined) noteTerm(segment, term, { place: segment.termPosting[term]! + 1, step: 1 });
  else if (listed !== undefined) noteListed(listed);
  const places = noted;
  const documents = candidates;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const document = documents[i]!;
    const place = places[document]!;
    next[kept] = place - 1;
    for (let j = 0; j < done.length; j++) done[j]![kept] = done[j]![i]!;
    documents[kept] = document;
    kept += -place >>> 31;
  }
  if (term !== undefined) noteTerm(segment, term, { place: 0, step: 0 });
  else if (listed !== undefined) for (let i = 0; i < listed.count; i++) places[listed.documents[i]!] = 0;
  return kept;
}

function noteListed({ count, documents, postings }: ReturnType<typeof documentsOf>): void {
  for (let i = 0; i < count; i++) noted[documents[i]!] = postings[i]! + 1;
}

/** Notes a number in each document of a term: `place` in the first, `step` more in each further one. */
function noteTerm(segment: Segment, term: number, { place, step }: { place: number; step: number }): void {
  const df = segment.termDf[term]!;
  const first = segment.termFirst[term]!;
  const places = noted;
  if (df === 1) places[first] = place;
  let at = place;
  for (let b = 0; b < blockCount(df); b++) {
    const size = Math.min(BLOCK, df - b * BLOCK);
    decodeBlock(segment, first + b, size, block);
    for (let i = 0; i < size; i++, at += step) places[block[i]!] = at;
  }
}
