import { z } from 'zod';
import { MAX_QUERY_CHARS } from '../../core/normal-query.ts';
import type { AutocompleteRequest } from '../../search/autocomplete.ts';
import { integer, isObject, members, oneOf, text } from '../binding.ts';
import { type ApiVersion, FILTERS, TOP_HITS_FIELDS } from '../search/schemas.ts';

const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 50;
const RESPONSE_TYPES = ['JsonObject', 'JsonHtml', 'NotSpecified'] as const;
const BRACKETED = /^filters\[(.+)\]$/i;

/** `text` stands in for `query`. Contract: 3. */
const MEMBERS = {
  query: text({ max: MAX_QUERY_CHARS }).refine((query) => query.trim() !== '', 'must not be blank'),
  results: integer({ min: 1, max: MAX_RESULTS }).default(DEFAULT_RESULTS),
  template: text().optional(),
  overlay: text().optional(),
  filters: FILTERS.default([]),
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
export const AUTOCOMPLETE_PARAMETERS = z
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
