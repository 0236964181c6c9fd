import type { MatchNode, QueryPlan } from '../../query-plan.ts';
import { addScores } from '../../relevance.ts';
import {
  type BonusRules,
  bonusesOf,
  coverageOf,
  informationOf,
  queryWords,
  secondScore,
  usesSecondStage,
} from '../../second-stage.ts';
import { latestUpTo } from '../columns/number.ts';
import type { LiveCounts } from '../postings/live-counts.ts';
import { type CompiledMatch, compileWord, type WordLists } from '../query/compile.ts';
import { WordCursor } from '../query/postings-of.ts';
import { columnsOf, type SegmentView, type Snapshot, typeOf } from '../read/snapshot.ts';
import { EvidenceReader } from './evidence.ts';

/** A query as the bonuses see it. */
export type SecondStage = {
  readonly rules: BonusRules;
  /** Of the words, in their order. */
  readonly lists: readonly WordLists[];
  /** Neighbours among the content words. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Hits that get bonuses. */
  readonly window: number;
};

/** A hit of the first stage. `first` = its score before boosts. */
export type WindowHit = { readonly segmentIndex: number; readonly document: number; readonly first: number };

export type WindowScope = {
  readonly snapshot: Snapshot;
  readonly table: Float32Array;
  /** The score times the factors of the boosts that the document has. */
  readonly boost: (view: SegmentView, document: number, score: number) => number;
};

/** `selecting` = the plan's match without stop words. Cost: its stop words are looked up. */
export function secondStageOf(
  { snapshot, plan, counts }: { snapshot: Snapshot; plan: QueryPlan; counts: LiveCounts },
  selecting: MatchNode,
  { leaves }: CompiledMatch,
): SecondStage {
  const known = new Map<string, WordLists>();
  for (const leaf of leaves) {
    if (leaf.kind === 'word') known.set(leaf.word.text, leaf.word);
    if (leaf.kind === 'phrase') for (const word of leaf.words) known.set(word.text, word);
  }
  const asked = queryWords(plan.match, selecting);
  const lists = asked.map(({ text }) => known.get(text) ?? compileWord(snapshot, text, counts));
  const words = asked.map((word, i) => ({ ...word, idf: lists[i]!.idf }));
  const content = [...words.keys()].filter((i) => words[i]!.role === 'content');
  return {
    rules: { words, information: informationOf(words), weights: plan.weights.bonuses, recency: plan.recency },
    lists,
    pairs: content.slice(1).map((word, i) => [content[i]!, word] as const),
    window: usesSecondStage(plan) && content.length > 0 ? plan.weights.window : 0,
  };
}

/**
 * Scores of the window's hits with their bonuses, in their order. Reads the hits of each segment in order of its
 * documents, so that postings and positions are found by going forward.
 */
export function rescore(stage: SecondStage, scope: WindowScope, hits: readonly WindowHit[]): Float32Array {
  const scores = new Float32Array(hits.length);
  const order = [...hits.keys()].sort(
    (a, b) => hits[a]!.segmentIndex - hits[b]!.segmentIndex || hits[a]!.document - hits[b]!.document,
  );
  let reader: EvidenceReader | undefined;
  let segmentIndex = -1;
  for (const i of order) {
    const hit = hits[i]!;
    const view = scope.snapshot.segments[hit.segmentIndex]!;
    if (reader === undefined || hit.segmentIndex !== segmentIndex) {
      segmentIndex = hit.segmentIndex;
      reader = new EvidenceReader(view.segment, segmentIndex, stage, scope.table);
    }
    const evidence = reader.read(hit.document, ageOf(stage, scope.snapshot, view, hit.document));
    const relevance = addScores(hit.first, secondScore(bonusesOf(stage.rules, evidence)));
    scores[i] = scope.boost(view, hit.document, relevance);
  }
  return scores;
}

/** Share of the query's idf that a document covers. */
export function coverage(
  { rules, lists }: SecondStage,
  { segment }: SegmentView,
  at: { readonly segmentIndex: number; readonly document: number },
): number {
  return coverageOf(
    rules.words,
    (word) => new WordCursor(segment, lists[word]!.plain[at.segmentIndex]!).seek(at.document) >= 0,
  );
}

function ageOf({ rules }: SecondStage, snapshot: Snapshot, view: SegmentView, document: number): number | undefined {
  const { recency } = rules;
  if (recency === undefined || typeOf(snapshot, recency.field) !== 'date') return undefined;
  const dates = columnsOf(snapshot, view, recency.field)?.dates;
  const latest = dates === undefined ? undefined : latestUpTo(dates, document, recency.now);
  return latest === undefined ? undefined : recency.now - latest;
}
