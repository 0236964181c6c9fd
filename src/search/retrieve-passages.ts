import type { StoredDocument } from '../core/document.ts';
import { type FilterNode, matchesFilter } from '../core/filters.ts';
import { yieldInBackground } from '../core/yield.ts';
import type { QueryPlan, WordNode } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import type { FieldStatus, SearchIndex } from '../search-index/search-index.ts';
import type { CustomerTools } from '../search-tools/tool-snapshot.ts';
import type { CandidateDocument, FindCandidates, FoundCandidates, NearestPassages } from './find-candidates.ts';
import { findNearest, type VectorSearch, withCosines } from './nearest-passages.ts';
import type { QuestionTerm, RetrievalInput, RetrievedPassages } from './passage.ts';
import { findQuestionTerms, type QuestionTermDeps } from './question-terms.ts';
import type { ReadDocuments } from './read-hits.ts';

export type RetrievalDeps = Omit<QuestionTermDeps, 'tools'> & {
  readonly tools: { of(customerId: number): Promise<Pick<CustomerTools, 'synonymGroups' | 'hiddenOf'>> };
  readonly searchIndex: Pick<SearchIndex, 'search' | 'fields' | 'matchingRids'>;
  readonly readDocuments: ReadDocuments;
  readonly findCandidates: FindCandidates;
  /** Undefined = words alone find passages. */
  readonly vectors?: VectorSearch | undefined;
};

/** Documents of the search whose passages are looked at. */
const CANDIDATE_DOCUMENTS = 32;
/** Hits in reserve for rows that have just gone. */
const SPARE_HITS = 8;
/**
 * So many are always looked at, others when they score this share of the best one: what answers a question of the
 * tuning halves scores .38 of it at least, and .70 in 98 of 100 cases; at .2 and at .5 every figure is the same.
 */
const LEAST_DOCUMENTS = 8;
const LEAST_SCORE_RATIO = 0.4;

/**
 * The passages that bear on a question, from the documents that the search finds for its words; all of them were in
 * the store when it was asked, and pass the filter. Costs a search, some milliseconds of reading rows, and what
 * `findCandidates` costs where it runs.
 */
export async function retrievePassages(deps: RetrievalDeps, input: RetrievalInput): Promise<RetrievedPassages> {
  const { engine, question, signal } = input;
  const fields = await deps.searchIndex.fields(engine.id);
  const documents = Math.max(0, ...fields.map((field) => field.documents));
  const terms = await findQuestionTerms(deps, { engine, question, documents, signal });
  const hidden = new Set((await deps.tools.of(engine.customerId)).hiddenOf(engine.id));
  const request = { ...input, terms, fields, hidden };
  const isGiven = input.restrictTo !== undefined;
  const found = isGiven ? await givenDocuments(deps, request) : await searchDocuments(deps, request);
  // What many questions found at the same time is read in turns.
  await yieldInBackground();
  signal.throwIfAborted();
  const all = await findAll(deps, { ...request, isGiven, documents: found });
  return { ...all, documents: found.length };
}

type Found = RetrievalRequest & {
  readonly isGiven: boolean;
  readonly documents: readonly CandidateDocument[];
};

/** Passages of the documents, and with a vector of the question those that are nearest to it. */
async function findAll(deps: RetrievalDeps, input: Found): Promise<FoundCandidates> {
  const { engine, question, sourceFields, terms, documents, query, isGiven, signal } = input;
  const find = (nearest?: NearestPassages) =>
    deps.findCandidates(
      {
        engineId: engine.id,
        language: engine.language,
        sourceFields,
        terms,
        askedIn: question.language,
        subject: question.subject,
        documents,
        choice: isGiven ? 'of-each' : 'best',
        nearest,
      },
      signal,
    );
  if (isGiven || query === undefined || deps.vectors === undefined) return find();
  const request = { engine, filter: input.filter, documents, query, signal };
  const nearest = await findNearest(deps.vectors, deps, {
    ...request,
    passesNow: (row) => passesNow(row, input),
    isHidden: (row) => input.hidden.has(row.id),
    boostOf: (row) => boostOf(row, input),
  });
  const all = await find(nearest);
  if (nearest === undefined) return all;
  return { ...all, candidates: await withCosines(deps.vectors, request, all.candidates) };
}

