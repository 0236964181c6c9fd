import { escapeHtml } from '../../core/escape-html.ts';
import type { AutocompleteResult } from '../../search/autocomplete.ts';
import type { SearchHit } from '../../search/read-hits.ts';
import { facetLists } from '../search/html/facet-list.ts';
import { attribute, type HtmlStyle, hooks } from '../search/html/markup.ts';
import { resultList } from '../search/html/result-list.ts';
import { facetsResponse, type Hit, hitResponse, type SearchResponse, topHitsResponse } from '../search/responses.ts';

export type AutocompleteV4 = {
  readonly queryId: string;
  readonly totalResults: number;
  readonly totalSuggestions: number;
  readonly results: readonly { readonly id: string; readonly fields: Readonly<Record<string, string>> }[];
  readonly suggestions: readonly string[];
  readonly topHits: SearchResponse['TopHits'];
  readonly facets: SearchResponse['Facets'];
  readonly responseTime: number;
};

export type AutocompleteV3 = {
  readonly QueryId: string;
  readonly ResponseTime: number;
  readonly TotalResults: number;
  readonly TotalSuggestions: number;
  readonly Facets: SearchResponse['Facets'];
  readonly Results: readonly Hit[];
  readonly Suggestions: readonly Hit[];
  readonly TopHits: SearchResponse['TopHits'];
};

export type AutocompleteHtml = Omit<AutocompleteV3, 'Facets' | 'Results' | 'Suggestions' | 'TopHits'> & {
  readonly Facets: string;
  readonly SearchResult: string;
};

/** Fields of a plain result. */
const PLAIN_FIELDS: readonly string[] = ['Title', 'Url', 'Description', 'Image'];

/** `JsonObject` on v4. Contract: 3. */
export function autocompleteV4(result: AutocompleteResult): AutocompleteV4 {
  return {
    queryId: result.queryId,
    totalResults: result.totalResults,
    totalSuggestions: result.totalSuggestions,
    results: result.results.map(plainResult),
    suggestions: result.suggestions,
    topHits: result.topHits.map(topHitsResponse),
    facets: facetsResponse(result.facets),
    responseTime: result.responseTimeMs,
  };
}

/** `JsonObject` on v3. Contract: 3. */
export function autocompleteV3(result: AutocompleteResult): AutocompleteV3 {
  return {
    ...head(result),
    Facets: facetsResponse(result.facets),
    Results: result.results.map(hitResponse),
    Suggestions: result.suggestions.map(suggestionHit),
    TopHits: result.topHits.map(topHitsResponse),
  };
}

/** `JsonHtml` on both versions: suggestions, then results. Contract: 3. */
export function autocompleteHtml(result: AutocompleteResult, style: HtmlStyle): AutocompleteHtml {
  const facetStyle = { language: style.language, isSelected: () => false, allowsSeveral: () => false };
  return {
    ...head(result),
    Facets: facetLists(facetsResponse(result.facets), facetStyle),
    SearchResult: suggestionList(result.suggestions, style) + resultList(result.results.map(hitResponse), style),
  };
}

function head({ queryId, responseTimeMs, totalResults, totalSuggestions }: AutocompleteResult) {
  return {
    QueryId: queryId,
    ResponseTime: responseTimeMs,
    TotalResults: totalResults,
    TotalSuggestions: totalSuggestions,
  };
}

function plainResult({ id, fields }: SearchHit): AutocompleteV4['results'][number] {
  const shown = fields.filter(({ name, values }) => PLAIN_FIELDS.includes(name) && values.length > 0);
  return { id, fields: Object.fromEntries(shown.map(({ name, values }) => [name, values.join(', ')])) };
}

/** A completion in the shape of a hit. */
function suggestionHit(text: string, index: number): Hit {
  const title = { Field: 'Title', Value: text, Values: [text], Highlights: [], IsArray: false };
  return {
    ResultIndex: index + 1,
    Id: text,
    Score: 1,
    Type: 'PageContent',
    Fields: { Title: title },
    FieldNames: ['Title'],
    Highlight: {},
    TitleHasHighlight: false,
    Sortings: [],
  };
}

function suggestionList(suggestions: readonly string[], { prefixes }: HtmlStyle): string {
  const items = suggestions.map(
    (text) => `<li><a${hooks(prefixes, { related: text })}${attribute('href', '#')}>${escapeHtml(text)}</a></li>`,
  );
  return `<ul class="search_suggestion_list">${items.join('')}</ul>`;
}
