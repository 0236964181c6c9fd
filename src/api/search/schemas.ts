import { z } from 'zod';
import { parseNumber } from '../../core/field-values.ts';
import { MAX_QUERY_CHARS } from '../../core/normal-query.ts';
import {
  type FilterEntry,
  NODE_MEMBERS,
  parseAdvancedFilter,
  parseFilters,
  type ReportFault,
  valueNode,
} from '../../search/filter-grammar.ts';
import { type FacetSelection, isRangeBound, type RangeFacet, type SearchRequest } from '../../search/plan-query.ts';
import type { SortKey, TopHitsRequest, ValueBoost } from '../../search-index/query-plan.ts';
import {
  boolean,
  integer,
  isObject,
  listOf,
  mapOf,
  members,
  noteMembers,
  oneOf,
  scalarTexts,
  text,
  within,
} from '../binding.ts';

export type ApiVersion = 'v3' | 'v4';

/** What a search body says: the search, and in which of the two forms the answer is asked. */
export type BoundSearch = {
  readonly request: SearchRequest;
  readonly responseType: 'JsonObject' | 'JsonHtml';
  /** `overlay`, else `template`: a named form of `JsonHtml`. */
  readonly template: string | undefined;
};

/** Contract: 1.9. */
const MAX_INTEGER = 9_999_999_999;
const MAX_PER_PAGE = 10_000;
const MAX_TOP_HITS_FIELDS = 10;
/** No engine orders by more; each key costs a look-up per match. */
const MAX_SORT_KEYS = 50;

const OPERATOR = oneOf(['AND', 'OR']);

/** A filter object as its entries. Contract: 2.3. */
export const FILTERS = z
  .unknown()
  .transform((sent, context): readonly FilterEntry[] => parseFilters(sent, reportTo(context, sent)));

const NODE_NAMES = NODE_MEMBERS.map((name) => [name.toLowerCase(), name] as const);

const ADVANCED_FILTER = z.unknown().transform((sent, context) => {
  noteNodes(sent);
  return parseAdvancedFilter(sent, reportTo(context, sent));
});

function noteNodes(sent: unknown): void {
  if (!isObject(sent)) return;
  noteMembers(sent, NODE_NAMES);
  const groups = Object.entries(sent).filter(([name]) => name.toLowerCase() === 'filters');
  for (const node of groups.flatMap(([, nodes]) => nodes)) noteNodes(node);
}
const DIRECTIONS = new Map<string, SortKey['direction']>([
  ['asc', 'ascending'],
  ['ascending', 'ascending'],
  ['0', 'ascending'],
  ['desc', 'descending'],
  ['descending', 'descending'],
  ['1', 'descending'],
]);

const DIRECTION = z.unknown().transform((sent, context): SortKey['direction'] => {
  const direction =
    typeof sent === 'string' || typeof sent === 'number' ? DIRECTIONS.get(String(sent).toLowerCase()) : undefined;
  if (direction !== undefined) return direction;
  context.issues.push({ code: 'custom', input: sent, message: 'must be asc, ascending, desc, descending, 0 or 1' });
  return z.NEVER;
});

const SORT = mapOf(DIRECTION)
  .refine((keys) => keys.size <= MAX_SORT_KEYS, { error: `may have at most ${MAX_SORT_KEYS} fields` })
  .transform((keys) => [...keys].map(([field, direction]): SortKey => ({ field, direction })));

/** Contract: 2.1. */
export const TOP_HITS_FIELDS = listOf(
  members({
    field: text({ min: 1 }),
    size: integer({ min: 1, max: 20 }).default(3),
    maxFieldValues: integer({ min: 1, max: 50 }).default(10),
  }).transform((sent): TopHitsRequest => sent),
  { max: MAX_TOP_HITS_FIELDS },
);

const TRAIT = z.preprocess((sent) => [sent].flat(), listOf(text()));
/** A list of traits; a map counts as `name:value` entries. Contract: 2.10. */
const TRAITS = z.unknown().transform((sent, context): readonly string[] => {
  if (Array.isArray(sent)) return within(context, listOf(text()), sent) ?? [];
  const named = within(context, mapOf(TRAIT), sent) ?? [];
  return [...named].flatMap(([name, values]) => values.map((value) => `${name}:${value}`));
});

