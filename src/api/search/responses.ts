import { z } from 'zod';
import type { HitSection } from '../../search/hit-sections.ts';
import type { HitField, SearchHit, TopValueHits } from '../../search/read-hits.ts';
import type { SearchResult } from '../../search/search.ts';
import type { RelatedSearch } from '../../search/suggestions.ts';
import type { FacetCounts } from '../../search-index/search-index.ts';
import { isObject } from '../binding.ts';
import type { Shown } from '../openapi/json-schema.ts';
import type { ApiVersion } from './schemas.ts';

const FIELD_VALUE = z.object({
  Field: z.string(),
  Value: z.string(),
  Values: z.array(z.string()),
  Highlights: z.array(z.string()),
  IsArray: z.boolean(),
});
type FieldValue = Shown<typeof FIELD_VALUE>;

/** Contract: 2.6. */
export const HIT = z
  .object({
    ResultIndex: z.int().describe('Place among all hits, from 1.'),
    Id: z.string(),
    Score: z.number(),
    Type: z.string(),
    Fields: z.record(z.string(), FIELD_VALUE),
    FieldNames: z.array(z.string()),
    Highlight: z.record(z.string(), z.string()),
    TitleHasHighlight: z.boolean(),
    Sortings: z.array(z.union([z.number(), z.string()])).describe('Values of the fields of `sort`, in its order.'),
    Sections: z
      .array(z.object({ Title: z.string(), Url: z.string(), Snippet: z.string() }))
      .optional()
      .describe('Where `sections` asks for them: places of the document that match best, with their addresses.'),
  })
  .meta({ id: 'Hit' });
export type Hit = Shown<typeof HIT>;

export type Facet = {
  readonly FieldName: string;
  readonly Field: string;
  readonly MissingCount: number;
  readonly AllCount: number;
  readonly Items: readonly {
    readonly Key: string;
    readonly Count: number;
    readonly Facets: Readonly<Record<string, Facet>>;
  }[];
};

const FACET: z.ZodType<Facet> = z
  .object({
    FieldName: z.string(),
    Field: z.string(),
    MissingCount: z.int().describe('Hits without a value.'),
    AllCount: z.int(),
    Items: z.array(z.object({ Key: z.string(), Count: z.int(), Facets: z.lazy(() => FACETS) })),
  })
  .meta({ id: 'Facet' });
/** By the name of the facet. */
export const FACETS = z.record(z.string(), FACET).meta({ id: 'Facets' });

export const TOP_HITS = z.array(
  z.object({
    Field: z.string(),
    Values: z.array(z.object({ Value: z.string(), AllCount: z.int(), Hits: z.array(HIT) })),
  }),
);

const BANNER = z.object({
  Id: z.int(),
  Name: z.string(),
  Banner: z.string().describe('HTML that has passed the sanitiser, unless the engine shows it raw.'),
  WebsiteId: z.int(),
});
export type Banner = Shown<typeof BANNER>;

const SUGGESTION_V3 = z.object({ Text: z.string() });
const RELATED_SEARCH_V3 = z.object({ SearchTerm: z.string(), DocsCount: z.int() });
type RelatedSearchDocument = Shown<typeof RELATED_SEARCH_V3>;

const SEARCH_RESPONSE = z.object({
  QueryId: z.string().describe('For tracking and feedback.'),
  ResponseTime: z.number().describe('Milliseconds.'),
  FixedQuery: z.string().describe('What was searched for in place of a query that finds nothing, else "".'),
  TotalDocument: z.int().describe('Documents found, exactly.'),
  TypedDocuments: z.array(HIT),
  Facets: FACETS,
  RangeFacets: z.record(z.string(), z.array(z.int())).describe('A count per range, by label.'),
  TopHits: TOP_HITS,
  Banners: z.array(BANNER),
  Quicklinks: z.array(z.object({ Id: z.int(), Url: z.string(), Term: z.string() })),
  Suggestions: z.array(z.union([z.string(), SUGGESTION_V3])),
  Synonyms: z.array(z.string()),
  RelatedSearchDocuments: z.array(z.union([z.string(), RELATED_SEARCH_V3])),
  GenerativeAnswerAvailable: z.boolean(),
});
export type SearchResponse = Shown<typeof SEARCH_RESPONSE>;

/** The `JsonObject` answer of a search by version of the path. Contract: 2.6. */
export const SEARCH_RESPONSES = {
  v3: SEARCH_RESPONSE.extend({
    Suggestions: z.array(SUGGESTION_V3),
    RelatedSearchDocuments: z.array(RELATED_SEARCH_V3),
  }).meta({ id: 'SearchAnswerV3' }),
  v4: SEARCH_RESPONSE.extend({
    Suggestions: z.array(z.string()),
    RelatedSearchDocuments: z.array(z.string()),
  }).meta({ id: 'SearchAnswer' }),
} as const;

