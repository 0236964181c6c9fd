import type { Alternative, FacetRequest, MatchNode, QueryPlan, WordNode } from '../../src/search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../../src/search-index/relevance.ts';

/** A plan that matches everything, with what a test changes. */
export function planOf(changes: Partial<QueryPlan> = {}): QueryPlan {
  return {
    match: { kind: 'all' },
    operator: 'OR',
    filter: { kind: 'all' },
    postFilter: { kind: 'all' },
    postFilterCounts: false,
    boosts: [],
    sort: [],
    facets: [],
    ranges: [],
    pins: [],
    removed: [],
    topHits: [],
    offset: 0,
    limit: 100,
    spare: 0,
    counts: 'exact',
    weights: DEFAULT_RELEVANCE,
    ...changes,
  };
}

export function word(text: string, changes: Partial<WordNode> = {}): WordNode {
  return { kind: 'word', text, boost: 1, role: 'content', fuzzy: 'never', also: [], ...changes };
}

export function alternative(words: readonly string[], changes: Partial<Alternative> = {}): Alternative {
  return { words, slop: 0, weight: 0.8, source: 'synonym', ...changes };
}

export function phrase(words: readonly string[], changes: { slop?: number; field?: string } = {}): MatchNode {
  return { kind: 'phrase', words, slop: 0, boost: 1, ...changes };
}

export function facetOf(field: string, changes: Partial<FacetRequest> = {}): FacetRequest {
  const stock = { orderBy: 'DocCount', direction: 'Desc', size: 50, includeEmpty: false, facets: [] } as const;
  return { name: field, field, ...stock, ...changes };
}
