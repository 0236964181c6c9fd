import type { FilterNode } from '../core/filters.ts';
import type { Engine } from '../core/records.ts';
import type { MatchNode, Pin, QueryPlan, SortKey } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import type { FieldStatus } from '../search-index/search-index.ts';
import { facetFilter, facetRequests, rangeRequest } from './facets.ts';
import { anyEntry, everyEntry, noEntry } from './filter-grammar.ts';
import type { SearchRequest } from './search-request.ts';

/** Hits beyond the page, for those whose row has just gone (search-engine design 12.3, start value). */
const SPARE_HITS = 10;

const HOUR_MS = 3_600_000;

/** Sort fields that stand for relevance. Contract: 2.5. */
export const RELEVANCE_FIELDS: readonly string[] = ['_score', '_rank'];

export type PlanInput = {
  readonly request: SearchRequest;
  readonly engine: Engine;
  /** Of the engine; may be empty unless `usesFields`. */
  readonly fields: readonly FieldStatus[];
  /** What the query text matches (`readQuery`). */
  readonly match: MatchNode;
  /** Epoch milliseconds. */
  readonly now: number;
  /** What rankings say about the results. */
  readonly placement: { readonly pins: readonly Pin[]; readonly removed: readonly string[] };
};

/** The plan of a search; total, whatever the text. */
export function planQuery({ request, engine, fields, match, placement, now }: PlanInput): QueryPlan {
  const operator = request.operator ?? engine.settings.operator;
  const configured = engine.settings.facets;
  const limit = request.perPage ?? engine.settings.perPage;
  const types = new Map(fields.map(({ name, type }) => [name, type]));
  return {
    match,
    operator,
    filter: both(everyEntry(request.filters), noEntry(request.notFilters)),
    postFilter: both(postFilter(request), facetFilter(request.facets, configured)),
    postFilterCounts: request.enableFacetFiltering,
    boosts: request.boosts,
    sort: effectiveSort(request.sort),
    facets: facetRequests(request.facets, configured, { nested: request.applyMultiLevelFacets }),
    pins: placement.pins,
    removed: placement.removed,
    topHits: request.topHits,
    counts: 'exact',
    ranges: request.rangeFacets.map((range) => rangeRequest(range, (field) => types.get(field))),
    offset: (request.page - 1) * limit,
    limit,
    spare: SPARE_HITS,
    weights: DEFAULT_RELEVANCE,
    ...recencyRule(engine, now),
  };
}

/** Whether a plan needs to know the fields of the engine. */
export function usesFields({ query, rangeFacets }: SearchRequest): boolean {
  return query.includes(':') || rangeFacets.length > 0;
}

function postFilter({ postFilters, postFiltersOperator, advancedPostFilter }: SearchRequest): FilterNode {
  const simple = postFiltersOperator === 'OR' ? anyEntry(postFilters) : everyEntry(postFilters);
  return both(simple, advancedPostFilter?.node ?? { kind: 'all' });
}

function both(a: FilterNode, b: FilterNode): FilterNode {
  if (a.kind === 'all') return b;
  return b.kind === 'all' ? a : { kind: 'and', of: [a, b] };
}

/** Time goes by the hour, upwards, so that the pages of one visit agree. */
function recencyRule({ settings: { recency } }: Engine, now: number): Pick<QueryPlan, 'recency'> {
  return recency === undefined ? {} : { recency: { ...recency, now: Math.ceil(now / HOUR_MS) * HOUR_MS } };
}

/** Nothing orders below relevance but the tie-break that is always there; relevance alone is no sort. */
function effectiveSort(sort: readonly SortKey[]): readonly SortKey[] {
  return sort.every(({ field }) => RELEVANCE_FIELDS.includes(field)) ? [] : sort;
}
