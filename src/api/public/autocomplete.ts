import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { escapeHtml } from '../../core/escape-html.ts';
import { MAX_QUERY_CHARS } from '../../core/normal-query.ts';
import {
  type AutocompleteDeps,
  type AutocompleteRequest,
  type AutocompleteResult,
  autocomplete,
} from '../../search/autocomplete.ts';
import type { SearchHit } from '../../search/read-hits.ts';
import { bind, integer, isObject, members, oneOf, queryPairs, text } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { attribute, facetLists, type HtmlStyle, hooks, resultList } from '../search/html.ts';
import { FACETS, facetsResponse, HIT, type Hit, hitResponse, TOP_HITS, topHitsResponse } from '../search/responses.ts';
import { type ApiVersion, FILTERS, TOP_HITS_FIELDS } from '../search/schemas.ts';

export type AutocompleteRouteDeps = GuardDeps & AutocompleteDeps;

const DEADLINE_MS = 5_000;

/** Fields of a plain result. */
const PLAIN_FIELDS: readonly string[] = ['Title', 'Url', 'Description', 'Image'];

const OBJECT_FORMS = { v3: autocompleteV3, v4: autocompleteV4 } as const;

/** Contract: 3. */
export function autocompleteRoutes(deps: AutocompleteRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'any', rate: 'search' });
    const onRequest = access.check;
    for (const version of ['v3', 'v4'] as const) {
      const path = `/api/${version}/:customerId/:engineId/autocomplete`;
      const answer = async (call: FastifyRequest, reply: FastifyReply, sent: unknown) => {
        const { engine } = access.of(call);
        const { request, form, template } = bind(AUTOCOMPLETE_REQUESTS[version], sent);
        const result = await autocomplete(deps, { engine, request, signal: requestSignal(reply, DEADLINE_MS) });
        if (form === 'texts') return result.suggestions;
        if (form === 'object') return OBJECT_FORMS[version](result);
        const { htmlHookPrefixes: prefixes } = deps.settings;
        return autocompleteHtml(result, { prefixes, language: engine.language, template });
      };
      app.get(path, { onRequest }, async (request, reply) =>
        answer(request, reply, bind(PARAMETERS_AS_BODY, queryPairs(request))),
      );
      app.post(path, { onRequest }, async (request, reply) => answer(request, reply, request.body));
    }
  };
}

const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 50;
const RESPONSE_TYPES = ['JsonObject', 'JsonHtml', 'NotSpecified'] as const;
const BRACKETED = /^filters\[(.+)\]$/i;

/** `text` stands in for `query`. Contract: 3. */
const MEMBERS = {
  query: text({ max: MAX_QUERY_CHARS })
    .refine((query) => query.trim() !== '', 'must not be blank')
    .meta({ pattern: /\S/.source })
    .describe('What was typed; not blank.'),
  results: integer({ min: 1, max: MAX_RESULTS }).default(DEFAULT_RESULTS).describe('Length of each list.'),
  template: text().optional().describe('`compact`: titles only, in HTML.'),
  overlay: text().optional().describe('Another name of `template`.'),
  filters: FILTERS.default([]).describe('As in searches; effective in mode `titles`.'),
  topHitsFields: TOP_HITS_FIELDS.default([]),
};

export type AutocompleteForm = 'texts' | 'object' | 'html';

/** What an autocomplete call says, and the form of its answer. */
export type BoundAutocomplete = {
  readonly request: AutocompleteRequest;
  readonly form: AutocompleteForm;
  /** `overlay`, else `template`: a named form of `JsonHtml`. */
  readonly template: string | undefined;
};

const RESPONSE_TYPE = oneOf(RESPONSE_TYPES).default('NotSpecified');

/** v3 takes an unknown response type for `NotSpecified`, which is `JsonObject` on v4. Contract: 2.7, 3. */
export const AUTOCOMPLETE_REQUESTS: Readonly<Record<ApiVersion, z.ZodType<BoundAutocomplete>>> = {
  v3: members({ ...MEMBERS, responseType: RESPONSE_TYPE.catch('NotSpecified') }, { text: 'query' }).transform((sent) =>
    boundOf(sent, sent.responseType === 'NotSpecified' ? 'texts' : 'object'),
  ),
  v4: members({ ...MEMBERS, responseType: RESPONSE_TYPE }, { text: 'query' }).transform((sent) =>
    boundOf(sent, 'object'),
  ),
};

/** The same in a query string. */
export const AUTOCOMPLETE_QUERY = z.object({
  ...MEMBERS,
  filters: FILTERS.default([]).describe('JSON text; or `filters[Category]=News`, once per value.'),
  responseType: RESPONSE_TYPE,
  languages: text().optional().describe('A value of the field `Language` to filter by; may be repeated.'),
});

