import type { Clock } from '../core/clock.ts';
import { AppError, invalidRequest, type Problem } from '../core/errors.ts';
import type { QueryIdOwner } from '../core/query-id.ts';
import type { Engine } from '../core/records.ts';
import { type PlanPart, totalCost } from '../search-index/query-plan.ts';
import type { FacetCounts, Hits, SearchIndex } from '../search-index/search-index.ts';
import {
  type CustomerTools,
  type Placement,
  placementOf,
  type ShownQuicklink,
  shownBanners,
  shownQuicklinks,
} from '../search-tools/tool-snapshot.ts';
import { disabledFieldProblems, operatorOf, planQuery, type SearchRequest, usesFields } from './query/plan-query.ts';
import { createQueryReader, matchesEverything, type QueryReader, selectionOf } from './query/read-query.ts';
import { type HitsOfSearch, type ReadDocuments, readHits, type SearchHit } from './read-hits.ts';
import { type RunQuery, runQuery } from './run-query.ts';
import {
  findRelatedSearches,
  findSuggestions,
  type RelatedDeps,
  type RelatedSearch,
  type SuggestionDeps,
} from './suggestions.ts';
import { knownExpansions } from './synonyms.ts';

/** Half of what the query weighs (answers design 5, start value). */
const DEFAULT_AI_MIN_SCORE = 0.5;

const NS_PER_MS = 1_000_000;

export type SearchDeps = ToolDeps &
  WordDeps & {
    readonly searchIndex: SearchIndex;
    readonly readDocuments: ReadDocuments;
    /** `counted` false: what is logged under the id is left out of statistics. */
    readonly queryIds: { make(call: QueryIdOwner & { readonly counted: boolean }): string };
    /** cfg `MAX_RESULT_WINDOW`: the largest `page * perPage`. */
    readonly maxResultWindow: number;
    /** cfg `MAX_SEARCH_COST`; 0 = any. */
    readonly maxSearchCostMs: number;
  };

export type SearchInput = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  readonly signal: AbortSignal;
};

export type SearchResult = Pick<AppliedTools, 'banners' | 'quicklinks'> &
  WordsAround &
  /** The page and the top hits, whose documents are read as they are asked for. */
  HitsOfSearch<AsyncIterable<SearchHit>> & {
    readonly queryId: string;
    readonly responseTimeMs: number;
    /** The corrected query that was run; `''` = the one that was sent. */
    readonly fixedQuery: string;
    /** Exact, after all filters and post-filters. */
    readonly total: number;
    readonly facets: readonly FacetCounts[];
    readonly ranges: Hits['ranges'];
    readonly generativeAnswerAvailable: boolean;
    /** Estimated processor time of finding and writing the results, in milliseconds. */
    readonly costMs: number;
  };

/**
 * Runs a search: words and filters to a plan, the plan to ranked rows, the rows to hits with their fields. A row
 * deleted between index and store gives way to the next hit. Contract: 2.
 *
 * @throws AppError `request.invalid` for a page behind the result window or, in strict mode, a field not enabled;
 *   `search.too-costly`
 */
export async function search(deps: SearchDeps, { engine, request, signal }: SearchInput): Promise<SearchResult> {
  const startedAt = deps.clock.now();
  const { banners, quicklinks, ...ran } = await findHits(deps, { engine, request, signal });
  const { fixedQuery, plan, found } = ran.run;
  const words = await findWordsAround(deps, { engine, request, signal, ...ran });
  return {
    queryId: deps.queryIds.make({ customerId: engine.customerId, engineId: engine.id, counted: request.counted }),
    responseTimeMs: deps.clock.now() - startedAt,
    fixedQuery,
    total: found.total,
    ...readHits(deps, { engine, request, plan, found }),
    facets: found.facets,
    ranges: found.ranges,
    banners,
    quicklinks,
    ...words,
    generativeAnswerAvailable: canAnswer(engine, request, found),
    costMs: found.cost === undefined ? 0 : totalCost(found.cost) / NS_PER_MS,
  };
}

export type FindHitsDeps = ToolDeps & Pick<SearchDeps, 'searchIndex' | 'maxResultWindow' | 'maxSearchCostMs'>;

/** What a search finds, before any document is read. */
export type FoundHits = Omit<AppliedTools, keyof Placement> & Pick<WordsInput, 'run' | 'read' | 'operator'>;

/**
 * The part of a search that reads no document: tools, words and filters to a plan, and its ranked rows.
 * @throws AppError as `search`
 */
export async function findHits(deps: FindHitsDeps, { engine, request, signal }: SearchInput): Promise<FoundHits> {
  const now = deps.clock.now();
  checkRequest(request, engine, deps.maxResultWindow);
  const { banners, quicklinks, hidden, ...placement } = await applyTools(deps, { engine, request });
  const fields = usesFields(request) ? await deps.searchIndex.fields(engine.id) : [];
  const read = await createQueryReader(deps, { engine, fields });
  const words = operatorOf(request, engine);
  const run = await runQuery(deps, {
    engineId: engine.id,
    text: request.query,
    ...words,
    read,
    toPlan: (query) => ({
      ...planQuery({ request, engine, fields, match: selectionOf(query), placement, now }),
      output: { fields: request.fields, highlight: request.highlight },
      budgetNs: budgetOf(deps.maxSearchCostMs),
    }),
    signal,
  }).catch((error: unknown) => Promise.reject(memberName(error, request)));
  return { banners, quicklinks, hidden, run, read, operator: words.operator };
}

