import type { QueryPlan } from '../../query-plan.ts';
import { addScores } from '../../relevance.ts';
import { rerankScore, rerankScores } from '../../rerank.ts';
import type { SegmentMatches } from '../collect/segment-matches.ts';
import { bestByRelevance, byRelevance, type Candidate } from '../collect/top-hits.ts';
import type { SegmentView, Snapshot } from '../read/snapshot.ts';
import { checkStop } from '../stop-point.ts';
import { RerankFeatureReader } from './rerank-features.ts';
import { ageOf, coverage, type RerankPlan } from './rerank-plan.ts';

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
  const window = bestByRelevance(snapshot, results, stage.window);
  const scores = rescore(scope, stage, window);
  for (const [i, { matches, match }] of window.entries()) matches.scores[match] = scores[i]!;
  return byRelevance(
    snapshot,
    window.map((candidate, i) => ({ ...candidate, score: scores[i]! })),
  );
}

/** Share of the query's idf that the best match covers. */
export function coverageOfBest(snapshot: Snapshot, stage: RerankPlan, [best]: readonly Candidate[]): number {
  if (best === undefined) return 0;
  const { view, documents } = best.matches;
  return coverage(stage, view, { segmentIndex: snapshot.segments.indexOf(view), document: documents[best.match]! });
}

/**
 * Scores with bonuses, in order of the window. Reads the hits of each segment in order of its documents, so that
 * postings and positions are found by going forward. What scored nothing (a pin) stays so.
 */
function rescore(
  { snapshot, table, boost }: RerankScope,
  stage: RerankPlan,
  window: readonly Candidate[],
): Float32Array {
  const scores = new Float32Array(window.length);
  for (const [segmentIndex, view] of snapshot.segments.entries()) {
    const documentOf = (i: number) => window[i]!.matches.documents[window[i]!.match]!;
    const own = [...window.keys()].filter((i) => window[i]!.matches.view === view);
    if (own.length === 0) continue;
    const reader = new RerankFeatureReader(view.segment, segmentIndex, stage, table);
    for (const i of own.sort((a, b) => documentOf(a) - documentOf(b))) {
      checkStop();
      const { matches, match } = window[i]!;
      const first = (matches.first ?? matches.scores)[match]!;
      if (first === 0) continue;
      const features = reader.read(documentOf(i), ageOf(stage, snapshot, view, documentOf(i)));
      scores[i] = boost(view, documentOf(i), addScores(first, rerankScore(rerankScores(stage.rules, features))));
    }
  }
  return scores;
}
