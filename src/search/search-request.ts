import type { FilterNode } from '../core/filters.ts';
import type { SortKey, TopHitsRequest, ValueBoost } from '../search-index/query-plan.ts';
import type { FacetSelection, RangeFacet } from './facets.ts';
import type { FilterEntry } from './filter-grammar.ts';

/** A search as the edge has read it; only what needs the engine is still unchecked. Contract: 2.1. */
export type SearchRequest = {
  /** `''` and blanks mean everything, as `*` does. */
  readonly query: string;
  readonly operator: 'AND' | 'OR' | undefined;
  /** From 1. */
  readonly page: number;
  readonly perPage: number | undefined;
  /** Fields to return; empty = all. */
  readonly fields: readonly string[];
  readonly highlight: boolean;
  readonly filters: readonly FilterEntry[];
  readonly notFilters: readonly FilterEntry[];
  readonly postFilters: readonly FilterEntry[];
  readonly postFiltersOperator: 'AND' | 'OR';
  readonly advancedPostFilter: { readonly node: FilterNode; readonly fields: readonly string[] } | undefined;
  /** Post-filters count in facets too. */
  readonly enableFacetFiltering: boolean;
  readonly facets: FacetSelection;
  readonly applyMultiLevelFacets: boolean;
  readonly enableRelatedSearches: boolean;
  readonly rangeFacets: readonly RangeFacet[];
  readonly boosts: readonly ValueBoost[];
  readonly sort: readonly SortKey[];
  readonly topHits: readonly TopHitsRequest[];
  /** What the visitor is, for tools with audiences; a named trait is `name:value`. */
  readonly traits: readonly string[];
  /** False while the visitor still types (SAYT) and for internal searches: left out of statistics. */
  readonly counted: boolean;
};
