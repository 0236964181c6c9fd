import type { Clock } from '../core/clock.ts';
import type { DocumentKind, StoredDocument } from '../core/document.ts';
import { invalidRequest, type Problem } from '../core/errors.ts';
import type { QueryIdOwner } from '../core/query-id.ts';
import type { Engine } from '../core/records.ts';
import type { QueryPlan } from '../search-index/query-plan.ts';
import type { FacetCounts, Hits, SearchIndex } from '../search-index/search-index.ts';
import { disabledFieldProblems } from './enabled-fields.ts';
import { highlightField } from './highlight.ts';
import { needsFields, planQuery } from './plan-query.ts';
import { matchesEverything, readQuery } from './read-query.ts';
import { type ReturnedField, returnedFields } from './returned-fields.ts';
import type { SearchRequest } from './search-request.ts';
import { compileSynonyms } from './synonyms.ts';

/** Half of what the query weighs (answers design 5, start value). */
const DEFAULT_AI_MIN_SCORE = 0.5;

export type SearchDeps = {
  readonly searchIndex: SearchIndex;
  /** Documents by row id in the order asked; undefined for rows that are gone. */
  readonly readDocuments: (
    engineId: number,
    rids: readonly number[],
  ) => Promise<readonly (StoredDocument | undefined)[]>;
  readonly clock: Clock;
  /** `counted` false: what is logged under the id is left out of statistics. */
  readonly queryIds: { make(call: QueryIdOwner & { readonly counted: boolean }): string };
  /** cfg `MAX_RESULT_WINDOW`: the largest `page * perPage`. */
  readonly maxResultWindow: number;
};

export type SearchInput = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  readonly signal: AbortSignal;
};

/** A field of a hit with its highlighted fragments; `[]` when highlighting is off or nothing matched. */
export type HitField = ReturnedField & { readonly highlights: readonly string[] };

export type SearchHit = {
  /** 1-based rank over all pages. */
  readonly rank: number;
  readonly id: string;
  readonly crawlerId: number;
  readonly score: number;
  readonly kind: DocumentKind;
  readonly fields: readonly HitField[];
  readonly sortValues: readonly (number | string | undefined)[];
};

export type SearchResult = {
  readonly queryId: string;
  readonly responseTimeMs: number;
  /** Exact, after all filters and post-filters. */
  readonly total: number;
  readonly hits: readonly SearchHit[];
  readonly facets: readonly FacetCounts[];
  readonly ranges: Hits['ranges'];
  readonly generativeAnswerAvailable: boolean;
};

/**
 * Runs a search: words and filters to a plan, the plan to ranked rows, the rows to hits with their fields. A row
 * deleted between index and store gives way to the next hit. Contract: 2.
 *
 * @throws AppError `request.invalid` for a page behind the result window or, in strict mode, a field not enabled.
 */
export async function search(deps: SearchDeps, { engine, request, signal }: SearchInput): Promise<SearchResult> {
  const startedAt = deps.clock.now();
  checkRequest(request, engine, deps.maxResultWindow);
  const fields = needsFields(request) ? await deps.searchIndex.fields(engine.id) : [];
  const operator = request.operator ?? engine.settings.operator;
  const synonyms = compileSynonyms([], []);
  const { match } = readQuery(request.query, { operator, language: engine.language, fields, synonyms });
  const plan = planQuery({ request, engine, fields, match, now: startedAt });
  const found = await deps.searchIndex.search(engine.id, plan, signal);
  const hits = await readHits(deps, { engine, request, plan, found });
  return {
    queryId: deps.queryIds.make({ customerId: engine.customerId, engineId: engine.id, counted: request.counted }),
    responseTimeMs: deps.clock.now() - startedAt,
    total: found.total,
    hits,
    facets: found.facets,
    ranges: found.ranges,
    generativeAnswerAvailable: canAnswer(engine, request, found),
  };
}

function checkRequest(request: SearchRequest, engine: Engine, maxResultWindow: number): void {
  const problems: Problem[] = [...disabledFieldProblems(request, engine)];
  if (request.page * (request.perPage ?? engine.settings.perPage) > maxResultWindow) {
    const cap = maxResultWindow.toLocaleString('en');
    problems.push({ path: 'page', message: `"page" times "perPage" may be at most ${cap}` });
  }
  if (problems.length > 0) throw invalidRequest(problems);
}

type Found = {
  readonly engine: Engine;
  readonly request: SearchRequest;
  readonly plan: QueryPlan;
  readonly found: Hits;
};

async function readHits(deps: SearchDeps, { engine, request, plan, found }: Found): Promise<readonly SearchHit[]> {
  const rows = await deps.readDocuments(
    engine.id,
    found.hits.map(({ rid }) => rid),
  );
  const present = found.hits.flatMap((hit, index) => {
    const row = rows[index];
    return row === undefined || row.deleted ? [] : [{ hit, row }];
  });
  return present.slice(0, plan.limit).map(({ hit, row }, index) => ({
    rank: plan.offset + index + 1,
    id: row.id,
    crawlerId: row.crawlerId,
    score: hit.score,
    kind: row.kind,
    fields: fieldsOf(row, { engine, request, plan, found }),
    sortValues: hit.sortValues,
  }));
}

function fieldsOf(row: StoredDocument, { engine, request, plan, found }: Found): readonly HitField[] {
  const phraseSlop = plan.match.kind === 'phrase' ? plan.match.slop : undefined;
  const rules = { matched: found.matched, phraseSlop, language: row.language, settings: engine.settings.highlight };
  return returnedFields(row, request.fields).map(({ name, values }) => ({
    name,
    values,
    highlights: request.highlight ? highlightField(name, values, rules) : [],
  }));
}

/** Contract 2.6, `GenerativeAnswerAvailable`: the best hit, on whatever page, covers enough of the query. */
function canAnswer({ settings }: Engine, { query }: SearchRequest, { total, bestCoverage }: Hits): boolean {
  if (!settings.aiEnabled || !settings.features.includes('AiChat') || matchesEverything(query)) return false;
  return total > 0 && bestCoverage >= (settings.aiMinScore ?? DEFAULT_AI_MIN_SCORE);
}
