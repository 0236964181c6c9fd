import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { invalidRequest } from '../core/errors.ts';
import { normalQuery } from '../core/normal-query.ts';
import type { Engine } from '../core/records.ts';
import { type Completion, typedWords } from '../search-index/completions.ts';
import type { MatchNode, QueryPlan, RelevanceSettings, TopHitsRequest } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import type { FacetCounts, Hits, SearchIndex } from '../search-index/search-index.ts';
import type { PopularQuery } from '../storage/system/popular-queries.ts';
import type { PopularQueries } from './popular-queries.ts';
import type { FilterEntry } from './query/filter-grammar.ts';
import { disabledFieldProblems, planQuery, type SearchRequest } from './query/plan-query.ts';
import { createQueryReader, selectionOf } from './query/read-query.ts';
import { readHits, type SearchHit, type TopValueHits } from './read-hits.ts';
import { type RunQuery, runQuery } from './run-query.ts';
import type { SearchDeps } from './search.ts';
import {
  type CorrectedWord,
  likeliestWords,
  matchOfCorrected,
  matchOfTyped,
  type TypedText,
  writtenContinuations,
} from './typed-match.ts';

export type AutocompleteDeps = SuggestDeps &
  Pick<SearchDeps, 'searchIndex' | 'readDocuments' | 'clock' | 'queryIds' | 'tools'>;

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
  const suggested = isTitles ? await suggestTitles(deps, wanted) : await suggestTextsOrTitles(deps, wanted);
  const found = await findTyped(deps, wanted, { scope: 'anywhere', ...suggested });
  // Where documents have the words as they are typed, nothing is misspelt.
  const isMisread = suggested.isCorrected && found.total > 0 && !found.isCorrected;
  return {
    queryId: deps.queryIds.make({ customerId: engine.customerId, engineId: engine.id, counted: false }),
    responseTimeMs: deps.clock.now() - startedAt,
    totalResults: found.total,
    results: found.hits,
    facets: found.facets,
    topHits: found.topHits,
    suggestions: isMisread ? [] : suggested.suggestions,
    totalSuggestions: isMisread ? 0 : suggested.totalSuggestions,
  };
}

/** Distinct titles; documents with the same title count each. */
async function suggestTitles(deps: AutocompleteDeps, { engine, request, signal }: AutocompleteInput) {
  const { query, limit } = request;
  const completions = await deps.searchIndex.completions(engine.id, query, { limit, except: [] });
  const corrected = completions.fuzzy;
  const continuations = likeliestWords(completions.continuations, []);
  const wider = { engine, signal, request: { ...request, limit: 2 * limit, topHits: [] } };
  const { hits, total, isCorrected } = await findTyped(deps, wider, { scope: 'title', corrected, continuations });
  const titles = new Set(hits.map(({ fields }) => fields.find(({ name }) => name === 'Title')?.values[0] ?? ''));
  titles.delete('');
  return { suggestions: [...titles].slice(0, limit), totalSuggestions: total, isCorrected, corrected, continuations };
}

/** While the first completions are being made: committed queries, and titles with the typed words as a search finds them. */
async function suggestTextsOrTitles(deps: AutocompleteDeps, input: AutocompleteInput): Promise<Suggested> {
  const texts = await suggestTexts(deps, input);
  if (!texts.isPending) return texts;
  const titles = await suggestTitles(deps, input);
  const known = new Set(texts.suggestions.map(normalQuery));
  const more = titles.suggestions.filter((title) => !known.has(normalQuery(title)));
  return {
    ...texts,
    suggestions: [...texts.suggestions, ...more].slice(0, input.request.limit),
    totalSuggestions: texts.totalSuggestions + titles.totalSuggestions,
  };
}

/** Not kept: too many texts are typed to keep them all. */
const searchNow: typeof cachedSearch = (searchIndex, { engineId, plan, signal }) =>
  searchIndex.search(engineId, plan, signal);

type How = Pick<TypedText, 'scope' | 'continuations'> & { readonly corrected: CorrectedWord | undefined };

/** Texts of so many characters are searched for when no document has them as they are typed. */
const SEARCHED_CHARS = 4;

/**
 * The documents with the typed words, a misspelt one put right when there are none; when there is still none, those
 * that a search for the text under OR would find.
 */