/** On v3 every unknown form is JsonObject. Contract: 2.7. */
const RESPONSE_TYPES = {
  v3: z.unknown().transform((sent) => (String(sent).toLowerCase() === 'jsonhtml' ? 'JsonHtml' : 'JsonObject')),
  v4: oneOf(['JsonObject', 'JsonHtml', 'NotSpecified', 'json']).transform((form) =>
    form === 'JsonHtml' ? form : 'JsonObject',
  ),
} as const;

/** Contract: 1.9. */
const MAX_FACETS = 50;

/** Keys of a filter object that are no field. */
const RESERVED: readonly string[] = ['range', 'date', 'geo_distance'];

/** Map form: narrows and names; array form: names; `[]` is `{}`. Contract: 2.4. */
const FACETS = z.unknown().transform((sent, context): FacetSelection => {
  if (Array.isArray(sent)) {
    const names = within(context, listOf(text({ min: 1 }), { max: MAX_FACETS }), sent) ?? [];
    return names.length === 0 ? { kind: 'configured' } : { kind: 'named', names };
  }
  const named = isObject(sent) ? withoutEmptyMaps(sent) : sent;
  const entries = parseFilters(named, (path, message) => {
    context.issues.push({ code: 'custom', input: sent, path: [...path], message });
  });
  const names = isObject(sent) ? Object.keys(sent).filter((name) => !RESERVED.includes(name)) : [];
  if (names.length > MAX_FACETS) {
    context.issues.push({ code: 'custom', input: sent, message: `may name at most ${MAX_FACETS} fields` });
  }
  return { kind: 'narrowed', names, entries };
});
const MAX_LABELS = 20;
const MAX_RANGES = 100;

const BOUND = z.unknown().transform((sent, context): string => {
  const bound = typeof sent === 'string' || typeof sent === 'number' ? String(sent) : undefined;
  if (bound !== undefined && isRangeBound(bound)) return bound;
  context.issues.push({ code: 'custom', input: sent, message: 'must be a number or a date, or "" for an open end' });
  return z.NEVER;
});

const RANGE_FACET = members({
  fieldName: text({ min: 1 }),
  ranges: listOf(members({ from: BOUND.default(''), to: BOUND.default('') }), { min: 1, max: MAX_RANGES }),
});

/** Contract: 2.4. */
const RANGE_FACETS = mapOf(RANGE_FACET)
  .refine((labels) => labels.size <= MAX_LABELS, { error: `may have at most ${MAX_LABELS} labels` })
  .transform((labels) =>
    [...labels].map(([label, { fieldName, ranges }]): RangeFacet => ({ label, field: fieldName, ranges })),
  );

/** Factor of the map form. Contract: 2.5. */
const MAP_FACTOR = 2;
/** Like filters. Contract: 1.9. */
const MAX_FIELDS = 100;
/** Each costs a pass over the documents. */
const MAX_BOOSTS = 1_000;
const MAX_VALUES = 1_000;

const VALUES = scalarTexts({ max: MAX_VALUES });

const FACTOR = z.unknown().transform((sent, context): number => {
  const factor = typeof sent === 'string' ? parseNumber(sent) : sent;
  if (typeof factor === 'number' && Number.isFinite(factor) && factor > 0) return factor;
  context.issues.push({ code: 'custom', input: sent, message: 'must be a number above 0' });
  return z.NEVER;
});
const BOOST = members({ boost: FACTOR, values: VALUES });
const FIELD_BOOSTS = members({ fieldName: text({ min: 1 }), boosts: listOf(BOOST, { max: MAX_FIELDS }) });

/** Both forms as factors by field and values, in order. Contract: 2.5. */
export const VALUE_BOOST = z.unknown().transform((sent, context): readonly ValueBoost[] => {
  if (Array.isArray(sent)) {
    const fields = within(context, listOf(FIELD_BOOSTS, { max: MAX_FIELDS }), sent) ?? [];
    const all = fields.flatMap(({ fieldName, boosts }) =>
      boosts.map(({ boost, values }) => ({ field: fieldName, values, factor: boost })),
    );
    if (all.length > MAX_BOOSTS) {
      context.issues.push({ code: 'custom', input: sent, message: `may have at most ${MAX_BOOSTS} boosts` });
    }
    return all;
  }
  const byField = within(context, mapOf(VALUES), sent) ?? new Map<string, readonly string[]>();
  if (byField.size > MAX_FIELDS) {
    context.issues.push({ code: 'custom', input: sent, message: `may have at most ${MAX_FIELDS} fields` });
  }
  return [...byField].map(([field, values]) => ({ field, values, factor: MAP_FACTOR }));
});

