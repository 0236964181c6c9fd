import type { FilterNode } from '../../../src/core/filters.ts';
import type { MatchNode, QueryPlan } from '../../../src/search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../../../src/search-index/relevance.ts';
import { type BenchQuery, FACETS, TOP } from './peer.ts';

const FIELD_NAMES = { category: 'Category', language: 'Language', author: 'Author' } as const;
const SORT_FIELDS = { published: 'Published_date', price: 'Price_number' } as const;

/** The plan of a benchmark query: top 10, exact total, three facets. */
export function searchPlan(query: BenchQuery): QueryPlan {
  return {
    match: matchOf(query),
    operator: query.operator,
    filter: filterOf(query),
    postFilter: { kind: 'all' },
    postFilterCounts: false,
    boosts: [],
    ranges: [],
    pins: [],
    removed: [],
    topHits: [],
    offset: 0,
    limit: TOP,
    spare: 10,
    counts: 'exact',
    sort: query.sort === undefined ? [] : [{ field: SORT_FIELDS[query.sort], direction: 'descending' }],
    facets: FACETS.map((facet) => ({
      name: FIELD_NAMES[facet],
      field: FIELD_NAMES[facet],
      orderBy: 'DocCount',
      direction: 'Desc',
      size: 20,
      includeEmpty: false,
      facets: [],
    })),
    weights: DEFAULT_RELEVANCE,
  };
}

function matchOf({ words, operator, phrase, prefix }: BenchQuery): MatchNode {
  if (prefix !== undefined) return { kind: 'prefix', pattern: prefix, boost: 1 };
  if (phrase) return { kind: 'phrase', words, slop: 0, boost: 1 };
  const nodes = words.map(
    (text) => ({ kind: 'word', text, boost: 1, role: 'content', fuzzy: 'never', also: [] }) as const,
  );
  const [only] = nodes;
  if (only === undefined) return { kind: 'all' };
  return nodes.length === 1 ? only : { kind: operator === 'AND' ? 'and' : 'or', of: nodes };
}

function filterOf({ categories, publishedFrom, near }: BenchQuery): FilterNode {
  const filters: FilterNode[] = [];
  if (categories !== undefined) filters.push({ kind: 'value', field: 'Category', values: categories });
  if (publishedFrom !== undefined) {
    filters.push({ kind: 'date', field: 'Published_date', from: publishedFrom, to: Number.POSITIVE_INFINITY });
  }
  if (near !== undefined) filters.push({ kind: 'geo', field: 'Place_geo_point', ...near });
  return filters.length === 0 ? { kind: 'all' } : { kind: 'and', of: filters };
}