type RetrievalRequest = RetrievalInput & {
  readonly terms: readonly QuestionTerm[];
  readonly fields: readonly FieldStatus[];
  /** Ids of documents that no visitor is shown. */
  readonly hidden: ReadonlySet<string>;
};

/** A row that changed after the index saw it is judged anew: what it says now must pass the filter. */
async function searchDocuments(deps: RetrievalDeps, input: RetrievalRequest): Promise<readonly CandidateDocument[]> {
  const { engine, signal } = input;
  if (input.terms.length === 0) return [];
  const found = await deps.searchIndex.search(engine.id, planOf(input), signal);
  const best = Math.max(...found.hits.map(({ score }) => score));
  // What a subject is may be said where hardly another word of the question stands.
  const leastScore = input.question.subject.length > 0 ? 0 : LEAST_SCORE_RATIO * best;
  const hits = found.hits.filter(({ score }, i) => i < LEAST_DOCUMENTS || score >= leastScore);
  await yieldInBackground();
  const rows = await deps.readDocuments(
    engine.id,
    hits.map(({ rid }) => rid),
  );
  const passes = (row: StoredDocument) => row.seq <= found.seq || passesNow(row, input);
  return hits
    .flatMap(({ score }, index) => {
      const row = rows[index];
      if (row === undefined || row.deleted || !passes(row)) return [];
      return [{ row, score: best > 0 ? score / best : 1, boost: boostOf(row, input) }];
    })
    .slice(0, CANDIDATE_DOCUMENTS);
}

async function givenDocuments(
  { readDocuments }: RetrievalDeps,
  input: RetrievalRequest,
): Promise<readonly CandidateDocument[]> {
  const rows = await readDocuments(input.engine.id, input.restrictTo ?? []);
  return rows.flatMap((row) => {
    if (row === undefined || row.deleted || input.hidden.has(row.id) || !passesNow(row, input)) return [];
    return [{ row, score: 1, boost: boostOf(row, input) }];
  });
}

function passesNow(row: StoredDocument, { filter, fields }: RetrievalRequest): boolean {
  return matchesFilter(row, filter, (name) => fields.find((field) => field.name === name)?.type ?? 'text');
}

function planOf({ question, terms, filter, boosts, hidden }: RetrievalRequest): QueryPlan {
  const factors = new Map(question.words.map(({ text, factor }) => [text, factor]));
  const words = terms.map(({ text, alternatives }): WordNode => {
    const also = alternatives.map(({ words: said, weight }) => ({
      words: said,
      weight,
      slop: 0,
      source: 'synonym' as const,
    }));
    return { kind: 'word', text, boost: factors.get(text) ?? 1, role: 'content', fuzzy: 'never', also };
  });
  return {
    match: { kind: 'or', of: words },
    operator: 'OR',
    filter,
    postFilter: ALL,
    postFilterCounts: false,
    boosts,
    sort: [],
    pins: [],
    removed: [...hidden],
    facets: [],
    ranges: [],
    topHits: [],
    offset: 0,
    limit: CANDIDATE_DOCUMENTS,
    spare: SPARE_HITS,
    counts: 'none',
    weights: DEFAULT_RELEVANCE,
    // The limits of answers say how many questions there are at the same time; the wait ends with the signal.
    isBackground: true,
  };
}

const ALL: FilterNode = { kind: 'all' };

/** As the index multiplies: once per boost of which the document has any value. */
function boostOf(row: StoredDocument, { boosts }: RetrievalInput): number {
  return boosts.reduce((product, boost) => {
    const values = row.fields.get(boost.field) ?? [];
    return values.some((value) => boost.values.includes(value)) ? product * boost.factor : product;
  }, 1);
}
