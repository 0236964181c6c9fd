import { isNameTerm } from '../../../text/term-keys.ts';
import { isOfText, type MatchNode, type QueryPlan } from '../../query-plan.ts';
import { addScores } from '../../relevance.ts';
import {
  coverageOf,
  informationOf,
  type QueryWord,
  queryWords,
  type RerankRules,
  rerankScore,
  rerankScores,
  textLeaves,
  usesReranking,
} from '../../rerank.ts';
import {
  bestByRelevance,
  bestCandidates,
  byRelevance,
  type Candidate,
  type SegmentMatches,
} from '../collect/top-hits.ts';
import { latestUpTo } from '../columns/number.ts';
import type { LiveCounts } from '../postings/live-counts.ts';
import {
  type CompiledMatch,
  compileLooseWord,
  type Leaf,
  type TermsOfWord,
  type WeightedList,
  type WordLists,
} from '../query/compile.ts';
import { WordCursor } from '../query/postings-of.ts';
import { columnsOf, type SegmentView, type Snapshot, typeOf } from '../read/snapshot.ts';
import { checkStop } from '../stop-point.ts';
import { RerankFeatureReader } from './rerank-features.ts';

export type RerankScope = {
  readonly snapshot: Snapshot;
  readonly plan: QueryPlan;
  readonly table: Float32Array;
  /** The score times the factors of the boosts that the document has. */
  readonly boost: (view: SegmentView, document: number, score: number) => number;
};

/**
 * Gives the best matches their bonuses, in place, and returns them in their new order; without bonuses the best of
 * the page, or the best one. Nobody in the window can fall behind the rest, as bonuses only add.
 */
export function rerank(
  scope: RerankScope,
  stage: RerankPlan,
  results: readonly SegmentMatches[],
): readonly Candidate[] {
  const { snapshot, plan } = scope;
  const { sort, offset, limit, spare } = plan;
  if (limit + spare === 0) return [];
  if (stage.window === 0) return bestByRelevance(snapshot, results, sort.length === 0 ? offset + limit + spare : 1);
  const window = bestCandidates(snapshot, results, stage.window);
  rescoreWindow(scope, stage, window);
  return byRelevance(snapshot, window);
}

/** Share of the query's idf that the best match covers. */
export function coverageOfBest(snapshot: Snapshot, stage: RerankPlan, [best]: readonly Candidate[]): number {
  if (best === undefined) return 0;
  const { view, documents } = best.matches;
  return coverage(stage, view, { segmentIndex: snapshot.segments.indexOf(view), document: documents[best.match]! });
}

/** Hits between two stop points, at some microseconds each. */
const HITS_BETWEEN_STOPS = 16;

/**
 * Adds the bonuses to the scores of the window, in place. Reads the hits of each segment in order of its documents, so
 * that postings and positions are found by going forward. What scored nothing (a pin) stays so.
 */
function rescoreWindow(scope: RerankScope, stage: RerankPlan, window: readonly Candidate[]): void {
  const { snapshot, table } = scope;
  for (const [segmentIndex, view] of snapshot.segments.entries()) {
    const own = window.filter(({ matches }) => matches.view === view);
    if (own.length === 0) continue;
    const reader = new RerankFeatureReader(view.segment, segmentIndex, stage, table);
    // Matches ascend by document.
    own.sort((a, b) => a.match - b.match);
    for (let i = 0; i < own.length; i++) {
      if (i % HITS_BETWEEN_STOPS === 0) checkStop();
      rescore(scope, stage, reader, own[i]!);
    }
  }
}

function rescore(
  { snapshot, boost }: RerankScope,
  stage: RerankPlan,
  reader: RerankFeatureReader,
  candidate: Candidate,
): void {
  const { matches, match } = candidate;
  const { view, documents, scores } = matches;
  const first = (matches.first ?? scores)[match]!;
  if (first === 0) return;
  const document = documents[match]!;
  const features = reader.read(document, ageOf(stage, snapshot, view, document));
  scores[match] = boost(view, document, addScores(first, rerankScore(rerankScores(stage.rules, features))));
  candidate.score = scores[match]!;
}

