import type { HitField, SearchHit, TopValueHits } from '../../search/read-hits.ts';
import type { SearchResult } from '../../search/search.ts';
import type { RelatedSearch } from '../../search/suggestions.ts';
import type { FacetCounts } from '../../search-index/search-index.ts';
import { isObject } from '../binding.ts';
import type { ApiVersion } from './schemas.ts';

/** Contract: 2.6. */
export type FieldValue = {
  readonly Field: string;
  readonly Value: string;
  readonly Values: readonly string[];
  readonly Highlights: readonly string[];
  readonly IsArray: boolean;
};

export type Hit = {
  readonly ResultIndex: number;
  readonly Id: string;
  readonly Score: number;
  readonly Type: string;
  readonly Fields: Readonly<Record<string, FieldValue>>;
  readonly FieldNames: readonly string[];
  readonly Highlight: Readonly<Record<string, string>>;
  readonly TitleHasHighlight: boolean;
  readonly Sortings: readonly (number | string)[];
};

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

/** `Banner` is HTML that has passed the sanitiser, unless the engine shows it raw. */
export type Banner = {
  readonly Id: number;
  readonly Name: string;
  readonly Banner: string;
  readonly WebsiteId: number;
};

type RelatedSearchDocument = { readonly SearchTerm: string; readonly DocsCount: number };

export type SearchResponse = {
  readonly QueryId: string;
  readonly ResponseTime: number;
  readonly FixedQuery: string;
  readonly TotalDocument: number;
  readonly TypedDocuments: readonly Hit[];
  readonly Facets: Readonly<Record<string, Facet>>;
  readonly RangeFacets: Readonly<Record<string, readonly number[]>>;
  readonly TopHits: readonly {
    readonly Field: string;
    readonly Values: readonly { readonly Value: string; readonly AllCount: number; readonly Hits: readonly Hit[] }[];
  }[];
  readonly Banners: readonly Banner[];
  readonly Quicklinks: readonly { readonly Id: number; readonly Url: string; readonly Term: string }[];
  readonly Suggestions: readonly (string | { readonly Text: string })[];
  readonly Synonyms: readonly string[];
  readonly RelatedSearchDocuments: readonly (string | RelatedSearchDocument)[];
  readonly GenerativeAnswerAvailable: boolean;
};

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
export function hitResponse({ rank, id, score, kind, fields, titleHasMatch, sortValues }: SearchHit): Hit {
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
  };
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
