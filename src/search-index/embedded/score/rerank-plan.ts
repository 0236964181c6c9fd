import type { MatchNode, QueryPlan } from '../../query-plan.ts';
import {
  coverageOf,
  informationOf,
  type QueryWord,
  queryWords,
  type RerankRules,
  textLeaves,
  usesReranking,
} from '../../rerank.ts';
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
  const asked = queryWords(plan.match, selecting);
  const lists = asked.map((word) => known.get(keyOf(word)) ?? compileLooseWord(snapshot, word, counts));
  const words = asked.map((word, i) => ({ ...word, idf: lists[i]!.idf }));
  const content = [...words.keys()].filter((i) => words[i]!.role === 'content');
  return {
    rules: { words, information: informationOf(words), weights: plan.weights.rerankWeights, recency: plan.recency },
    lists,
    pairs: content.slice(1).map((word, i) => [content[i]!, word] as const),
    window: usesReranking(plan) && content.length > 0 ? plan.weights.window : 0,
  };
}

/** Share of the query's idf that a document's own text covers. Of several words that stand for one it needs all. */
export function coverage(
  { rules, lists }: RerankPlan,
  { segment }: SegmentView,
  { segmentIndex, document }: { readonly segmentIndex: number; readonly document: number },
): number {
  const has = ({ plain }: TermsOfWord) => new WordCursor(segment, plain[segmentIndex]!).seek(document) >= 0;
  const covers = ({ source, words }: WeightedList) => source !== 'surroundings' && words.length > 0 && words.every(has);
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

function isText(leaf: Leaf): leaf is Extract<Leaf, { kind: 'word' | 'phrase' }> {
  if (leaf.kind === 'word') return leaf.field === undefined && leaf.word.pattern === undefined;
  return leaf.kind === 'phrase' && leaf.field === undefined;
}

function keyOf({ text, also }: Pick<QueryWord, 'text' | 'also'>): string {
  return also.length === 0 ? text : JSON.stringify([text, also]);
}
