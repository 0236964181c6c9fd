import { blockCount, decodeBlock } from '../postings/blocks.ts';
import { BLOCK } from '../postings/writer.ts';
import { EVERY_LANGUAGE, type TermList, type WordLists } from './compile.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import type { MatchBuffer, MatchTarget } from './matches.ts';
import { postingsOf, type WordPostings } from './postings-of.ts';
import { groupIn } from './word-group.ts';
import type { GroupMatches } from './word-source.ts';

const block = new Uint32Array(BLOCK);

/** Matches of one word, ascending, written from `start` on; returns how many. O(df), of all lists of a group. */
export function scanWord(scope: LeafScope, word: WordLists, out: MatchTarget): number {
  const group = groupIn(scope, word);
  if (group !== undefined) return copyGroup(scope, word.weight, group, out.buffer, out.start);
  const lists = word.plain[scope.segmentIndex]!;
  const only = lists[0];
  if (only === undefined) return 0;
  if (lists.length > 1 || only.mask !== EVERY_LANGUAGE || scope.segment.termDf[only.term] === 1) {
    return copyPostings(scope, word.weight, postingsOf(scope.segment, lists), out.buffer, out.start);
  }
  return scanList(scope, word.weight, only, out);
}

function scanList(scope: LeafScope, weight: number, { term }: TermList, out: MatchTarget): number {
  const { segment, table, accept } = scope;
  const { start, enough } = out;
  const { tfBytes, norms } = segment;
  const df = segment.termDf[term]!;
  out.buffer.reserve(start, df);
  const { documents, scores } = out.buffer;
  const first = segment.termFirst[term]!;
  let posting = segment.termPosting[term]!;
  let count = start;
  for (let b = 0; b < blockCount(df) && count - start < enough; b++) {
    const size = Math.min(BLOCK, df - b * BLOCK);
    decodeBlock(segment, first + b, size, block);
    for (let i = 0; i < size; i++, posting++) {
      const d = block[i]!;
      if (accept !== undefined && ((accept[d >>> 5]! >>> (d & 31)) & 1) === 0) continue;
      documents[count] = d;
      scores[count++] = weight * table[(tfBytes[posting]! << 6) | norms[d]!]!;
    }
  }
  return count - start;
}

function copyGroup(
  { accept }: LeafScope,
  weight: number,
  group: GroupMatches,
  out: MatchBuffer,
  start: number,
): number {
  out.reserve(start, group.count);
  let count = start;
  for (let i = 0; i < group.count; i++) {
    const d = group.documents[i]!;
    if (accept !== undefined && ((accept[d >>> 5]! >>> (d & 31)) & 1) === 0) continue;
    out.documents[count] = d;
    out.scores[count++] = weight * group.saturations[i]!;
  }
  return count - start;
}

function copyPostings(
  { segment, table, accept }: LeafScope,
  weight: number,
  found: WordPostings,
  out: MatchBuffer,
  start: number,
): number {
  out.reserve(start, found.count);
  let count = start;
  for (let i = 0; i < found.count; i++) {
    const d = found.documents[i]!;
    if (accept !== undefined && ((accept[d >>> 5]! >>> (d & 31)) & 1) === 0) continue;
    out.documents[count] = d;
    out.scores[count++] = weight * table[(segment.tfBytes[found.postings[i]!]! << 6) | segment.norms[d]!]!;
  }
  return count - start;
}
