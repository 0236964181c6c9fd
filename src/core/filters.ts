/**
 * Filters of a search, already in units: dates in epoch milliseconds, distances in metres, bounds inclusive.
 * Made by `search/filter-grammar.ts`, evaluated by every index adapter. Contract: 2.3.
 */
export type FilterNode =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and' | 'or'; readonly of: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly of: FilterNode }
  /** Any value of the field equals any of `values`, exact and case-sensitive. Fields `Id` and `_type` are the document's own. */
  | { readonly kind: 'value'; readonly field: string; readonly values: readonly string[] }
  /** A number of the field lies in [min, max]; ±Infinity = open. */
  | { readonly kind: 'number'; readonly field: string; readonly min: number; readonly max: number }
  /** An instant of the field lies in [from, to]; ±Infinity = open. */
  | { readonly kind: 'date'; readonly field: string; readonly from: number; readonly to: number }
  | {
      readonly kind: 'geo';
      readonly field: string;
      readonly latitude: number;
      readonly longitude: number;
      readonly metres: number;
    }
  /** The document has a non-empty value of the field. */
  | { readonly kind: 'exists'; readonly field: string }
  /** Comparison under the field's type (contract 1.10); exactly one value for the four orders. */
  | {
      readonly kind: 'compare';
      readonly field: string;
      readonly operator: CompareOperator;
      readonly values: readonly string[];
    }
  /** Case-insensitive on the stored value. */
  | {
      readonly kind: 'text';
      readonly field: string;
      readonly operator: 'prefix' | 'contains';
      readonly values: readonly string[];
    };

/** `eq` any value equals any given one, `ne` the opposite of `eq` (a document without the field matches). */
export type CompareOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';
