import { hasBit } from '../bytes/bitset.ts';
import type { WordLists } from './compile.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import type { MatchBuffer } from './matches.ts';
import { postingsOf, WordCursor } from './postings-of.ts';

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
  const sizes = words.map(({ plain }) =>
    plain[segmentIndex]!.reduce((sum, { term }) => sum + segment.termDf[term]!, 0),
  );
  const required = [...sizes.keys()].slice(0, requiredCount).sort((a, b) => sizes[a]! - sizes[b]!);
  const rarest = required[0]!;
  if (sizes[rarest] === 0) return 0;
  const walked = postingsOf(segment, words[rarest]!.plain[segmentIndex]!);
  const postings: Int32Array[] = words.map(() => new Int32Array(0));
  postings[rarest] = new Int32Array(walked.count);
  let count = 0;
  const { documents } = walked;
  for (let i = 0; i < walked.count; i++) {
    if (accept !== undefined && !hasBit(accept, documents[i]!)) continue;
    postings[rarest]![count] = walked.postings[i]!;
    documents[count++] = documents[i]!;
  }
  const done = [rarest];
  for (const word of required.slice(1)) {
    count = keepWith(new WordCursor(segment, words[word]!.plain[segmentIndex]!), {
      documents,
      count,
      postings,
      word,
      done,
    });
    done.push(word);
  }
  for (let word = requiredCount; word < words.length; word++) {
    postings[word] = seekAll(new WordCursor(segment, words[word]!.plain[segmentIndex]!), documents, count);
  }
  addUp(scope, words, { documents, count, postings }, out);
  return count;
}

/** Keeps the candidates that a word has too; the postings of the words already done move along. */
function keepWith(
  cursor: WordCursor,
  found: { documents: Uint32Array; count: number; postings: Int32Array[]; word: number; done: readonly number[] },
): number {
  const { documents, postings, done } = found;
  const own = new Int32Array(found.count);
  postings[found.word] = own;
  let kept = 0;
  for (let i = 0; i < found.count; i++) {
    const posting = cursor.seek(documents[i]!);
    if (posting < 0) continue;
    own[kept] = posting;
    for (let j = 0; j < done.length; j++) postings[done[j]!]![kept] = postings[done[j]!]![i]!;
    documents[kept++] = documents[i]!;
  }
  return kept;
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
