import type { RelevanceSettings } from '../../query-plan.ts';
import { bitWords, clearBeyond, countBits, hasBit, listBits } from '../bytes/bitset.ts';
import { BLOCK, blockCount, decodeBlock } from '../postings/blocks.ts';
import { checkStop } from '../stop-point.ts';
import { matchAnyByFilter, matchAnyByWindows } from './boolean-or.ts';
import {
  type CompiledMatch,
  type CompiledNode,
  EVERY_LANGUAGE,
  type Leaf,
  type TermList,
  type WordLists,
} from './compile.ts';
import { evaluateLeaf, groupIn, type LeafScope } from './evaluate-leaf.ts';
import { scanExpansion } from './expand-pattern.ts';
import { intersectWords } from './intersect.ts';
import { postingsOf, type WordPostings } from './postings-of.ts';
import { type EvaluationStrategy, fitsWindows, type QueryForm } from './query-form.ts';
import { type LeafResults, leafMatches, selectBits } from './select.ts';
import { cursorOf, type DocumentCursor, documentsOf, type GroupMatches, sizeOf } from './word-source.ts';

export type SegmentQuery = {
  readonly match: CompiledMatch;
  readonly form: QueryForm;
  readonly weights: RelevanceSettings;
  /** A path to be taken wherever it can be, for tests that compare paths. */
  readonly forced: EvaluationStrategy | undefined;
  /** Matches that are enough: more change nothing. 1 = only whether there is one is asked. */
  readonly enough: number;
};

/** Share of accepted documents below which `or` walks them instead of its lists (search-engine design 11.2). */
const FILTER_FIRST_DIVISOR = 24;

/**
 * Finds the matches of a query in one segment, ascending, with their scores; writes them from `start` on and returns
 * how many. `scope.accept` = live documents that pass the filter, undefined = all.
 */
export function matchSegment(scope: LeafScope, query: SegmentQuery, buffer: MatchBuffer, start: number): number {
  const { form, enough } = query;
  const path = chooseStrategy(scope, query);
  if (path === 'all') return matchAll(scope, buffer, start);
  if (form.kind === 'required' && (path === 'scan' || path === 'and')) {
    return matchAllOf(scope, form, { ...query, path, buffer, start });
  }
  if (form.kind === 'any' && path === 'or-windows') {
    return matchAnyByWindows(scope, form.words, { buffer, start, enough });
  }
  if (form.kind === 'any' && path === 'or-by-filter') {
    return matchAnyByFilter({ ...scope, accept: scope.accept ?? everyDocument(scope) }, form.words, { buffer, start });
  }
  if (enough === 1) return hasMatch(scope, query.match) ? oneMatch(buffer, start) : 0;
  const { root } = query.match;
  if (root.kind === 'leaf' && root.leaf.kind !== 'all') return matchLeaf(scope, root.leaf, buffer, start);
  return matchTree(scope, query.match, buffer, start);
}

function matchAllOf(
  scope: LeafScope,
  { words, requiredCount, excluded }: Extract<QueryForm, { kind: 'required' }>,
  { path, enough, buffer, start }: MatchTarget & { readonly path: EvaluationStrategy },
): number {
  const without = withoutExcluded(scope, excluded);
  if (path === 'scan') return scanWord(without, words[0]!, { buffer, start, enough });
  if (enough > 1) return matchRequired(without, words, requiredCount, { buffer, start });
  return hasAllWords(without, words.slice(0, requiredCount)) ? oneMatch(buffer, start) : 0;
}

/** Any tree, without its scores. */
function hasMatch(scope: LeafScope, { root }: CompiledMatch): boolean {
  const { accept } = scope;
  const bits = selectBits(scope, root, new Map());
  return bits.some((word, i) => (accept === undefined ? word : word & accept[i]!) !== 0);
}

/** Stands for a match of which only that it is there is asked. */
function oneMatch(buffer: MatchBuffer, start: number): number {
  buffer.reserve(start, 1);
  buffer.documents[start] = 0;
  buffer.scores[start] = 0;
  return 1;
}

function chooseStrategy(scope: LeafScope, { form, weights, forced }: SegmentQuery): EvaluationStrategy {
  if (forced === 'tree') return 'tree';
  switch (form.kind) {
    case 'all':
    case 'tree':
      return form.kind;
    case 'required':
      return form.words.length === 1 && forced !== 'and' ? 'scan' : 'and';
    case 'any': {
      const windows = fitsWindows(form.words, weights.classWeights);
      if (forced === 'or-by-filter' || (forced === 'or-windows' && windows)) return forced;
      const { accept, segment } = scope;
      if (accept !== undefined && countBits(accept) < segment.documents / FILTER_FIRST_DIVISOR) return 'or-by-filter';
      return windows ? 'or-windows' : 'tree';
    }
  }
}