async function findTyped(deps: AutocompleteDeps, input: AutocompleteInput, { scope, corrected, continuations }: How) {
  const { engine, signal } = input;
  const request = searchRequest(input.request, input.request.limit);
  const removed = (await deps.tools.of(engine.customerId)).hiddenOf(engine.id);
  const planOf = (match: MatchNode) => ({
    ...planQuery({
      request,
      engine,
      fields: [],
      placement: { pins: [], removed },
      now: deps.clock.now(),
      match,
    }),
    weights: AUTOCOMPLETE_WEIGHTS,
  });
  const typed = { text: input.request.query, language: engine.language, scope, continuations };
  let plan = planOf(matchOfTyped(typed));
  const find = input.request.query.trim().length <= CACHED_CHARS ? cachedSearch : searchNow;
  let found = await find(deps.searchIndex, { engineId: engine.id, plan, signal });
  const written = continuations.length === 0 ? writtenContinuations(typed.text, found) : [];
  if (written.length > 0) {
    plan = planOf(matchOfTyped({ ...typed, continuations: written }));
    found = await find(deps.searchIndex, { engineId: engine.id, plan, signal });
  }
  const isCorrected = found.total === 0 && corrected !== undefined;
  if (isCorrected) {
    plan = planOf(matchOfCorrected(typed, corrected));
    found = await find(deps.searchIndex, { engineId: engine.id, plan, signal });
  }
  if (found.total === 0 && scope === 'anywhere' && typed.text.trim().length >= SEARCHED_CHARS) {
    ({ plan, found } = await searchTyped(deps, input, planOf));
  }
  const read = readHits(deps, { engine, request, plan, found });
  return {
    hits: await Array.fromAsync(read.hits),
    topHits: await collected(read.topHits),
    total: found.total,
    facets: found.facets,
    isCorrected,
  };
}

/**
 * A search under OR, whatever the engine's operator: for all words that any document has as long as one has them all, else
 * for the rarest.
 */