type Sent = {
  readonly query: string;
  readonly results: number;
  readonly filters: AutocompleteRequest['filters'];
  readonly topHitsFields: AutocompleteRequest['topHits'];
  readonly responseType: (typeof RESPONSE_TYPES)[number];
  readonly template?: string | undefined;
  readonly overlay?: string | undefined;
};

function boundOf(sent: Sent, form: 'texts' | 'object'): BoundAutocomplete {
  const { query, results, filters, topHitsFields, responseType, template, overlay } = sent;
  return {
    request: { query, filters, limit: results, topHits: topHitsFields },
    form: responseType === 'JsonHtml' ? 'html' : form,
    template: overlay ?? template,
  };
}

/** The parameters of a GET as the body of a POST: JSON texts parsed, `filters[Field]=v` and `languages=en` as filters. */
const PARAMETERS_AS_BODY = z
  .array(z.tuple([z.string(), z.string()]))
  .readonly()
  .transform((pairs, context): Readonly<Record<string, unknown>> => {
    const parsed = pairs.map(([name, value]): [string, unknown] => {
      const member = name.toLowerCase();
      return [member, member === 'filters' || member === 'tophitsfields' ? parseText(name, value, context) : value];
    });
    const sent = Object.fromEntries(parsed);
    const listed = listedFilters(pairs);
    if (listed.length === 0) return sent;
    const filters = isObject(sent['filters']) ? Object.entries(sent['filters']) : [];
    return { ...sent, filters: Object.fromEntries([...filters, ...listed]) };
  });

function parseText(name: string, value: string, context: z.core.$RefinementCtx): unknown {
  try {
    return JSON.parse(value);
  } catch {
    context.issues.push({ code: 'custom', input: value, message: 'must be JSON text', path: [name] });
    return undefined;
  }
}

/** Field → values, repeated parameters of one field together. */
function listedFilters(pairs: readonly (readonly [string, string])[]): readonly [string, string[]][] {
  const valuesByField = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const field = name.toLowerCase() === 'languages' ? 'Language' : BRACKETED.exec(name)?.[1];
    if (field !== undefined) valuesByField.set(field, [...(valuesByField.get(field) ?? []), value]);
  }
  return [...valuesByField];
}

const AUTOCOMPLETE_V4 = z
  .object({
    queryId: z.string(),
    totalResults: z.int(),
    totalSuggestions: z.int(),
    results: z.array(z.object({ id: z.string(), fields: z.record(z.string(), z.string()) })),
    suggestions: z.array(z.string()),
    topHits: TOP_HITS,
    facets: FACETS,
    responseTime: z.number().describe('Milliseconds.'),
  })
  .meta({ id: 'AutocompleteAnswer' });
type AutocompleteV4 = Shown<typeof AUTOCOMPLETE_V4>;

const HEAD_V3 = { QueryId: z.string(), ResponseTime: z.number(), TotalResults: z.int(), TotalSuggestions: z.int() };
const AUTOCOMPLETE_V3 = z
  .object({ ...HEAD_V3, Facets: FACETS, Results: z.array(HIT), Suggestions: z.array(HIT), TopHits: TOP_HITS })
  .meta({ id: 'AutocompleteAnswerV3' });
type AutocompleteV3 = Shown<typeof AUTOCOMPLETE_V3>;

const AUTOCOMPLETE_HTML = z
  .object({ ...HEAD_V3, Facets: z.string(), SearchResult: z.string() })
  .meta({ id: 'AutocompleteAnswerAsHtml' });
type AutocompleteHtml = Shown<typeof AUTOCOMPLETE_HTML>;

/** Answers by version of the path, the usual one first. Contract: 3. */
export const AUTOCOMPLETE_RESPONSES = {
  v3: z.union([z.array(z.string()), AUTOCOMPLETE_V3, AUTOCOMPLETE_HTML]),
  v4: z.union([AUTOCOMPLETE_V4, AUTOCOMPLETE_HTML]),
} as const;

/** `JsonObject` on v4. Contract: 3. */
function autocompleteV4(result: AutocompleteResult): AutocompleteV4 {
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
function autocompleteV3(result: AutocompleteResult): AutocompleteV3 {
  return {
    ...head(result),
    Facets: facetsResponse(result.facets),
    Results: result.results.map(hitResponse),
    Suggestions: result.suggestions.map(suggestionHit),
    TopHits: result.topHits.map(topHitsResponse),
  };
}

/** `JsonHtml` on both versions: suggestions, then results. Contract: 3. */
function autocompleteHtml(result: AutocompleteResult, style: HtmlStyle): AutocompleteHtml {
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
