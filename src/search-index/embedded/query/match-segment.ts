import type { RelevanceSettings } from '../../query-plan.ts';
import { bitWords, clearBeyond, countBits, listBits } from '../bytes/bitset.ts';
import { hasAllWords, matchRequired } from './boolean-and.ts';
import { matchAnyByFilter, matchAnyByWindows } from './boolean-or.ts';
import type { CompiledMatch, CompiledNode, Leaf } from './compile.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import type { MatchBuffer, MatchTarget } from './matches.ts';
import { type EvaluationStrategy, fitsWindows, type QueryForm } from './query-form.ts';
import { scanWord } from './scan.ts';
import { type LeafResults, leafMatches, selectBits } from './select.ts';

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