/** Every accepted document, score 1. */
function matchAll(scope: LeafScope, buffer: MatchBuffer, start: number): number {
  const { documents } = scope.segment;
  buffer.reserve(start, documents);
  let count = documents;
  if (scope.accept === undefined) {
    for (let d = 0; d < documents; d++) buffer.documents[start + d] = d;
  } else {
    count = listBits(scope.accept, buffer.documents.subarray(start));
  }
  buffer.scores.fill(1, start, start + count);
  return count;
}

/** A phrase, a word of a field or a filter on its own. O(its matches) beyond finding them. */
function matchLeaf(scope: LeafScope, leaf: Exclude<Leaf, { kind: 'all' }>, buffer: MatchBuffer, start: number): number {
  const { accept } = scope;
  const found = evaluateLeaf(scope, leaf);
  buffer.reserve(start, found.count);
  let count = start;
  for (let i = 0; i < found.count; i++) {
    const document = found.documents[i]!;
    if (accept !== undefined && !hasBit(accept, document)) continue;
    buffer.documents[count] = document;
    buffer.scores[count++] = found.scores[i]!;
  }
  return count - start;
}

/** Any tree: selection by bitsets, then the leaves' scores in order, onto the selected documents. */
function matchTree(scope: LeafScope, match: CompiledMatch, buffer: MatchBuffer, start: number): number {
  const { segment, accept } = scope;
  const results: LeafResults = new Map();
  const bits = selectBits(scope, match.root, results);
  if (accept !== undefined) for (let i = 0; i < bits.length; i++) bits[i] = bits[i]! & accept[i]!;
  buffer.reserve(start, countBits(bits));
  const count = listBits(bits, buffer.documents.subarray(start));
  if (count === 0) return 0;
  const sums = new Float32Array(segment.documents);
  for (const leaf of match.leaves) addLeaf(scope, leaf, results, sums);
  for (let i = start; i < start + count; i++) buffer.scores[i] = sums[buffer.documents[i]!]!;
  return count;
}

function addLeaf(scope: LeafScope, leaf: Leaf, results: LeafResults, sums: Float32Array): void {
  if (leaf.kind === 'all') {
    for (let d = 0; d < sums.length; d++) sums[d] = sums[d]! + 1;
    return;
  }
  const { count, documents, scores } = leafMatches(scope, leaf, results);
  for (let i = 0; i < count; i++) sums[documents[i]!] = sums[documents[i]!]! + scores[i]!;
}

/** Excluded nodes act like tombstones. */
function withoutExcluded(scope: LeafScope, excluded: readonly CompiledNode[]): LeafScope {
  if (excluded.length === 0) return scope;
  const bits = selectBits(scope, { kind: 'not', of: excluded }, new Map());
  if (scope.accept !== undefined) for (let i = 0; i < bits.length; i++) bits[i] = bits[i]! & scope.accept[i]!;
  return { ...scope, accept: bits };
}

function everyDocument({ segment }: LeafScope): Uint32Array {
  const bits = new Uint32Array(bitWords(segment.documents)).fill(0xffffffff);
  clearBeyond(bits, segment.documents);
  return bits;
}

const SEEKS_BETWEEN_STOPS = 4_096;

/**
 * Documents with every one of the first `requiredCount` words; the rest only add score. Walks the rarest required
 * word and gallops in the others: O(rarest df · words · log gap), and the whole of a word with alternatives. Scores
 * are added in order of the words.
 */
function matchRequired(
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
function hasAllWords(scope: LeafScope, words: readonly WordLists[]): boolean {
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

/** Where matches go, from `start` on, and how many of them are enough: looking on after that would change nothing. */
export type MatchTarget = { readonly buffer: MatchBuffer; readonly start: number; readonly enough: number };

/** Matches of a search, segment after segment, in two arrays that belong to the thread and are reused. */
export class MatchBuffer {
  documents = new Uint32Array(1 << 12);
  scores = new Float32Array(1 << 12);

  /** Makes room for `count` matches from `start` on; what lies before `start` stays. */
  reserve(start: number, count: number): void {
    if (start + count <= this.documents.length) return;
    const size = Math.max(start + count, this.documents.length * 2);
    const documents = new Uint32Array(size);
    documents.set(this.documents.subarray(0, start));
    this.documents = documents;
    const scores = new Float32Array(size);
    scores.set(this.scores.subarray(0, start));
    this.scores = scores;
  }
}

const block = new Uint32Array(BLOCK);

/** Matches of one word, ascending, written from `start` on; returns how many. O(df), of all lists of a group. */
function scanWord(scope: LeafScope, word: WordLists, out: MatchTarget): number {
  const { pattern, weight } = word;
  if (pattern !== undefined) return scanExpansion(scope, { ...pattern, weight }, out);
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
