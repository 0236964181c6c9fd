import { hasBit } from '../bytes/bitset.ts';
import { checkStop } from '../stop-point.ts';
import type { WordLists } from './compile.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import { intersectWords } from './intersect.ts';
import type { MatchBuffer } from './matches.ts';
import { groupIn } from './word-group.ts';
import { cursorOf, type DocumentCursor, documentsOf, type GroupMatches, sizeOf } from './word-source.ts';

const SEEKS_BETWEEN_STOPS = 4_096;

/**
 * Documents with every one of the first `requiredCount` words; the rest only add score. Walks the rarest required
 * word and gallops in the others: O(rarest df · words · log gap), and the whole of a word with alternatives. Scores
 * are added in order of the words.
 */
export function matchRequired(
  scope: LeafScope,
  words: readonly WordLists[],
  requiredCount: number,
  out: { buffer: MatchBuffer; start: number },
): number {
  const { segment, segmentIndex, accept } = scope;
  const sources = words.map((word) => ({ lists: word.plain[segmentIndex]!, group: groupIn(scope, word) }));
  const { count, documents, postings } = intersectWords(segment, sources.slice(0, requiredCount), accept);
  if (count === 0) return 0;
  const optional = sources.slice(requiredCount).map((input) => seekAll(cursorOf(segment, input), documents, count));
  const found = words.map((word, i) => ({ word, group: sources[i]!.group }));
  addUp(scope, found, { documents, count, postings: [...postings, ...optional] }, out);
  return count;
}

/**
 * Whether a document has every one of the words. As `matchRequired`, but document by document: it ends at the first,
 * O(rarest df) at most without one.
 */
export function hasAllWords(scope: LeafScope, words: readonly WordLists[]): boolean {
  const { segment, segmentIndex, accept } = scope;
  const sources = words.map((word) => ({ lists: word.plain[segmentIndex]!, group: groupIn(scope, word) }));
  const [rarest, ...others] = sources.sort((a, b) => sizeOf(segment, a) - sizeOf(segment, b));
  if (rarest === undefined || sizeOf(segment, rarest) === 0) return false;
  const { count, documents } = documentsOf(segment, rarest);
  const cursors = others.map((source) => cursorOf(segment, source));
  for (let i = 0; i < count; i++) {
    if (i % SEEKS_BETWEEN_STOPS === 0) checkStop();
    const document = documents[i]!;
    if (accept !== undefined && !hasBit(accept, document)) continue;
    if (cursors.every((cursor) => cursor.seek(document) >= 0)) return true;
  }
  return false;
}

function seekAll(cursor: DocumentCursor, documents: Uint32Array, count: number): Int32Array {
  const postings = new Int32Array(count);
  checkStop();
  for (let i = 0; i < count; i++) postings[i] = cursor.seek(documents[i]!);
  return postings;
}

function addUp(
  { segment, table }: LeafScope,
  words: readonly { readonly word: WordLists; readonly group: GroupMatches | undefined }[],
  { documents, count, postings }: { documents: Uint32Array; count: number; postings: readonly Int32Array[] },
  { buffer, start }: { buffer: MatchBuffer; start: number },
): void {
  buffer.reserve(start, count);
  buffer.documents.set(documents.subarray(0, count), start);
  const scores = buffer.scores.subarray(start, start + count).fill(0);
  for (const [i, { word, group }] of words.entries()) {
    if (group === undefined)
      addPostings({ segment, table }, word.weight, { documents, postings: postings[i]! }, scores);
    else addGroup(group, word.weight, postings[i]!, scores);
  }
}

function addPostings(
  { segment, table }: Pick<LeafScope, 'segment' | 'table'>,
  weight: number,
  { documents, postings }: { documents: Uint32Array; postings: Int32Array },
  scores: Float32Array,
): void {
  const { tfBytes, norms } = segment;
  for (let i = 0; i < scores.length; i++) {
    const posting = postings[i]!;
    if (posting < 0) continue;
    scores[i] = scores[i]! + Math.fround(weight * table[(tfBytes[posting]! << 6) | norms[documents[i]!]!]!);
  }
}

function addGroup({ saturations }: GroupMatches, weight: number, indexes: Int32Array, scores: Float32Array): void {
  for (let i = 0; i < scores.length; i++) {
    if (indexes[i]! >= 0) scores[i] = scores[i]! + Math.fround(weight * saturations[indexes[i]!]!);
  }
}
