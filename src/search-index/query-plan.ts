import type { FilterNode } from '../core/filters.ts';

/** What a search matches. Words travel as text: the adapter analyses them per document language. */
export type MatchNode =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | WordNode
  | {
      readonly kind: 'phrase';
      readonly words: readonly string[];
      readonly slop: number;
      readonly field?: string;
      readonly boost: number;
    }
  | { readonly kind: 'and' | 'or'; readonly of: readonly MatchNode[] }
  | { readonly kind: 'some'; readonly must: readonly MatchNode[]; readonly should: readonly MatchNode[] }
  | { readonly kind: 'not'; readonly of: readonly MatchNode[] };

export type WordNode = {
  readonly kind: 'word';
  readonly text: string;
  readonly field?: string;
  readonly boost: number;
  /** A stop word selects only when no other word does; it then counts as content. */
  readonly role: 'content' | 'stop';
};

export type SortKey = { readonly field: string; readonly direction: 'ascending' | 'descending' };
export type ValueBoost = { readonly field: string; readonly values: readonly string[]; readonly factor: number };

export type FacetRequest = {
  readonly name: string;
  readonly field: string;
  readonly orderBy: 'DocCount' | 'DocScore' | 'Alphabetically';
  readonly direction: 'Desc' | 'Asc';
  readonly size: number;
  readonly includeEmpty: boolean;
  readonly facets: readonly FacetRequest[];
};

/** One range facet: `from` inclusive, `to` exclusive, both in the number or instant of the field; ±Infinity = open. */
export type RangeRequest = {
  readonly label: string;
  readonly field: string;
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
  readonly unit: 'number' | 'date';
};

/** Weights of scoring; inputs of a search, so they change without indexing. */
export type RelevanceSettings = {
  readonly classWeights: { readonly a: number; readonly b: number; readonly c: number };
  readonly k1: number;
  readonly b: number;
};

export type QueryPlan = {
  readonly match: MatchNode;
  readonly operator: 'AND' | 'OR';
  /** Acts on results and facets. */
  readonly filter: FilterNode;
  /** Acts on results; on counts only with `postFilterCounts`. */
  readonly postFilter: FilterNode;
  readonly postFilterCounts: boolean;
  readonly boosts: readonly ValueBoost[];
  /** Empty = by relevance. Fields `_score` and `_rank` = relevance. */
  readonly sort: readonly SortKey[];
  readonly facets: readonly FacetRequest[];
  readonly ranges: readonly RangeRequest[];
  readonly offset: number;
  readonly limit: number;
  /** Hits beyond the page that replace those whose row has just gone. */
  readonly spare: number;
  readonly weights: RelevanceSettings;
};
