import { z } from 'zod';
import { parseNumber } from '../../core/field-values.ts';
import { MAX_QUERY_CHARS } from '../../core/normal-query.ts';
import {
  COMPARISONS,
  type FilterEntry,
  GEO_UNITS,
  GROUP_OPERATORS,
  MAX_CONDITION_DEPTH,
  MAX_CONDITION_VALUES,
  MAX_CONDITIONS,
  MAX_FILTER_FIELDS,
  MAX_FILTER_VALUES,
  NODE_MEMBERS,
  parseAdvancedFilter,
  parseFilters,
  type ReportFault,
  valueNode,
} from '../../search/query/filter-grammar.ts';
import {
  type FacetSelection,
  isRangeBound,
  type RangeFacet,
  type SearchRequest,
} from '../../search/query/plan-query.ts';
import type { SortKey, TopHitsRequest, ValueBoost } from '../../search-index/query-plan.ts';
import {
  boolean,
  formOf,
  integer,
  isObject,
  listOf,
  mapOf,
  members,
  noteMembers,
  oneOf,
  scalarText,
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
const MAX_SECTIONS = 10;
/** No engine orders by more; each key costs a look-up per match. */
const MAX_SORT_KEYS = 50;

const OPERATOR = oneOf(['AND', 'OR']);

const SCALARS = { type: 'array', items: formOf(scalarText()), maxItems: MAX_FILTER_VALUES };
const FILTERS_FORM = {
  id: 'Filters',
  description:
    'Field → allowed values. Three names are no fields: `range` takes groups of field, least and greatest value, ' +
    '`date` of field, first and last day or instant, `geo_distance` of field, latitude, longitude, distance and unit ' +
    `(${GEO_UNITS.join(', ')}). Bounds are included, "" leaves one open; a list may have several groups.`,
  type: 'object',
  properties: {
    range: { ...SCALARS, examples: [['Price_number', 0, 5]] },
    date: { ...SCALARS, examples: [['Published_date', '2026-01', '']] },
    geo_distance: { ...SCALARS, examples: [['Place_geo_point', 55.68, 12.57, 5, 'Kilometers']] },
  },
  additionalProperties: SCALARS,
  maxProperties: MAX_FILTER_FIELDS,
};

/** A filter object as its entries. Contract: 2.3. */
export const FILTER_ENTRIES = z
  .unknown()
  .transform((sent, context): readonly FilterEntry[] => parseFilters(sent, reportTo(context, sent)));
export const FILTERS = FILTER_ENTRIES.meta(FILTERS_FORM);

const NODE_NAMES = NODE_MEMBERS.map((name) => [name.toLowerCase(), name] as const);

const ADVANCED_FILTER = z
  .unknown()
  .transform((sent, context) => {
    noteNodes(sent);
    return parseAdvancedFilter(sent, reportTo(context, sent));
  })
  .meta({
    id: 'Condition',
    description:
      `A condition on a field, or a group of them: at most ${MAX_CONDITION_DEPTH} levels and ${MAX_CONDITIONS} nodes. Exists and ` +
      'NotExists need no values, Gt, Gte, Lt and Lte exactly one.',
    type: 'object',
    properties: {
      field: { type: 'string', minLength: 1 },
      comparisonOperator: { type: 'string', enum: COMPARISONS, default: 'Eq' },
      values: { type: 'array', items: formOf(scalarText()), minItems: 1, maxItems: MAX_CONDITION_VALUES },
      operator: {
        type: 'string',
        enum: GROUP_OPERATORS,
        description: 'How the parts combine: And unless it is said in a group, Or unless it is said among values.',
      },
      filters: { type: 'array', items: { $ref: '#/$defs/Condition' }, minItems: 1 },
    },
    oneOf: [{ required: ['field'] }, { required: ['filters'] }],
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

const DIRECTION = z
  .unknown()
  .transform((sent, context): SortKey['direction'] => {
    const direction =
      typeof sent === 'string' || typeof sent === 'number' ? DIRECTIONS.get(String(sent).toLowerCase()) : undefined;
    if (direction !== undefined) return direction;
    context.issues.push({ code: 'custom', input: sent, message: 'must be asc, ascending, desc, descending, 0 or 1' });
    return z.NEVER;
  })
  .meta({ enum: [...DIRECTIONS.keys(), 0, 1] });

const SORT = mapOf(DIRECTION)
  .refine((keys) => keys.size <= MAX_SORT_KEYS, { error: `may have at most ${MAX_SORT_KEYS} fields` })
  .transform((keys) => [...keys].map(([field, direction]): SortKey => ({ field, direction })))
  .meta({ maxProperties: MAX_SORT_KEYS });

/** Contract: 2.1. */
export const TOP_HITS_FIELDS = listOf(
  members({
    field: text({ min: 1 }),
    size: integer({ min: 1, max: 20 }).default(3),
    maxFieldValues: integer({ min: 1, max: 50 }).default(10),
  }).transform((sent): TopHitsRequest => sent),
  { max: MAX_TOP_HITS_FIELDS },
);

const TRAIT_LIST = listOf(text());
const TRAIT_MAP = mapOf(z.preprocess((sent) => [sent].flat(), TRAIT_LIST));
const TRAIT_FORM = { anyOf: [{ type: 'string' }, formOf(TRAIT_LIST)] };
/** A list of traits; a map counts as `name:value` entries. Contract: 2.10. */
const TRAITS = z
  .unknown()
  .transform((sent, context): readonly string[] => {
    if (Array.isArray(sent)) return within(context, TRAIT_LIST, sent) ?? [];
    const named = within(context, TRAIT_MAP, sent) ?? [];
    return [...named].flatMap(([name, values]) => values.map((value) => `${name}:${value}`));
  })
  .meta({ anyOf: [formOf(TRAIT_LIST), { type: 'object', additionalProperties: TRAIT_FORM }] });

/** On v3 every unknown form is JsonObject. Contract: 2.7. */
const RESPONSE_TYPES = {
  v3: z
    .unknown()
    .transform((sent) => (String(sent).toLowerCase() === 'jsonhtml' ? 'JsonHtml' : 'JsonObject'))
    .meta({ type: 'string', examples: ['JsonObject', 'JsonHtml'] }),
  v4: oneOf(['JsonObject', 'JsonHtml', 'NotSpecified', 'json']).transform((form) =>
    form === 'JsonHtml' ? form : 'JsonObject',
  ),
} as const;

/** Contract: 1.9. */
const MAX_FACETS = 50;

/** Keys of a filter object that are no field. */
const RESERVED: readonly string[] = ['range', 'date', 'geo_distance'];

const FACET_NAMES = listOf(text({ min: 1 }), { max: MAX_FACETS });
/** Map form: narrows and names; array form: names; `[]` is `{}`. Contract: 2.4. */
const FACETS = z
  .unknown()
  .transform((sent, context): FacetSelection => {
    if (Array.isArray(sent)) {
      const names = within(context, FACET_NAMES, sent) ?? [];
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
  })
  .meta({ anyOf: [formOf(FACET_NAMES), { $ref: '#/$defs/Filters' }] });
const MAX_LABELS = 20;
const MAX_RANGES = 100;

const BOUND = z
  .unknown()
  .transform((sent, context): string => {
    const bound = typeof sent === 'string' || typeof sent === 'number' ? String(sent) : undefined;
    if (bound !== undefined && isRangeBound(bound)) return bound;
    context.issues.push({ code: 'custom', input: sent, message: 'must be a number or a date, or "" for an open end' });
    return z.NEVER;
  })
  .meta({
    type: ['string', 'number'],
    description: 'A number or a date, or "" for an open end.',
    examples: [5, '2026-01', ''],
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
  )
  .meta({ maxProperties: MAX_LABELS });

/** Factor of the map form. Contract: 2.5. */
const MAP_FACTOR = 2;
/** Like filters. Contract: 1.9. */
const MAX_FIELDS = 100;
/** Each costs a pass over the documents. */
const MAX_BOOSTS = 1_000;
const MAX_VALUES = 1_000;

const VALUES = scalarTexts({ max: MAX_VALUES });

const FACTOR = z
  .unknown()
  .transform((sent, context): number => {
    const factor = typeof sent === 'string' ? parseNumber(sent) : sent;
    if (typeof factor === 'number' && Number.isFinite(factor) && factor > 0) return factor;
    context.issues.push({ code: 'custom', input: sent, message: 'must be a number above 0' });
    return z.NEVER;
  })
  .meta({ type: 'number', exclusiveMinimum: 0 });
const BOOST = members({ boost: FACTOR, values: VALUES });
const FIELD_BOOSTS = members({ fieldName: text({ min: 1 }), boosts: listOf(BOOST, { max: MAX_FIELDS }) });

const BOOST_LIST = listOf(FIELD_BOOSTS, { max: MAX_FIELDS });
const BOOST_MAP = mapOf(VALUES).meta({ maxProperties: MAX_FIELDS });

/** Both forms as factors by field and values, in order. Contract: 2.5. */
export const VALUE_BOOST = z
  .unknown()
  .transform((sent, context): readonly ValueBoost[] => {
    if (Array.isArray(sent)) {
      const fields = within(context, BOOST_LIST, sent) ?? [];
      const all = fields.flatMap(({ fieldName, boosts }) =>
        boosts.map(({ boost, values }) => ({ field: fieldName, values, factor: boost })),
      );
      if (all.length > MAX_BOOSTS) {
        context.issues.push({ code: 'custom', input: sent, message: `may have at most ${MAX_BOOSTS} boosts` });
      }
      return all;
    }
    const byField = within(context, BOOST_MAP, sent) ?? new Map<string, readonly string[]>();
    if (byField.size > MAX_FIELDS) {
      context.issues.push({ code: 'custom', input: sent, message: `may have at most ${MAX_FIELDS} fields` });
    }
    return [...byField].map(([field, values]) => ({ field, values, factor: MAP_FACTOR }));
  })
  .meta({ anyOf: [formOf(BOOST_MAP), formOf(BOOST_LIST)] });

/** Body of a search by version of the path. Contract: 2.1. */
export const SEARCH_REQUEST: Readonly<Record<ApiVersion, z.ZodType<BoundSearch>>> = {
  v3: searchRequest('v3'),
  v4: searchRequest('v4'),
};

function searchMembers(version: ApiVersion) {
  return {
    query: text({ max: MAX_QUERY_CHARS }).describe('"*" or "" finds everything.'),
    operator: OPERATOR.optional().describe('Between words; absent: that of the engine.'),
    page: integer({ min: version === 'v3' ? 0 : 1, max: MAX_INTEGER })
      .default(1)
      .describe('`page` × `perPage` is at most 10,000 unless the installation says otherwise.'),
    perPage: integer({ min: 1, max: MAX_PER_PAGE }).optional().describe('Absent: that of the engine.'),
    responseType: RESPONSE_TYPES[version].default('JsonObject'),
    template: text().optional().describe('`compact`: titles only, in HTML.'),
    overlay: text().optional().describe('Another name of `template`.'),
    fields: listOf(text()).default([]).describe('Fields to return; none: all.'),
    highlight: boolean()
      .default(version === 'v3')
      .describe('Marks the words that were found.'),
    sections: integer({ min: 0, max: MAX_SECTIONS })
      .default(0)
      .describe('Sections of each hit that are shown in its `Sections`, at most.'),
    enableFacetFiltering: boolean().default(false).describe('Post-filters count in facets, too.'),
    enableRelatedSearches: boolean().default(false).describe('Fills `RelatedSearchDocuments`.'),
    filters: FILTERS.default([]),
    notFilters: FILTERS.default([]).describe('Excludes what matches any of its entries.'),
    postFilters: FILTERS.default([]).describe('Narrows results, not facets.'),
    postFiltersOperator: OPERATOR.default('AND').describe('Between fields.'),
    postFiltersItemOperator: OPERATOR.default('OR').describe('Between the values of a field.'),
    advancedPostFilter: ADVANCED_FILTER.optional().describe('In place of `postFilters`.'),
    facets: FACETS.prefault([]).describe(
      'Names of fields, or filters, which narrow as well; none: those of the engine.',
    ),
    applyMultiLevelFacets: boolean().default(false),
    rangeFacets: RANGE_FACETS.default([]).describe('By label: counts of ranges of a field.'),
    valueBoost: VALUE_BOOST.default([]).describe('Values that double the score of their documents, or factors.'),
    sort: SORT.default([]).describe('Field → direction, the first field first; `_score` is relevance.'),
    searchContext: oneOf(['Search', 'Search404', 'SAYT']).optional(),
    isInternalSearch: boolean().default(false).describe('Kept out of statistics, like `SAYT`.'),
    topHitsFields: TOP_HITS_FIELDS.default([]).describe('The best hits of the most frequent values of fields.'),
    enableHybridSearch: boolean().optional().describe('Accepted, and changes nothing.'),
    traits: TRAITS.default([]).describe('What the visitor is, for tools with audiences.'),
  };
}

function searchRequest(version: ApiVersion): z.ZodType<BoundSearch> {
  const shape = searchMembers(version);
  return members(shape, { postFilterOperator: 'postFiltersOperator' }).transform((sent, context): BoundSearch => {
    if (sent.advancedPostFilter !== undefined && sent.postFilters.length > 0) {
      const message = 'cannot be used together with "postFilters"';
      context.issues.push({ code: 'custom', input: sent, path: ['advancedPostFilter'], message });
    }
    const { query, operator, perPage, fields, highlight, sections, filters, notFilters, sort } = sent;
    const { postFiltersOperator, advancedPostFilter, enableFacetFiltering, facets, applyMultiLevelFacets } = sent;
    const { enableRelatedSearches } = sent;
    const request = {
      query,
      operator,
      perPage,
      fields,
      highlight,
      sections,
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