async function searchTyped(
  deps: AutocompleteDeps,
  { engine, request, signal }: AutocompleteInput,
  planOf: (match: MatchNode) => QueryPlan,
): Promise<Pick<RunQuery, 'plan' | 'found'>> {
  const read = await createQueryReader(deps, { engine, fields: [] });
  return runQuery(deps, {
    engineId: engine.id,
    text: request.query,
    operator: 'OR',
    dropWordsBelow: 1,
    read,
    toPlan: (query) => planOf(selectionOf(query)),
    signal,
  });
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
    sections: 0,
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

/** Those of a search, with as many hits reranked as a visitor may look at while typing. */
const AUTOCOMPLETE_WEIGHTS: RelevanceSettings = { ...DEFAULT_RELEVANCE, window: 20 };

type SuggestDeps = {
  readonly searchIndex: Pick<SearchIndex, 'completions'>;
  readonly popularQueries: PopularQueries;
};

type SuggestInput = { readonly engine: Engine; readonly request: { readonly query: string; readonly limit: number } };

export type Suggested = {
  readonly suggestions: readonly string[];
  readonly totalSuggestions: number;
  /** They are for a text with one word put right. */
  readonly isCorrected: boolean;
  /** The word that a typo was looked for in. */
  readonly corrected: CorrectedWord | undefined;
  /** Words that the last one may become, likeliest first. */
  readonly continuations: readonly string[];
  /** Titles and headings are not among them yet. */
  readonly isPending?: boolean;
};

/** What a query of visitors weighs against a title or heading (search-engine design 14.5). */
const QUERY_WEIGHT = 3;

/**
 * Completions of mode `suggestions`: committed queries that had results, titles and headings, and their words; those
 * with a typo only when there is no other. Contract: 3.
 */
async function suggestTexts(deps: SuggestDeps, { engine, request }: SuggestInput): Promise<Suggested> {
  const { query, limit } = request;
  const typed = typedWords(query);
  const known = await queryCompletionsOf(await deps.popularQueries(engine.id));
  const queries = completingQueries(known, typed);
  const complete = (own: readonly QueryCompletion[]) =>
    deps.searchIndex.completions(engine.id, query, { limit, except: own.map(({ text }) => text) });
  const exact = await complete(queries);
  const fuzzy = exact.fuzzy;
  const total = queries.length + exact.total;
  const continuations = likeliestWords(exact.continuations, queriedWords(queries, typed));
  if (fuzzy === undefined || total > 0) {
    const suggestions = merge(queries, exact.items).slice(0, limit);
    const isPending = exact.isPending === true;
    return { suggestions, totalSuggestions: total, isCorrected: false, corrected: fuzzy, continuations, isPending };
  }
  const meant = fuzzy.forms.map((form) => typed.map((word) => (word === fuzzy.word ? form : word)));
  const found = [...new Set(meant.flatMap((words) => completingQueries(known, words)))];
  const { corrected, correctedTotal } = found.length === 0 ? exact : await complete(found);
  return {
    suggestions: merge(found, corrected).slice(0, limit),
    totalSuggestions: found.length + correctedTotal,
    isCorrected: true,
    corrected: fuzzy,
    continuations,
  };
}

/** What the last typed word becomes in queries that it completes to. */
function queriedWords(queries: readonly QueryCompletion[], typed: readonly string[]) {
  const last = typed.length - 1;
  return queries.flatMap(({ words, count }) =>
    placesOf(words, typed).map((at) => ({ word: words[at + last] ?? '', weight: QUERY_WEIGHT * Math.log(count) })),
  );
}

/** Best first. */
function merge(queries: readonly QueryCompletion[], completions: readonly Completion[]): readonly string[] {
  const weighted = [
    ...queries.map(({ text, count }) => ({ text, weight: QUERY_WEIGHT * Math.log(count) })),
    ...completions.map(({ text, documents }) => ({ text, weight: Math.log(documents) })),
  ];
  return weighted.sort((a, b) => b.weight - a.weight).map(({ text }) => text);
}

/** A committed query that had results, by its words. */
type QueryCompletion = { readonly text: string; readonly count: number; readonly words: readonly string[] };

/** Queries by the first letters of each of their words. */
export type QueryCompletions = { readonly byStart: ReadonlyMap<string, readonly QueryCompletion[]> };

/** Letters that a look-up starts from. */
const START_CHARS = 2;
/** Queries per turn of the event loop: some 3 ms. */
const STEP = 500;

const made = new WeakMap<readonly PopularQuery[], Promise<QueryCompletions>>();

/** The look-up of a list of queries, made once per list, in steps. Queries not known to have had results are left out. */
export function queryCompletionsOf(queries: readonly PopularQuery[]): Promise<QueryCompletions> {
  const known = made.get(queries) ?? index(queries);
  made.set(queries, known);
  return known;
}

/** Queries in which the typed words stand side by side, the last one as a beginning. Costs the queries of one start. */
export function completingQueries({ byStart }: QueryCompletions, typed: readonly string[]): readonly QueryCompletion[] {
  const first = typed[0] ?? '';
  const start = first.slice(0, START_CHARS);
  // One letter, typed alone, is the beginning of several starts; before other words it is a word.
  const starts =
    first.length < START_CHARS && typed.length === 1
      ? [...byStart.keys()].filter((key) => key.startsWith(first))
      : [start];
  const found = starts.flatMap((key) => byStart.get(key) ?? []);
  return [...new Set(found)].filter(({ words }) => placesOf(words, typed).length > 0);
}

async function index(queries: readonly PopularQuery[]): Promise<QueryCompletions> {
  const byStart = new Map<string, QueryCompletion[]>();
  const keys = new Set<string>();
  for (const [number, { text, count, resultCount = 0 }] of queries.entries()) {
    if (number % STEP === STEP - 1) await yieldToEventLoop();
    if (resultCount === 0) continue;
    const words = typedWords(text);
    // Spellings that differ in accents only are one completion, the most frequent.
    const key = words.join(' ');
    if (keys.has(key)) continue;
    keys.add(key);
    const completion = { text, count, words };
    for (const start of new Set(words.map((word) => word.slice(0, START_CHARS)))) {
      const same = byStart.get(start);
      if (same === undefined) byStart.set(start, [completion]);
      else same.push(completion);
    }
  }
  return { byStart };
}

/** Where in the words the typed ones stand side by side, the last one as a beginning. */
function placesOf(words: readonly string[], typed: readonly string[]): readonly number[] {
  const last = typed.length - 1;
  return [...words.keys()].filter((at) =>
    typed.every((word, i) => (i === last ? (words[at + i] ?? '').startsWith(word) : words[at + i] === word)),
  );
}

type CachedQuery = { readonly engineId: number; readonly plan: QueryPlan; readonly signal: AbortSignal };

/** Answers kept per index, of all engines together; some KB each. */
const KEPT = 1_000;

const cacheByIndex = new WeakMap<object, Map<string, Hits>>();

/** A search whose answer is kept until another generation of its engine is visible: for what everybody types first. */
async function cachedSearch(
  searchIndex: Pick<SearchIndex, 'search' | 'visibleSeq'>,
  { engineId, plan, signal }: CachedQuery,
): Promise<Hits> {
  const cached = cacheByIndex.get(searchIndex) ?? new Map<string, Hits>();
  cacheByIndex.set(searchIndex, cached);
  const key = JSON.stringify([engineId, plan]);
  const known = cached.get(key);
  if (known !== undefined && known.seq === searchIndex.visibleSeq(engineId)) return known;
  const hits = await searchIndex.search(engineId, plan, signal);
  cached.delete(key);
  cached.set(key, hits);
  const [oldest] = cached.keys();
  if (cached.size > KEPT && oldest !== undefined) cached.delete(oldest);
  return hits;
}
