import { z } from 'zod';
import { escapeHtml } from '../../core/escape-html.ts';
import type { Engine } from '../../core/records.ts';
import type { SearchRequest } from '../../search/query/plan-query.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { type Banner, FACETS, type Facet, type Hit, SEARCH_RESPONSES, type SearchResponse } from './responses.ts';

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

const HTML_MEMBERS = {
  SearchResult: z.string(),
  Facets: z.string(),
  FacetData: FACETS,
  RelatedSearchesResult: z.string(),
  DidYouMean: z.string(),
  TotalDocuments: z.int(),
};

/** All members of the `JsonObject` answer, but facets as HTML beside `FacetData`. Contract: 2.11. */
export const SEARCH_HTML_RESPONSES = {
  v3: SEARCH_RESPONSES.v3.extend(HTML_MEMBERS).meta({ id: 'SearchAnswerAsHtmlV3' }),
  v4: SEARCH_RESPONSES.v4.extend(HTML_MEMBERS).meta({ id: 'SearchAnswerAsHtml' }),
} as const;
export type SearchHtmlResponse = Omit<JsonObject, 'Facets'> & Shown<z.ZodObject<typeof HTML_MEMBERS>>;

type HtmlRequest = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  readonly style: HtmlStyle;
  readonly maxResultWindow: number;
};

