import { z } from 'zod';
import type { TypeOfField } from '../../../core/filters.ts';
import type { FacetRequest, QueryPlan, RangeRequest } from '../../query-plan.ts';
import type { FacetCounts, FacetItem } from '../../search-index.ts';
import type { Json } from '../connection.ts';
import { encodeName, MAX_FACET_VALUES } from '../index-layout.ts';
import { LONG_VALUE } from '../index-row.ts';

const DIRECTIONS = { Asc: 'asc', Desc: 'desc' } as const;

/** Aggregations of all facets and ranges of a plan; their names are their places. */
export function countAggregations(plan: QueryPlan, typeOf: TypeOfField): Json {
  return {
    ...facetAggregations(plan.facets),
    ...Object.fromEntries(plan.ranges.map((range, at) => [`range${at}`, rangeAggregation(range, typeOf)])),
  };
}

function facetAggregations(facets: readonly FacetRequest[]): Record<string, Json> {
  return Object.fromEntries(
    facets.flatMap((facet, at) => [
      [`facet${at}`, facetAggregation(facet)],
      [`with${at}`, { filter: { exists: { field: valueField(facet.field) } } }],
    ]),
  );
}

function facetAggregation(facet: FacetRequest): Json {
  const nested = facetAggregations(facet.facets);
  const best = facet.orderBy === 'DocScore' ? { best: { max: { script: { source: '_score' } } } } : {};
  return {
    terms: {
      field: valueField(facet.field),
      // What no document matches is added afterwards and may come before others.
      size: facet.includeEmpty ? MAX_FACET_VALUES : Math.max(1, facet.size),
      shard_size: MAX_FACET_VALUES,
      exclude: `${LONG_VALUE}.*`,
      order: orderOf(facet),
    },
    aggs: { ...nested, ...best },
  };
}

function orderOf({ orderBy, direction }: FacetRequest): readonly Json[] {
  const way = DIRECTIONS[direction];
  if (orderBy === 'Alphabetically') return [{ _key: way }];
  return [orderBy === 'DocCount' ? { _count: way } : { best: way }, { _key: 'asc' }];
}

function rangeAggregation({ field, ranges, unit }: RangeRequest, typeOf: TypeOfField): Json {
  const name = `${unit}.${encodeName(field)}`;
  const filters = ranges.map(({ from, to }): Json => {
    if (typeOf(field) !== unit || !(from < to)) return { match_none: {} };
    const bounds = { ...(Number.isFinite(from) && { gte: from }), ...(Number.isFinite(to) && { lt: to }) };
    return Object.keys(bounds).length === 0 ? { exists: { field: name } } : { range: { [name]: bounds } };
  });
  // A request without ranges counts nothing, which the servers do not know.
  return { filters: { filters: filters.length === 0 ? [{ match_none: {} }] : filters } };
}

export function valueField(field: string): string {
  return `value.${encodeName(field)}`;
}

const CountSchema = z.object({ doc_count: z.number() });
const TermsSchema = z.object({
  sum_other_doc_count: z.number(),
  buckets: z.array(
    z.looseObject({
      key: z.string(),
      doc_count: z.number(),
      best: z.object({ value: z.number().nullable() }).optional(),
    }),
  ),
});
const FiltersSchema = z.object({ buckets: z.array(CountSchema) });

/** Values of live documents of the fields whose facets show those without a match, too. */
export type LiveValues = ReadonlyMap<string, readonly string[]>;

export function readFacets(
  facets: readonly FacetRequest[],
  counted: { readonly documents: number; readonly aggregations: Json; readonly live: LiveValues },
): readonly FacetCounts[] {
  const { documents, aggregations, live } = counted;
  return facets.map((facet, at) => {
    const { buckets } = TermsSchema.parse(aggregations[`facet${at}`] ?? { sum_other_doc_count: 0, buckets: [] });
    const withField = CountSchema.parse(aggregations[`with${at}`] ?? { doc_count: 0 }).doc_count;
    const found = buckets.map(({ key, doc_count, ...own }): FacetItem => {
      const facets = readFacets(facet.facets, { documents: doc_count, aggregations: own, live });
      return { key, count: doc_count, facets };
    });
    const unscored = new Set(buckets.flatMap(({ key, best }) => (best?.value === 0 ? [key] : [])));
    const items = facet.includeEmpty ? withEmpty(found, facet, { live, unscored }) : found;
    return {
      name: facet.name,
      field: facet.field,
      items: items.slice(0, facet.size),
      allCount: withField,
      missingCount: documents - withField,
    };
  });
}

/**
 * With the values of live documents that no match has, at their places in the order: by score among those whose matches
 * have none, `unscored`.
 */
function withEmpty(
  found: readonly FacetItem[],
  facet: FacetRequest,
  { live, unscored }: { readonly live: LiveValues; readonly unscored: ReadonlySet<string> },
): readonly FacetItem[] {
  const known = new Set(found.map(({ key }) => key));
  const empty = (live.get(facet.field) ?? []).filter((key) => !known.has(key));
  const none = empty.map((key): FacetItem => {
    return { key, count: 0, facets: readFacets(facet.facets, { documents: 0, aggregations: {}, live }) };
  });
  if (facet.orderBy === 'Alphabetically') return byKey([...found, ...none], facet.direction);
  const scored = found.filter(({ key }) => !unscored.has(key));
  const last = byKey([...found.filter(({ key }) => unscored.has(key)), ...none], 'Asc');
  return facet.direction === 'Desc' ? [...scored, ...last] : [...last, ...scored];
}

function byKey(items: readonly FacetItem[], direction: FacetRequest['direction']): readonly FacetItem[] {
  const sign = direction === 'Asc' ? 1 : -1;
  return items.toSorted((a, b) => sign * Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
}

/** Fields, nested ones too, whose facets show values without a match. */
export function fieldsWithEmpty(facets: readonly FacetRequest[]): ReadonlySet<string> {
  return new Set(
    facets.flatMap((facet) => [...(facet.includeEmpty ? [facet.field] : []), ...fieldsWithEmpty(facet.facets)]),
  );
}

export function readRanges(
  ranges: readonly RangeRequest[],
  aggregations: Json,
): readonly { readonly label: string; readonly counts: readonly number[] }[] {
  return ranges.map(({ label, ranges: own }, at) => {
    const { buckets } = FiltersSchema.parse(aggregations[`range${at}`]);
    return { label, counts: own.map((_, place) => buckets[place]?.doc_count ?? 0) };
  });
}