function budgetOf(maxSearchCostMs: number): number {
  return maxSearchCostMs === 0 ? Number.POSITIVE_INFINITY : maxSearchCostMs * NS_PER_MS;
}

/** A refusal for its cost says which member of the request costs most. Contract: 1.9. */
function memberName(error: unknown, request: SearchRequest): unknown {
  const part = error instanceof AppError && error.code === 'search.too-costly' ? error.options.details?.['part'] : '';
  if (typeof part !== 'string' || part === '') return error;
  const path = memberOf(part as PlanPart, request);
  const message = `"${path}" makes the search cost too much: ask for less of it, or for less beside it`;
  return new AppError('search.too-costly', message, { problems: [{ path, message }], cause: error });
}

function memberOf(part: PlanPart, { filters, advancedPostFilter, postFilters }: SearchRequest): string {
  if (part === 'filter') return filters.length > 0 ? 'filters' : 'notFilters';
  if (part !== 'postFilter') return MEMBERS[part];
  if (advancedPostFilter !== undefined) return 'advancedPostFilter';
  return postFilters.length > 0 ? 'postFilters' : 'facets';
}

const MEMBERS = {
  match: 'query',
  boosts: 'valueBoost',
  facets: 'facets',
  ranges: 'rangeFacets',
  topHits: 'topHitsFields',
  sort: 'sort',
  hits: 'perPage',
} as const satisfies Record<Exclude<PlanPart, 'filter' | 'postFilter'>, string>;

function checkRequest(request: SearchRequest, engine: Engine, maxResultWindow: number): void {
  const problems: Problem[] = [...disabledFieldProblems(request, engine)];
  if (request.page * (request.perPage ?? engine.settings.perPage) > maxResultWindow) {
    const cap = maxResultWindow.toLocaleString('en');
    problems.push({ path: 'page', message: `"page" times "perPage" may be at most ${cap}` });
  }
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Contract 2.6, `GenerativeAnswerAvailable`: the best hit, on whatever page, covers enough of the query. */
function canAnswer({ settings }: Engine, { query }: SearchRequest, { total, bestCoverage }: Hits): boolean {
  if (!settings.aiEnabled || !settings.features.includes('AiChat') || matchesEverything(query)) return false;
  return total > 0 && bestCoverage >= (settings.aiMinScore ?? DEFAULT_AI_MIN_SCORE);
}

export type ToolDeps = {
  readonly tools: { of(customerId: number): Promise<CustomerTools> };
  readonly sanitizeHtml: (html: string) => string;
  readonly clock: Clock;
};

export type ShownBanner = {
  readonly id: number;
  readonly name: string;
  readonly html: string;
  readonly engineId: number;
};

/** What the editors of an engine want shown with a search. */
type AppliedTools = Placement & {
  /** Ids of documents that no visitor is shown; of `removed`, too. */
  readonly hidden: readonly string[];
  readonly banners: readonly ShownBanner[];
  readonly quicklinks: readonly ShownQuicklink[];
};

/** The tools that a query calls up, from memory; banners are sanitised here, whatever was stored. Contract: 2.10. */
async function applyTools(
  { tools, sanitizeHtml, clock }: ToolDeps,
  { engine, request }: { readonly engine: Engine; readonly request: SearchRequest },
): Promise<AppliedTools> {
  const { query, traits } = request;
  const own = await tools.of(engine.customerId);
  const toolQuery = { engineId: engine.id, query, traits };
  const htmlOf = engine.settings.rawBannerHtml ? (html: string) => html : sanitizeHtml;
  return {
    ...placementOf(own, toolQuery),
    hidden: own.hiddenOf(engine.id),
    banners: shownBanners(own, toolQuery, clock.now()).map(({ id, name, html, engineId }) => ({
      id,
      name,
      engineId,
      html: htmlOf(html),
    })),
    quicklinks: shownQuicklinks(own, toolQuery),
  };
}

export type WordDeps = SuggestionDeps & RelatedDeps;

export type WordsInput = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  readonly run: RunQuery;
  readonly read: QueryReader;
  readonly operator: 'AND' | 'OR';
  readonly hidden: readonly string[];
  readonly signal: AbortSignal;
};

/** What a response says beside the results. */
type WordsAround = {
  /** Synonyms that took part and that documents have. */
  readonly synonyms: readonly string[];
  readonly suggestions: readonly string[];
  /** Empty unless asked for. */
  readonly relatedSearches: readonly RelatedSearch[];
};

/** Synonyms, suggestions and related searches of a query that was run. Contract: 2.6, 2.9. */
async function findWordsAround(deps: WordDeps, input: WordsInput): Promise<WordsAround> {
  const { engine, request, run, read, operator, hidden, signal } = input;
  if (matchesEverything(request.query)) return { synonyms: [], suggestions: [], relatedSearches: [] };
  const { query, found } = run;
  const related = { engine, query, except: [request.query], read, operator, hidden, signal };
  const neighbours = deps.queryNeighbours.ready(engine);
  return {
    synonyms: await knownExpansions(deps, engine.id, query.expansions),
    suggestions: await findSuggestions(deps, { ...related, total: found.total, neighbours }),
    relatedSearches: request.enableRelatedSearches ? await findRelatedSearches(deps, related) : [],
  };
}
