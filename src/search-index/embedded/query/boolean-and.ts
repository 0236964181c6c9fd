import type { WordLists } from './compile.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import { intersectWords } from './intersect.ts';
import type { MatchBuffer } from './matches.ts';
import { WordCursor } from './postings-of.ts';

/**
 * Documents with every one of the first `requiredCount` words; the rest only add score. Walks the rarest required
 * word and gallops in the others: O(rarest df · words · log gap). Scores are added in order of the words.
 */
export function matchRequired(
  scope: LeafScope,
  words: readonly WordLists[],
  requiredCount: number,
  out: { buffer: MatchBuffer; start: number },
): number {
  const { segment, segmentIndex, accept } = scope;
  const lists = words.map(({ plain }) => plain[segmentIndex]!);
  const { count, documents, postings } = intersectWords(segment, lists.slice(0, requiredCount), accept);
  if (count === 0) return 0;
  const optional = lists.slice(requiredCount).map((of) => seekAll(new WordCursor(segment, of), documents, count));
  addUp(scope, words, { documents, count, postings: [...postings, ...optional] }, out);
  return count;
}

function seekAll(cursor: WordCursor, documents: Uint32Array, count: number): Int32Array {
  const postings = new Int32Array(count);
  for (let i = 0; i < count; i++) postings[i] = cursor.seek(documents[i]!);
  return postings;
}

function addUp(
  { segment, table }: LeafScope,
  words: readonly WordLists[],
  { documents, count, postings }: { documents: Uint32Array; count: number; postings: readonly Int32Array[] },
  { buffer, start }: { buffer: MatchBuffer; start: number },
): void {
  buffer.reserve(start, count);
  const { scores } = buffer;
  buffer.documents.set(documents.subarray(0, count), start);
  scores.fill(0, start, start + count);
  for (let word = 0; word < words.length; word++) {
    const { weight } = words[word]!;
    const own = postings[word]!;
    for (let i = 0; i < count; i++) {
      if (own[i]! < 0) continue;
      const contribution = Math.fround(
        weight * table[(segment.tfBytes[own[i]!]! << 6) | segment.norms[documents[i]!]!]!,
      );
      scores[start + i] = scores[start + i]! + contribution;
    }
  }
}
