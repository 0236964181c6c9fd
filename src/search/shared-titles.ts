import type { QueryPlan } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import type { SearchIndex } from '../search-index/search-index.ts';

export type SharedTitles = {
  /** Documents of the engine. */
  readonly total: number;
  readonly titles: readonly { readonly title: string; readonly documents: number }[];
};

const EVERYTHING = { kind: 'all' } as const;
const TITLES = {
  name: 'titles',
  field: 'Title',
  orderBy: 'DocCount',
  direction: 'Desc',
  size: 3,
  includeEmpty: false,
  facets: [],
} as const;

/** The three titles that most documents have. Costs one facet over all documents, behind other searches. */
export async function mostSharedTitles(
  { searchIndex }: { readonly searchIndex: Pick<SearchIndex, 'search'> },
  engineId: number,
  signal: AbortSignal,
): Promise<SharedTitles> {
  const plan: QueryPlan = {
    match: EVERYTHING,
    operator: 'OR',
    filter: EVERYTHING,
    postFilter: EVERYTHING,
    postFilterCounts: false,
    boosts: [],
    sort: [],
    pins: [],
    removed: [],
    facets: [TITLES],
    ranges: [],
    topHits: [],
    offset: 0,
    limit: 0,
    spare: 0,
    weights: DEFAULT_RELEVANCE,
    counts: 'exact',
    isBackground: true,
  };
  const { total, facets } = await searchIndex.search(engineId, plan, signal);
  const items = facets[0]?.items ?? [];
  return { total, titles: items.map(({ key, count }) => ({ title: key, documents: count })) };
}
