import { z } from 'zod';
import { MAX_QUERY_CHARS } from '../../core/normal-query.ts';
import { NODE_MEMBERS, parseAdvancedFilter } from '../../search/advanced-filter.ts';
import { type FilterEntry, parseFilters, type ReportFault, valueNode } from '../../search/filter-grammar.ts';
import type { SearchRequest } from '../../search/search-request.ts';
import type { SortKey, TopHitsRequest } from '../../search-index/query-plan.ts';
import { boolean, integer, isObject, listOf, mapOf, members, oneOf, text, within } from '../binding.ts';
import { noteMembers } from '../strict-members.ts';
import { FACETS, RANGE_FACETS } from './facet-schemas.ts';
import { VALUE_BOOST } from './value-boost-schema.ts';

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

const ADVANCED_FILTER = z.unknown().transform((sent, context) => {
  noteNodes(sent);
  return parseAdvancedFilter(sent, reportTo(context, sent));
});

const NODE_NAMES = NODE_MEMBERS.map((name) => [name.toLowerCase(), name] as const);

function noteNodes(sent: unknown): void {
  if (!isObject(sent)) return;
  noteMembers(sent, NODE_NAMES);
  const groups = Object.entries(sent).filter(([name]) => name.toLowerCase() === 'filters');
  for (const node of groups.flatMap(([, nodes]) => nodes)) noteNodes(node);
}

const DIRECTION = z.unknown().transform((sent, context): SortKey['direction'] => {
  const direction =
    typeof sent === 'string' || typeof sent === 'number' ? DIRECTIONS.get(String(sent).toLowerCase()) : undefined;
  if (direction !== undefined) return direction;
  context.issues.push({ code: 'custom', input: sent, message: 'must be asc, ascending, desc, descending, 0 or 1' });
  return z.NEVER;
});
const DIRECTIONS = new Map<string, SortKey['direction']>([
  ['asc', 'ascending'],
  ['ascending', 'ascending'],
  ['0', 'ascending'],
  ['desc', 'descending'],
  ['descending', 'descending'],
  ['1', 'descending'],
]);

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
