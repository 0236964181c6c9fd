import { escapeHtml } from '../../../core/escape-html.ts';
import type { Engine } from '../../../core/records.ts';
import type { SearchRequest } from '../../../search/search-request.ts';
import type { Banner, Facet, SearchResponse } from '../responses.ts';
import { facetLists } from './facet-list.ts';
import { attribute, type HtmlStyle, hooks } from './markup.ts';
import { pageList } from './page-list.ts';
import { resultList } from './result-list.ts';

/** Below this many results a better spelling is offered. Contract: 2.11. */
const FEW_RESULTS = 10;

/** As v4 and as v3 write them. */
type Text = string | { readonly Text: string };
type RelatedSearch = string | { readonly SearchTerm: string; readonly DocsCount: number };

/** The `JsonObject` answer of either version. */
type JsonObject = Omit<SearchResponse, 'Suggestions' | 'RelatedSearchDocuments'> & {
  readonly Suggestions: readonly Text[];
  readonly RelatedSearchDocuments: readonly RelatedSearch[];
};

/** All members of the `JsonObject` answer, but facets as HTML beside `FacetData`. Contract: 2.11. */
export type SearchHtmlResponse = Omit<JsonObject, 'Facets'> & {
  readonly SearchResult: string;
  readonly Facets: string;
  readonly FacetData: SearchResponse['Facets'];
  readonly RelatedSearchesResult: string;
  readonly DidYouMean: string;
  readonly TotalDocuments: number;
};

type HtmlRequest = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  readonly style: HtmlStyle;
  readonly maxResultWindow: number;
};

/** The `JsonHtml` answer of a search, made of its `JsonObject` answer. Contract: 2.11. */
export function searchHtmlResponse(response: JsonObject, asked: HtmlRequest): SearchHtmlResponse {
  const { engine, request, style, maxResultWindow } = asked;
  const { Facets, Banners, TypedDocuments, TotalDocument, Suggestions, RelatedSearchDocuments } = response;
  const perPage = request.perPage ?? engine.settings.perPage;
  const pageCount = Math.min(Math.ceil(TotalDocument / perPage), Math.floor(maxResultWindow / perPage));
  const pages = pageList({ page: request.page, pageCount, language: style.language });
  return {
    ...response,
    SearchResult: resultList(TypedDocuments, style) + pages,
    Facets: facetLists(Facets, facetStyle(asked)),
    FacetData: Facets,
    RelatedSearchesResult: relatedList(RelatedSearchDocuments, style),
    Banners: Banners.map((banner) => ({ ...banner, Banner: wrapped(banner, style) })),
    DidYouMean: TotalDocument < FEW_RESULTS ? textOf(Suggestions[0] ?? '') : '',
    TotalDocuments: TotalDocument,
  };
}

/** The HTML of a banner is the editor's, sanitised by the search. */
function wrapped({ Id, Name, Banner }: Banner, { prefixes }: HtmlStyle): string {
  return `<div${hooks(prefixes, { result: 'banner', id: Id, title: Name })}>${Banner}</div>`;
}

function relatedList(related: readonly RelatedSearch[], { prefixes }: HtmlStyle): string {
  if (related.length === 0) return '';
  const items = related.map((search) => {
    const query = typeof search === 'string' ? search : search.SearchTerm;
    return `<li><a${hooks(prefixes, { related: query })}${attribute('href', '#')}>${escapeHtml(query)}</a></li>`;
  });
  return `<ul class="search_related_list">${items.join('')}</ul>`;
}

function textOf(suggestion: Text): string {
  return typeof suggestion === 'string' ? suggestion : suggestion.Text;
}

function facetStyle({ engine, request, style }: HtmlRequest) {
  const narrowed = request.facets.kind === 'narrowed' ? request.facets.entries : [];
  const chosen = [...narrowed, ...request.postFilters].flatMap(({ field, node }) =>
    node.kind === 'value' ? [{ field, values: node.values }] : [],
  );
  return {
    language: style.language,
    isSelected: (facet: Facet, key: string) =>
      chosen.some(({ field, values }) => (field === facet.Field || field === facet.FieldName) && values.includes(key)),
    allowsSeveral: ({ FieldName }: Facet) =>
      engine.settings.facets.find(({ name }) => name === FieldName)?.operator !== 'And',
  };
}