/**
 * The `JsonObject` answer of a search without its hits, which `writeSearch` writes one by one; v3 has its own forms of
 * suggestions and related searches. Contract: 2.6.
 */
export function searchEnvelope(result: SearchResult, version: ApiVersion): SearchResponse {
  return {
    QueryId: result.queryId,
    ResponseTime: result.responseTimeMs,
    FixedQuery: result.fixedQuery,
    TotalDocument: result.total,
    TypedDocuments: [],
    Facets: facetsResponse(result.facets),
    RangeFacets: Object.fromEntries(result.ranges.map(({ label, counts }) => [label, counts])),
    TopHits: [],
    Banners: result.banners.map(({ id, name, html, engineId }) => ({
      Id: id,
      Name: name,
      Banner: html,
      WebsiteId: engineId,
    })),
    Quicklinks: result.quicklinks.map(({ id, url, term }) => ({ Id: id, Url: url, Term: term })),
    Suggestions: version === 'v3' ? result.suggestions.map((text) => ({ Text: text })) : result.suggestions,
    Synonyms: result.synonyms,
    RelatedSearchDocuments: result.relatedSearches.map((related) => relatedResponse(related, version)),
    GenerativeAnswerAvailable: result.generativeAnswerAvailable,
  };
}

function relatedResponse({ text, documents }: RelatedSearch, version: ApiVersion): string | RelatedSearchDocument {
  return version === 'v3' ? { SearchTerm: text, DocsCount: documents } : text;
}

/** A hit as every endpoint shows it. Contract: 2.6. */
export function hitResponse({ rank, id, score, kind, fields, titleHasMatch, sections, sortValues }: SearchHit): Hit {
  const highlighted = fields.filter(({ highlights }) => highlights.length > 0);
  return {
    ResultIndex: rank,
    Id: id,
    Score: score,
    Type: kind,
    Fields: Object.fromEntries(fields.map((field) => [field.name, fieldResponse(field)])),
    FieldNames: fields.map(({ name }) => name),
    Highlight: Object.fromEntries(highlighted.map(({ name, highlights }) => [name, highlights.join(' ... ')])),
    TitleHasHighlight: titleHasMatch,
    Sortings: sortValues.map((value) => value ?? ''),
    ...(sections !== undefined && { Sections: sections.map(sectionResponse) }),
  };
}

function sectionResponse({ title, url, snippet }: HitSection): NonNullable<Hit['Sections']>[number] {
  return { Title: title, Url: url, Snippet: snippet };
}

export function topHitsResponse({
  field,
  values,
}: TopValueHits<readonly SearchHit[]>): SearchResponse['TopHits'][number] {
  return {
    Field: field,
    Values: values.map(({ value, count, hits }) => ({
      Value: value,
      AllCount: count,
      Hits: hits.map(hitResponse),
    })),
  };
}

/** Members whose keys are names of the caller or of fields. */
const MAPS: readonly string[] = ['Fields', 'Facets', 'FacetData', 'RangeFacets', 'Highlight'];

/** The same response with member names that start lower case; field names and values stay. Contract: 2.1, `casing`. */
export function camelCased(response: unknown): unknown {
  if (Array.isArray(response)) return response.map(camelCased);
  if (!isObject(response)) return response;
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => [camelCasedName(name), camelCasedMember(name, value)]),
  );
}

export function camelCasedName(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The value of a member of this name. */
export function camelCasedMember(name: string, value: unknown): unknown {
  return MAPS.includes(name) && isObject(value) ? withCamelCasedValues(value) : camelCased(value);
}

function withCamelCasedValues(map: object): unknown {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, camelCased(value)]));
}

function fieldResponse({ name, values, highlights }: HitField): FieldValue {
  return {
    Field: name,
    Value: values.join(', '),
    Values: values,
    Highlights: highlights,
    IsArray: values.length > 1,
  };
}

export function facetsResponse(facets: readonly FacetCounts[]): Readonly<Record<string, Facet>> {
  return Object.fromEntries(facets.map((facet) => [facet.name, facetResponse(facet)]));
}

function facetResponse({ name, field, missingCount, allCount, items }: FacetCounts): Facet {
  return {
    FieldName: name,
    Field: field,
    MissingCount: missingCount,
    AllCount: allCount,
    Items: items.map(({ key, count, facets }) => ({ Key: key, Count: count, Facets: facetsResponse(facets) })),
  };
}
