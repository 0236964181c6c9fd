import type { RelevanceSettings } from '../../../src/search-index/query-plan.ts';
import { mean, ndcg, reciprocalRank } from '../ranking-measures.ts';
import { type Corpus, HALVES, type Half, JUDGED_DEPTH, type JudgedQuery } from './corpus.ts';
import type { Ranker } from './rank-corpus.ts';

/** What one ranker makes of one query. */
export type QueryResult = {
  readonly judged: JudgedQuery;
  readonly ranking: readonly string[];
  readonly ndcg: number;
  /** Place of the first document of the best grade; infinite when the first ten hold none. */
  readonly rankOfBest: number;
};

/** Means over queries, each 0 to 1; MRR of the first document of the best grade. */
export type Quality = { readonly ndcg: number; readonly mrr: number };

export async function rankQueries(
  { queries }: Corpus,
  rank: (query: string) => Promise<readonly string[]> | readonly string[],
): Promise<readonly QueryResult[]> {
  const results: QueryResult[] = [];
  for (const judged of queries) results.push(resultOf(judged, await rank(judged.query)));
  return results;
}

/** Ranks only the queries of one half. */
export function rankHalf(
  corpus: Corpus,
  half: Half,
  { rank, weights }: { readonly rank: Ranker; readonly weights: RelevanceSettings },
): Promise<readonly QueryResult[]> {
  const queries = corpus.queries.filter((query) => query.half === half);
  return rankQueries({ ...corpus, queries }, (query) => rank(query, weights));
}

export function qualityOf(results: readonly QueryResult[]): Quality {
  return {
    ndcg: mean(results.map((result) => result.ndcg)),
    mrr: mean(results.map((result) => 1 / result.rankOfBest)),
  };
}

export function byHalf(results: readonly QueryResult[]): ReadonlyMap<Half, readonly QueryResult[]> {
  return new Map(HALVES.map((half) => [half, results.filter(({ judged }) => judged.half === half)]));
}

function resultOf(judged: JudgedQuery, found: readonly string[]): QueryResult {
  const ranking = found.slice(0, JUDGED_DEPTH);
  const grades = new Map<string, number>(Object.entries(judged.relevant));
  const highest = Math.max(...grades.values());
  const best = new Map([...grades].filter(([, grade]) => grade === highest));
  return {
    judged,
    ranking,
    ndcg: ndcg(ranking, grades, JUDGED_DEPTH),
    rankOfBest: 1 / reciprocalRank(ranking, best),
  };
}
