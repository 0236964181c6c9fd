import { parseDate } from '../core/dates.ts';
import { type FieldType, parseNumber } from '../core/field-type.ts';
import type { FilterNode } from '../core/filters.ts';
import type { FacetConfig } from '../core/records.ts';
import type { FacetRequest, RangeRequest } from '../search-index/query-plan.ts';
import { everyEntry, type FilterEntry, valueNode } from './filter-grammar.ts';

/** What `facets` of a request says: nothing, exactly which facets to return, or which values to narrow to. */
export type FacetSelection =
  | { readonly kind: 'configured' }
  | { readonly kind: 'named'; readonly names: readonly string[] }
  | { readonly kind: 'narrowed'; readonly names: readonly string[]; readonly entries: readonly FilterEntry[] };

/** One label of `rangeFacets`, bounds as sent; `''` = open. */
export type RangeFacet = {
  readonly label: string;
  readonly field: string;
  readonly ranges: readonly { readonly from: string; readonly to: string }[];
};

/** Facets to count, in order: the configured ones and those the request names. Contract: 2.4. */
export function facetRequests(
  selection: FacetSelection,
  configured: readonly FacetConfig[],
  { nested }: { readonly nested: boolean },
): readonly FacetRequest[] {
  const named = selection.kind === 'configured' ? [] : selection.names.map((name) => facetConfig(name, configured));
  const wanted = selection.kind === 'named' ? named : [...configured, ...named];
  const byName = new Map(wanted.map((config) => [config.name, config]));
  return [...byName.values()].map((config) => facetRequest(config, nested));
}

/** The map form narrows like a post-filter: fields by AND, values of a field as its facet is configured. */
export function facetFilter(selection: FacetSelection, configured: readonly FacetConfig[]): FilterNode {
  if (selection.kind !== 'narrowed') return { kind: 'all' };
  return everyEntry(
    selection.entries.map(({ field, node }) => {
      if (node.kind !== 'value') return { field, node };
      const config = facetConfig(field, configured);
      return { field, node: valueNode(config.field, node.values, config.operator === 'And' ? 'AND' : 'OR') };
    }),
  );
}

/** Ranges in units of the field: its type when documents have it, else what all bounds are. Contract: 2.4. */
export function rangeRequest(
  { label, field, ranges }: RangeFacet,
  typeOf: (field: string) => FieldType | undefined,
): RangeRequest {
  const type = typeOf(field);
  const bounds = ranges.flatMap(({ from, to }) => [from, to]).filter((bound) => bound !== '');
  const numeric = bounds.every((bound) => !Number.isNaN(parseNumber(bound)));
  const unit = type === 'date' || (type !== 'number' && !numeric) ? 'date' : 'number';
  return {
    label,
    field,
    unit,
    ranges: ranges.map(({ from, to }) => ({
      from: boundOf(from, unit, Number.NEGATIVE_INFINITY),
      to: boundOf(to, unit, Number.POSITIVE_INFINITY),
    })),
  };
}

/** Whether a text can bound a range: a number, a date, or `''` = open. */
export function isRangeBound(text: string): boolean {
  return text === '' || !Number.isNaN(parseNumber(text)) || parseDate(text) !== undefined;
}

/** The first number or instant of a bound; NaN, which no value reaches, when it is not of the unit. */
function boundOf(text: string, unit: RangeRequest['unit'], open: number): number {
  if (text === '') return open;
  return unit === 'number' ? parseNumber(text) : (parseDate(text)?.from ?? Number.NaN);
}

/** The configuration of a field, by its field or else its name; any other field gets the stock one. */
function facetConfig(name: string, configured: readonly FacetConfig[]): FacetConfig {
  const known = configured.find(({ field }) => field === name) ?? configured.find((config) => config.name === name);
  return known ?? { ...DEFAULT_FACET, name, field: name };
}

const DEFAULT_FACET = {
  orderBy: 'DocCount',
  direction: 'Desc',
  size: 50,
  includeEmpty: false,
  operator: 'Or',
  facets: [],
} as const;

function facetRequest(config: FacetConfig, nested: boolean): FacetRequest {
  const { name, field, orderBy, direction, size, includeEmpty } = config;
  const facets = nested ? config.facets.map((inner) => facetRequest(inner, nested)) : [];
  return { name, field, orderBy, direction, size, includeEmpty, facets };
}
