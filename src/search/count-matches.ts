import type { MatchNode, QueryPlan } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import type { SearchIndex } from '../search-index/search-index.ts';

type Counted = { readonly engineId: number; readonly match: MatchNode; readonly signal: AbortSignal };

/** Documents of the engine that match, exactly, whatever any filter. */
export async function countMatches(
  { searchIndex }: { readonly searchIndex: Pick<SearchIndex, 'search'> },
  { engineId, match, signal }: Counted,
): Promise<number> {
  const everything = { kind: 'all' } as const;
  const plan: QueryPlan = {
    match,
    operator: 'OR',
    filter: everything,
    postFilter: everything,
    postFilterCounts: false,
    boosts: [],
    sort: [],
    pins: [],
    removed: [],
    facets: [],
    ranges: [],
    topHits: [],
    offset: 0,
    limit: 0,
    spare: 0,
    weights: DEFAULT_RELEVANCE,
    counts: 'exact',
  };
  const { total } = await searchIndex.search(engineId, plan, signal);
  return total;
}
