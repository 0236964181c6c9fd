import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { invalidRequest } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import { type Completion, phraseWords, typedWords } from '../search-index/completions.ts';
import type { MatchNode, QueryPlan, RelevanceSettings, TopHitsRequest } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import type { FacetCounts, Hits, SearchIndex } from '../search-index/search-index.ts';
import type { HiddenPages } from '../search-tools/tool-snapshot.ts';
import type { PopularQuery } from '../storage/system/popular-queries.ts';
import { isStopWord } from '../text/stop-words.ts';
import type { FilterEntry } from './filter-grammar.ts';
import { disabledFieldProblems, planQuery, type SearchRequest } from './plan-query.ts';
import type { PopularQueries } from './popular-queries.ts';
import { readHits, type SearchHit, type TopValueHits } from './read-hits.ts';
import type { SearchDeps } from './search.ts';

export type AutocompleteDeps = SuggestDeps &
  Pick<SearchDeps, 'searchIndex' | 'readDocuments' | 'clock' | 'queryIds'> & {
    readonly tools: HiddenPages;
  };

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
  const removed = (await deps.tools.of(engine.customerId)).hiddenOf(engine.id);
  const planOf = (text: TypedText, forms?: CorrectedWord) => ({
    ...planQuery({
      request,
      engine,
      fields: [],
      placement: { pins: [], removed },
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

/** Beginnings up to this length, alone, are looked for in titles only: in texts nearly every document has one. */
const TITLE_ONLY_CHARS = 2;
/**
 * A word of the text scores 0.3 times what one of the title does (search-engine design 14.5): T at 5 and at 0.38. No
 * reranking of the best: it reads positions, and a word that is still being typed has none.
 */
const AUTOCOMPLETE_WEIGHTS: RelevanceSettings = {
  ...DEFAULT_RELEVANCE,
  classWeights: { a: 5, b: 0.38, c: 0.38 },
  window: 0,
};
/** What a beginning that was put right scores, against one as typed. */
const CORRECTED_BOOST = 0.5;

type TypedText = {
  readonly text: string;
  /** Whose stop words are optional. */
  readonly language: string;
  /** `title`: all words in the title. `anywhere`: in any text, a short word that is alone in the title. */
  readonly scope: 'title' | 'anywhere';
};

/** A typed word that may be misspelt, folded, and what it may have been meant for. */
type CorrectedWord = { readonly word: string; readonly forms: readonly string[] };

/** All typed words, the last one as a beginning; `none` when there is none. Contract: 3. */
function matchOfTyped({ text, language, scope }: TypedText, corrected?: CorrectedWord): MatchNode {
  const words = phraseWords(text);
  const last = words.length - 1;
  const title = scope === 'title' ? { field: 'Title' } : {};
  const nodes = words.map(({ surface, folded }, index): MatchNode => {
    const others = corrected?.word === folded ? corrected.forms : [];
    if (index === last) {
      const isShortAlone = last === 0 && folded.length <= TITLE_ONLY_CHARS;
      return beginningOf(folded, others, isShortAlone ? { field: 'Title' } : title);
    }
    const role = scope === 'anywhere' && isStopWord(surface, language) ? 'stop' : 'content';
    const word = (written: string, boost: number): MatchNode => ({
      kind: 'word',
      text: written,
      boost,
      role,
      fuzzy: 'never',
      also: [],
      ...title,
    });
    return anyOf([word(surface, 1), ...others.map((other) => word(other, CORRECTED_BOOST))]);
  });
  return nodes.length === 0 ? { kind: 'none' } : { kind: 'and', of: nodes };
}

function beginningOf(folded: string, others: readonly string[], field: { readonly field?: string }): MatchNode {
  const prefix = (pattern: string, boost: number): MatchNode => ({ kind: 'prefix', pattern, boost, ...field });
  return anyOf([prefix(folded, 1), ...others.map((other) => prefix(other, CORRECTED_BOOST))]);
}

function anyOf(nodes: readonly MatchNode[]): MatchNode {
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined ? only : { kind: 'or', of: nodes };
}

type SuggestDeps = {
  readonly searchIndex: Pick<SearchIndex, 'completions'>;
  readonly popularQueries: PopularQueries;
};

type SuggestInput = { readonly engine: Engine; readonly request: { readonly query: string; readonly limit: number } };

export type Suggested = {
  readonly suggestions: readonly string[];
  readonly totalSuggestions: number;
  /** The word that a typo was looked for in. */
  readonly corrected: CorrectedWord | undefined;
};

/** What a query of visitors weighs against a run of words of titles (search-engine design 14.5). */
const QUERY_WEIGHT = 3;

/**
 * Completions of mode `suggestions`: committed queries that had results, and titles and runs of words of titles and
 * headings; those with a typo last, and only when there are fewer others than wanted. Contract: 3.
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
  const best = merge(queries, exact.items);
  if (fuzzy === undefined || total >= limit) {
    return { suggestions: best.slice(0, limit), totalSuggestions: total, corrected: fuzzy };
  }
  const meant = fuzzy.forms.map((form) => typed.map((word) => (word === fuzzy.word ? form : word)));
  const found = new Set(meant.flatMap((words) => completingQueries(known, words)));
  const correctedQueries = [...found].filter((completion) => !queries.includes(completion));
  const { corrected, correctedTotal } =
    correctedQueries.length === 0 ? exact : await complete([...queries, ...correctedQueries]);
  return {
    suggestions: [...best, ...merge(correctedQueries, corrected)].slice(0, limit),
    totalSuggestions: total + correctedQueries.length + correctedTotal,
    corrected: fuzzy,
  };
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
  return [...new Set(found)].filter(({ words }) => fits(words, typed));
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

function fits(words: readonly string[], typed: readonly string[]): boolean {
  const last = typed.length - 1;
  return words.some((_, at) =>
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
