import type { Problem } from '../../core/errors.ts';
import { type FieldType, parseDate, parseNumber } from '../../core/field-values.ts';
import type { FilterNode } from '../../core/filters.ts';
import type { Engine, FacetConfig } from '../../core/records.ts';
import type {
  FacetRequest,
  MatchNode,
  Pin,
  QueryPlan,
  RangeRequest,
  SortKey,
  TopHitsRequest,
  ValueBoost,
} from '../../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../../search-index/relevance.ts';
import type { FieldStatus } from '../../search-index/search-index.ts';
import { anyEntry, everyEntry, type FilterEntry, noEntry, valueNode } from './filter-grammar.ts';

/** Hits beyond the page, for those whose row has just gone (search-engine design 12.3, start value). */
const SPARE_HITS = 10;

const HOUR_MS = 3_600_000;

/** Sort fields that stand for relevance. Contract: 2.5. */
const RELEVANCE_FIELDS: readonly string[] = ['_score', '_rank'];

export type PlanInput = {
  readonly request: SearchRequest;
  readonly engine: Engine;
  /** Of the engine; may be empty unless `usesFields`. */
  readonly fields: readonly FieldStatus[];
  /** What the query text selects (`selectionOf` what `readQuery` says). */
  readonly match: MatchNode;
  /** Epoch milliseconds. */
  readonly now: number;
  /** What rankings say about the results. */
  readonly placement: { readonly pins: readonly Pin[]; readonly removed: readonly string[] };
};

/** The plan of a search; total, whatever the text. */
export function planQuery({ request, engine, fields, match, placement, now }: PlanInput): QueryPlan {
  const { operator } = operatorOf(request, engine);
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

/** What stands between words, and below how many results fewer of them are required: a request that names an operator means it. */
export function operatorOf(
  { operator }: Pick<SearchRequest, 'operator'>,
  { settings }: Engine,
): { readonly operator: 'AND' | 'OR'; readonly dropWordsBelow: number | undefined } {
  if (operator !== undefined) return { operator, dropWordsBelow: undefined };
  return { operator: settings.operator, dropWordsBelow: settings.dropWordsBelow };
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
  /** Places within each hit that are shown at most; 0 = none are looked for. */
  readonly sections: number;
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
function facetRequests(
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
function facetFilter(selection: FacetSelection, configured: readonly FacetConfig[]): FilterNode {
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
function rangeRequest(
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

/** What every document has, usable in either mode. */
const SYSTEM_FIELDS: readonly string[] = ['Id', '_type'];

/** In strict mode: a filter, facet, range facet, boost or sort on a field that is not enabled. Contract: 1.10. */
export function disabledFieldProblems(request: SearchRequest, engine: Engine): readonly Problem[] {
  return engine.settings.fieldMode === 'auto' ? [] : disabledProblems(namedFields(request), engine);
}

/** The same for a member of another request. */
export function disabledProblems(named: readonly NamedField[], { settings }: Engine): readonly Problem[] {
  if (settings.fieldMode === 'auto') return [];
  const enabled = new Set([
    ...settings.enabledFields,
    ...SYSTEM_FIELDS,
    ...settings.facets.flatMap(({ name, field }) => [name, field]),
  ]);
  return named
    .filter(({ field }) => !enabled.has(field))
    .map(({ member, field }) => ({
      path: `${member}.${field}`,
      message: `The field "${shortened(field)}" in "${member}" is not enabled on this engine`,
    }));
}

/** A field as a member of a request names it. */
export type NamedField = { readonly member: string; readonly field: string };

function namedFields(request: SearchRequest): readonly NamedField[] {
  const { facets, advancedPostFilter } = request;
  const entries = (member: string, input: readonly FilterEntry[]) => input.map(({ field }) => ({ member, field }));
  const named = (member: string, fields: readonly string[]) => fields.map((field) => ({ member, field }));
  return [
    ...entries('filters', request.filters),
    ...entries('notFilters', request.notFilters),
    ...entries('postFilters', request.postFilters),
    ...named('advancedPostFilter', advancedPostFilter?.fields ?? []),
    ...named('facets', facets.kind === 'configured' ? [] : facets.names),
    ...entries('facets', facets.kind === 'narrowed' ? facets.entries : []),
    ...named(
      'rangeFacets',
      request.rangeFacets.map(({ field }) => field),
    ),
    ...named(
      'valueBoost',
      request.boosts.map(({ field }) => field),
    ),
    ...named(
      'sort',
      request.sort.map(({ field }) => field).filter((field) => !RELEVANCE_FIELDS.includes(field)),
    ),
  ];
}

/** Text of the caller is repeated up to 100 characters (contract 1.7). */
function shortened(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99).toWellFormed()}…`;
}