/** Body of a search by version of the path. Contract: 2.1. */
export const SEARCH_REQUEST: Readonly<Record<ApiVersion, z.ZodType<BoundSearch>>> = {
  v3: searchRequest('v3'),
  v4: searchRequest('v4'),
};

function searchRequest(version: ApiVersion): z.ZodType<BoundSearch> {
  const shape = {
    query: text({ max: MAX_QUERY_CHARS }),
    operator: OPERATOR.optional(),
    page: integer({ min: version === 'v3' ? 0 : 1, max: MAX_INTEGER }).default(1),
    perPage: integer({ min: 1, max: MAX_PER_PAGE }).optional(),
    responseType: RESPONSE_TYPES[version].default('JsonObject'),
    template: text().optional(),
    overlay: text().optional(),
    fields: listOf(text()).default([]),
    highlight: boolean().default(version === 'v3'),
    enableFacetFiltering: boolean().default(false),
    enableRelatedSearches: boolean().default(false),
    filters: FILTERS.default([]),
    notFilters: FILTERS.default([]),
    postFilters: FILTERS.default([]),
    postFiltersOperator: OPERATOR.default('AND'),
    postFiltersItemOperator: OPERATOR.default('OR'),
    advancedPostFilter: ADVANCED_FILTER.optional(),
    facets: FACETS.default({ kind: 'configured' }),
    applyMultiLevelFacets: boolean().default(false),
    rangeFacets: RANGE_FACETS.default([]),
    valueBoost: VALUE_BOOST.default([]),
    sort: SORT.default([]),
    searchContext: oneOf(['Search', 'Search404', 'SAYT']).optional(),
    isInternalSearch: boolean().default(false),
    topHitsFields: TOP_HITS_FIELDS.default([]),
    enableHybridSearch: boolean().optional(),
    traits: TRAITS.default([]),
  };
  return members(shape, { postFilterOperator: 'postFiltersOperator' }).transform((sent, context): BoundSearch => {
    if (sent.advancedPostFilter !== undefined && sent.postFilters.length > 0) {
      const message = 'cannot be used together with "postFilters"';
      context.issues.push({ code: 'custom', input: sent, path: ['advancedPostFilter'], message });
    }
    const { query, operator, perPage, fields, highlight, filters, notFilters, sort } = sent;
    const { postFiltersOperator, advancedPostFilter, enableFacetFiltering, facets, applyMultiLevelFacets } = sent;
    const { enableRelatedSearches } = sent;
    const request = {
      query,
      operator,
      perPage,
      fields,
      highlight,
      filters,
      notFilters,
      sort,
      postFiltersOperator,
      advancedPostFilter,
      enableFacetFiltering,
      facets,
      applyMultiLevelFacets,
      enableRelatedSearches,
      page: Math.max(1, sent.page),
      postFilters: sent.postFilters.map((entry) => withItemOperator(entry, sent.postFiltersItemOperator)),
      rangeFacets: sent.rangeFacets,
      boosts: sent.valueBoost,
      topHits: sent.topHitsFields,
      traits: sent.traits,
      counted: sent.searchContext !== 'SAYT' && !sent.isInternalSearch,
    };
    return { request, responseType: sent.responseType, template: sent.overlay ?? sent.template };
  });
}

function withItemOperator(entry: FilterEntry, operator: 'AND' | 'OR'): FilterEntry {
  const { field, node } = entry;
  return node.kind === 'value' ? { field, node: valueNode(field, node.values, operator) } : entry;
}

function reportTo(context: z.core.$RefinementCtx, sent: unknown): ReportFault {
  return (path, message) => context.issues.push({ code: 'custom', input: sent, path: [...path], message });
}

/** `{}` as the value of a field selects nothing, like `[]`. */
function withoutEmptyMaps(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, isEmpty(value) ? [] : value]));
}
