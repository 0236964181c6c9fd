import { invalidRequest } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import type { TopHitsRequest } from '../search-index/query-plan.ts';
import type { FacetCounts } from '../search-index/search-index.ts';
import { AUTOCOMPLETE_WEIGHTS, type CorrectedWord, matchOfTyped, type TypedText } from './autocomplete-plan.ts';
import { type SuggestDeps, suggestTexts } from './autocomplete-suggestions.ts';
import { cachedSearch } from './cached-search.ts';
import { disabledFieldProblems } from './enabled-fields.ts';
import type { FilterEntry } from './filter-grammar.ts';
import { planQuery } from './plan-query.ts';
import { readHits, type SearchHit, type TopValueHits } from './read-hits.ts';
import type { SearchDeps } from './search.ts';
import type { SearchRequest } from './search-request.ts';

export type AutocompleteDeps = SuggestDeps & Pick<SearchDeps, 'searchIndex' | 'readDocuments' | 'clock' | 'queryIds'>;

/** An autocomplete call as the edge has read it. Contract: 3. */
export type AutocompleteRequest = {
  /** Not blank. */
  readonly query: string;
  /** Of each list. */
  readonly limit: number;
  readonly filters: readonly FilterEntry[];
  readonly topHits: readonly TopHitsRequest[];
};

export type AutocompleteResult = {
  readonly queryId: string;
  readonly responseTimeMs: number;
  /** Documents found, and all completions. */
  readonly totalResults: number;
  readonly totalSuggestions: number;
  readonly results: readonly SearchHit[];
  readonly suggestions: readonly string[];
  readonly facets: readonly FacetCounts[];
  readonly topHits: readonly TopValueHits<readonly SearchHit[]>[];
};

export type AutocompleteInput = {
  readonly engine: Engine;
  readonly request: AutocompleteRequest;
  readonly signal: AbortSignal;
};

/** Texts up to this length have the most matches and are typed by everybody. */
const CACHED_CHARS = 3;

/** Fields of a result, those that the document has. */
const SHOWN_FIELDS = ['Title', 'Url', 'Description', 'Image', '_type'] as const;

/**
 * Completes a typed text, and finds the best documents for it: never a search in the statistics. In mode `titles` the
 * completions are titles of documents, and filters act on both lists. Contract: 3.
 *
 * @throws AppError `request.invalid` in strict mode, for a filter on a field that is not enabled
 */
export async function autocomplete(deps: AutocompleteDeps, input: AutocompleteInput): Promise<AutocompleteResult> {
  const startedAt = deps.clock.now();
  const { engine, request } = input;
  const problems = disabledFieldProblems(searchRequest(request, request.limit), engine);
  if (problems.length > 0) throw invalidRequest(problems);
  const isTitles = engine.settings.autocompleteMode === 'titles';
  const wanted = isTitles ? input : { ...input, request: { ...request, filters: [] } };
  const { corrected, ...suggested } = isTitles ? await suggestTitles(deps, wanted) : await suggestTexts(deps, wanted);
  const found = await findTyped(deps, wanted, { scope: 'anywhere', corrected });
  return {
    queryId: deps.queryIds.make({ customerId: engine.customerId, engineId: engine.id, counted: false }),
    responseTimeMs: deps.clock.now() - startedAt,
    totalResults: found.total,
    results: found.hits,
    facets: found.facets,
    topHits: found.topHits,
    ...suggested,
  };
}

/** Distinct titles; documents with the same title count each. */
async function suggestTitles(deps: AutocompleteDeps, { engine, request, signal }: AutocompleteInput) {
  const { query, limit } = request;
  const { fuzzy: corrected } = await deps.searchIndex.completions(engine.id, query, { limit, except: [] });
  const wider = { engine, signal, request: { ...request, limit: 2 * limit, topHits: [] } };
  const { hits, total } = await findTyped(deps, wider, { scope: 'title', corrected });
  const titles = new Set(hits.map(({ fields }) => fields.find(({ name }) => name === 'Title')?.values[0] ?? ''));
  titles.delete('');
  return { suggestions: [...titles].slice(0, limit), totalSuggestions: total, corrected };
}

/** Not kept: too many texts are typed to keep them all. */
const searchNow: typeof cachedSearch = (searchIndex, { engineId, plan, signal }) =>
  searchIndex.search(engineId, plan, signal);

type How = Pick<TypedText, 'scope'> & { readonly corrected: CorrectedWord | undefined };

/** The documents with the typed words, a misspelt one put right when there are too few of them. */
async function findTyped(deps: AutocompleteDeps, input: AutocompleteInput, { scope, corrected }: How) {
  const { engine, signal } = input;
  const request = searchRequest(input.request, input.request.limit);
  const planOf = (text: TypedText, forms?: CorrectedWord) => ({
    ...planQuery({
      request,
      engine,
      fields: [],
      placement: { pins: [], removed: [] },
      now: deps.clock.now(),
      match: matchOfTyped(text, forms),
    }),
    weights: AUTOCOMPLETE_WEIGHTS,
  });
  const text = { text: input.request.query, language: engine.language, scope };
  let plan = planOf(text);
  const find = input.request.query.trim().length <= CACHED_CHARS ? cachedSearch : searchNow;
  let found = await find(deps.searchIndex, { engineId: engine.id, plan, signal });
  if (found.total < input.request.limit && corrected !== undefined) {
    plan = planOf(text, corrected);
    found = await find(deps.searchIndex, { engineId: engine.id, plan, signal });
  }
  const read = readHits(deps, { engine, request, plan, found });
  return {
    hits: await Array.fromAsync(read.hits),
    topHits: await collected(read.topHits),
    total: found.total,
    facets: found.facets,
  };
}

async function collected(
  topHits: readonly TopValueHits<AsyncIterable<SearchHit>>[],
): Promise<readonly TopValueHits<readonly SearchHit[]>[]> {
  const all: TopValueHits<readonly SearchHit[]>[] = [];
  for (const { field, values } of topHits) {
    const read: { value: string; count: number; hits: readonly SearchHit[] }[] = [];
    for (const { value, count, hits } of values) read.push({ value, count, hits: await Array.fromAsync(hits) });
    all.push({ field, values: read });
  }
  return all;
}

/** Autocomplete as a search over all its words. */
function searchRequest({ query, filters, topHits }: AutocompleteRequest, perPage: number): SearchRequest {
  return {
    query,
    filters,
    topHits,
    perPage,
    operator: 'AND',
    page: 1,
    fields: SHOWN_FIELDS,
    highlight: false,
    notFilters: [],
    postFilters: [],
    postFiltersOperator: 'AND',
    advancedPostFilter: undefined,
    enableFacetFiltering: false,
    facets: { kind: 'configured' },
    applyMultiLevelFacets: false,
    rangeFacets: [],
    boosts: [],
    sort: [],
    traits: [],
    counted: false,
    enableRelatedSearches: false,
  };
}