/** A query as the bonuses see it. */
export type RerankPlan = {
  readonly rules: RerankRules;
  /** Of the words, in their order. */
  readonly lists: readonly WordLists[];
  /** Neighbours among the content words. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Hits that get bonuses. */
  readonly window: number;
};

/** `selecting` = the plan's match without stop words, compiled. Cost: its stop words are looked up. */
export function rerankPlanOf(
  { snapshot, plan, counts }: { snapshot: Snapshot; plan: QueryPlan; counts: LiveCounts },
  selecting: MatchNode,
  compiled: CompiledMatch,
): RerankPlan {
  const known = knownWords(selecting, compiled);
  const unweighted = queryWords(plan.match, selecting);
  const lists = unweighted.map((word) => known.get(keyOf(word)) ?? compileLooseWord(snapshot, word, counts));
  const words = unweighted.map((word, i) => ({ ...word, idf: lists[i]!.idf }));
  const content = [...words.keys()].filter((i) => words[i]!.role === 'content');
  return {
    rules: { words, information: informationOf(words), weights: plan.weights.rerankWeights, recency: plan.recency },
    lists,
    pairs: content.slice(1).map((word, i) => [content[i]!, word] as const),
    window: usesReranking(plan) && content.length > 0 ? plan.weights.window : 0,
  };
}

/** Share of the query's idf that a document's own text covers. Of several words that stand for one it needs all. */
function coverage(
  { rules, lists }: RerankPlan,
  { segment }: SegmentView,
  { segmentIndex, document }: { readonly segmentIndex: number; readonly document: number },
): number {
  const has = ({ plain }: TermsOfWord) => new WordCursor(segment, plain[segmentIndex]!).seek(document) >= 0;
  const covers = ({ source, words }: WeightedList) => isOfText(source) && words.length > 0 && words.every(has);
  return coverageOf(rules.words, (word) => has(lists[word]!) || lists[word]!.also.some(covers));
}

/** Milliseconds since the latest instant of the recency field that is not after `now`. */
export function ageOf(
  { rules: { recency } }: RerankPlan,
  snapshot: Snapshot,
  view: SegmentView,
  document: number,
): number | undefined {
  if (recency === undefined || typeOf(snapshot, recency.field) !== 'date') return undefined;
  const dates = columnsOf(snapshot, view, recency.field)?.dates;
  const latest = dates === undefined ? undefined : latestUpTo(dates, document, recency.now);
  return latest === undefined ? undefined : recency.now - latest;
}

/** What the leaves of the query have looked up; leaves and nodes are in the same order. */
function knownWords(selecting: MatchNode, { leaves }: CompiledMatch): ReadonlyMap<string, WordLists> {
  const known = new Map<string, WordLists>();
  const nodes = textLeaves(selecting).values();
  for (const leaf of leaves) {
    if (!isText(leaf)) continue;
    const node = nodes.next().value!;
    if (leaf.kind === 'word')
      known.set(keyOf({ text: leaf.word.text, also: node.kind === 'word' ? node.also : [] }), leaf.word);
    else for (const word of leaf.words) known.set(word.text, word);
  }
  return known;
}

/** Whether it is one of `textLeaves`. */
function isText(leaf: Leaf): leaf is Extract<Leaf, { kind: 'word' | 'phrase' }> {
  if (leaf.kind === 'word')
    return leaf.field === undefined && leaf.word.pattern === undefined && !isNameTerm(leaf.word.text);
  return leaf.kind === 'phrase' && leaf.field === undefined;
}

function keyOf({ text, also }: Pick<QueryWord, 'text' | 'also'>): string {
  return also.length === 0 ? text : JSON.stringify([text, also]);
}