/** The `JsonHtml` answer of a search, made of its `JsonObject` answer. Contract: 2.11. */
export function searchHtmlResponse(response: JsonObject, input: HtmlRequest): SearchHtmlResponse {
  const { engine, request, style, maxResultWindow } = input;
  const { Facets, Banners, TypedDocuments, TotalDocument, Suggestions, RelatedSearchDocuments } = response;
  const perPage = request.perPage ?? engine.settings.perPage;
  const pageCount = Math.min(Math.ceil(TotalDocument / perPage), Math.floor(maxResultWindow / perPage));
  const pages = pageList({ page: request.page, pageCount, language: style.language });
  return {
    ...response,
    SearchResult: resultList(TypedDocuments, style) + pages,
    Facets: facetLists(Facets, facetStyle(input)),
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

/** Characters of a text that stands for a hit without highlights. */
const EXCERPT_CHARS = 160;
/** The part before which a cut at a blank would leave too little. */
const SHORTEST_CUT = EXCERPT_CHARS / 2;

/** The template that shows titles only; every other name is the default one. */
const COMPACT = 'compact';

/** Hits as `<ul>`, one `<li>` with a link each. Contract: 2.11. */
export function resultList(hits: readonly Hit[], style: HtmlStyle): string {
  return `<ul class="search_result_list">${hits.map((hit) => resultItem(hit, style)).join('')}</ul>`;
}

/** One hit. All text is escaped; of markup only the tags of its highlights come in. */
export function resultItem(hit: Hit, { prefixes, template }: HtmlStyle): string {
  const title = fieldText(hit, 'Title') || fieldText(hit, 'Url') || hit.Id;
  const link = safeLink(fieldText(hit, 'Url'));
  const href = link === undefined ? '' : attribute('href', link);
  const hook = hooks(prefixes, { result: 'searchresult', index: hit.ResultIndex, url: link ?? '', title });
  const text = template?.toLowerCase() === COMPACT ? '' : excerpt(hit);
  return `<li><a${href}${hook}>${highlightOf(hit, 'Title') ?? escapeHtml(title)}</a>${text}</li>`;
}

function excerpt(hit: Hit): string {
  return paragraph('search_result_text', matchedPlaces(hit)) + paragraph('search_result_url', shownUrl(hit));
}

function paragraph(name: string, html: string): string {
  return html === '' ? '' : `<p class="${name}">${html}</p>`;
}

/** The matched places, else the beginning of what describes the document. HTML. */
function matchedPlaces(hit: Hit): string {
  const marked = highlightOf(hit, 'Description') ?? highlightOf(hit, 'Content');
  return marked ?? escapeHtml(shortened(fieldText(hit, 'Description') || fieldText(hit, 'Content')));
}

function shownUrl(hit: Hit): string {
  return escapeHtml(safeLink(fieldText(hit, 'Url')) ?? '');
}

function fieldText({ Fields }: Hit, name: string): string {
  return Object.hasOwn(Fields, name) ? (Fields[name]?.Value ?? '') : '';
}

/** HTML already: escaped text with the tags around its matches. */
function highlightOf({ Highlight }: Hit, name: string): string | undefined {
  return Object.hasOwn(Highlight, name) ? Highlight[name] : undefined;
}

/** Cut at a blank where there is one, never inside a character. */
function shortened(text: string): string {
  const chars = [...text.slice(0, 2 * EXCERPT_CHARS + 2)];
  if (chars.length <= EXCERPT_CHARS) return text;
  const start = chars.slice(0, EXCERPT_CHARS).join('');
  const blank = start.lastIndexOf(' ');
  return `${blank < SHORTEST_CUT ? start : start.slice(0, blank)}…`;
}

export type FacetStyle = {
  readonly language: string;
  /** Values that the request narrows a facet to. */
  isSelected(facet: Facet, key: string): boolean;
  /** Whether several values of a facet may be chosen together. */
  allowsSeveral(facet: Facet): boolean;
};

type Facets = Readonly<Record<string, Facet>>;

/** Every facet that has values as a heading and a list. Contract: 2.11. */
export function facetLists(facets: Facets, style: FacetStyle): string {
  return Object.values(facets)
    .filter(({ Items }) => Items.length > 0)
    .map((facet) => facetSection(facet, style))
    .join('');
}

function facetSection(facet: Facet, style: FacetStyle): string {
  const { all } = labelsOf(style.language);
  const isCleared = facet.Items.every(({ Key }) => !style.isSelected(facet, Key));
  const clear = `<li>${facetLink(facet, { value: 'null', isSelected: isCleared, style })}${escapeHtml(all)}</a></li>`;
  const heading = `<h3 class="search_facet_name">${escapeHtml(facet.FieldName)}</h3>`;
  return `<div class="search_facet">${heading}<ul class="search_facet_list">${clear}${facetItems(facet, style)}</ul></div>`;
}

function facetItems(facet: Facet, style: FacetStyle): string {
  const items = facet.Items.map(({ Key, Count, Facets }) => {
    const link = facetLink(facet, { value: Key, isSelected: style.isSelected(facet, Key), style });
    const inner = facetLists(Facets, style);
    return `<li>${link}${escapeHtml(Key)} <span class="search_facet_count">${Count}</span></a>${inner}</li>`;
  });
  return items.join('');
}

type FacetLink = { readonly value: string; readonly isSelected: boolean; readonly style: FacetStyle };

/** The start tag. The facet goes by its field, which requests take for `facets` and `postFilters` alike. */
function facetLink(facet: Facet, { value, isSelected, style }: FacetLink): string {
  const several = style.allowsSeveral(facet) ? ' data-multifacet' : '';
  const selected = isSelected ? attribute('aria-current', 'true') : '';
  return `<a${attribute('data-facet-name', facet.Field)}${attribute('data-facet', value)}${several} href="#"${selected}>`;
}

/** Page numbers shown at once. */
const WINDOW = 10;

export type Pages = {
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
  readonly language: string;
};

/** The pages around the present one, with `prev` and `next`; `''` for a single page. Contract: 2.11. */
function pageList({ page, pageCount, language }: Pages): string {
  if (pageCount <= 1) return '';
  const { next, previous } = labelsOf(language);
  const size = Math.min(WINDOW, pageCount);
  const first = Math.min(Math.max(1, page - WINDOW / 2), pageCount - size + 1);
  const numbers = Array.from({ length: size }, (_, index) => first + index);
  const items = [
    ...(page > 1 ? [pageItem('prev', previous)] : []),
    ...numbers.map((number) => pageItem(number, String(number), number === page)),
    ...(page < pageCount ? [pageItem('next', next)] : []),
  ];
  return `<ul class="search_page_list">${items.join('')}</ul>`;
}

function pageItem(value: number | 'prev' | 'next', label: string, isCurrent = false): string {
  const current = isCurrent ? attribute('aria-current', 'page') : '';
  return `<li><a${attribute('data-page', value)} href="#"${current}>${escapeHtml(label)}</a></li>`;
}

/** How the HTML of one answer is written. */
export type HtmlStyle = {
  /** cfg `HTML_HOOK_PREFIX`: every hook comes once per prefix. */
  readonly prefixes: readonly string[];
  /** Language of the few words that are not the documents', ISO 639-1. */
  readonly language: string;
  /** Name of the template as sent; an unknown one is the default. Contract: 2.1. */
  readonly template: string | undefined;
};

/** ` name="value"` with the value escaped. */
export function attribute(name: string, value: string | number): string {
  return ` ${name}="${escapeHtml(String(value))}"`;
}

/** Attributes that front ends look for, each once per prefix. Contract: 2.11. */
export function hooks(prefixes: readonly string[], values: Readonly<Record<string, string | number>>): string {
  return prefixes
    .flatMap((prefix) => Object.entries(values).map(([name, value]) => attribute(`${prefix}-${name}`, value)))
    .join('');
}

/** The address when a browser would follow it over http or https, or within the page's own site; else undefined. */
export function safeLink(address: string): string | undefined {
  // Browsers drop blanks and control characters as this parser does, so `java\nscript:` is seen as what it is.
  const url = URL.parse(address, 'https://relative.invalid/');
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && address.trim() !== '' ? address : undefined;
}

type Labels = { readonly all: string; readonly next: string; readonly previous: string };

const ENGLISH: Labels = { all: 'All', next: 'Next', previous: 'Previous' };

/** By primary language subtag; every other language reads English. */
const LABELS: ReadonlyMap<string, Labels> = new Map([
  ['da', { all: 'Alle', next: 'Næste', previous: 'Forrige' }],
  ['de', { all: 'Alle', next: 'Weiter', previous: 'Zurück' }],
  ['en', ENGLISH],
  ['es', { all: 'Todo', next: 'Siguiente', previous: 'Anterior' }],
  ['fi', { all: 'Kaikki', next: 'Seuraava', previous: 'Edellinen' }],
  ['fr', { all: 'Tout', next: 'Suivant', previous: 'Précédent' }],
  ['it', { all: 'Tutti', next: 'Avanti', previous: 'Indietro' }],
  ['nb', { all: 'Alle', next: 'Neste', previous: 'Forrige' }],
  ['nl', { all: 'Alle', next: 'Volgende', previous: 'Vorige' }],
  ['no', { all: 'Alle', next: 'Neste', previous: 'Forrige' }],
  ['pl', { all: 'Wszystkie', next: 'Następna', previous: 'Poprzednia' }],
  ['pt', { all: 'Todos', next: 'Seguinte', previous: 'Anterior' }],
  ['sv', { all: 'Alla', next: 'Nästa', previous: 'Föregående' }],
]);

/** The words of the list of pages and of facets. */
function labelsOf(language: string): Labels {
  return LABELS.get(language.toLowerCase().split('-', 1)[0] ?? '') ?? ENGLISH;
}
