import { createBoundedCache } from '../core/bounded-cache.ts';
import { unlessAborted } from '../core/concurrency.ts';
import type { StoredDocument } from '../core/document.ts';
import { modelOfVectorSet, vectorSetOf } from '../core/document-vectors.ts';
import type { EmbeddingModel } from '../llm/embedding-model.ts';
import { loggedInstead } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { VectorCandidate, VectorIndex, VectorQuery } from '../search-index/vector-index.ts';
import type { CosineScales } from './cosine-scale.ts';
import type { CandidateDocument, NearestPassages } from './find-candidates.ts';
import type { AnalysedCandidate, RetrievalInput } from './passage.ts';
import type { ReadDocuments } from './read-hits.ts';
import type { TextVectors } from './text-vectors.ts';

/** Retrieval by vectors beside that by words. */
export type VectorSearch = {
  readonly questions: QuestionVectors;
  readonly texts: TextVectors;
  readonly scales: CosineScales;
  readonly index: VectorIndex;
  /** Share of vectors in the order of passages, 0 to 1. */
  readonly weight: number;
  readonly log: Log;
};

export type NearestDeps = {
  readonly searchIndex: Pick<SearchIndex, 'matchingRids'>;
  readonly readDocuments: ReadDocuments;
};

export type NearestInput = Pick<RetrievalInput, 'engine' | 'filter' | 'signal'> & {
  readonly query: VectorQuery;
  /** What words found. */
  readonly documents: readonly CandidateDocument[];
  /** Whether the document passes the filter as it is now. */
  readonly passesNow: (row: StoredDocument) => boolean;
  /** Whether no visitor is shown the document. */
  readonly isHidden: (row: StoredDocument) => boolean;
  readonly boostOf: (row: StoredDocument) => number;
};

/** Passages that vectors may add (answers design 4, item 5). */
const NEAREST = 40;
/** Reading the vectors of a large engine at its first question takes longer: that one is answered by words. */
const SEARCH_WITHIN_MS = 500;

/** The passages nearest to the question with their documents, under the same filter; undefined when it takes too long. */
export function findNearest(
  { index, log }: VectorSearch,
  deps: NearestDeps,
  input: NearestInput,
): Promise<NearestPassages | undefined> {
  return inTime(log, input, async () => {
    const { hits, passes } = await searchNearest(index, deps, input);
    const scores = new Map(input.documents.map(({ row, score }) => [row.rid, score]));
    const rows = await deps.readDocuments(input.engine.id, [...new Set(hits.map(({ rid }) => rid))]);
    const documents = rows.flatMap((row) => {
      if (row === undefined || row.deleted || input.isHidden(row) || !passes(row)) return [];
      return [{ row, score: scores.get(row.rid) ?? 0, boost: input.boostOf(row) }];
    });
    return { hits, documents };
  });
}

/** The candidates with the cosines of those that words found. */
export async function withCosines(
  { index, log }: VectorSearch,
  { engine, query, signal }: Pick<NearestInput, 'engine' | 'query' | 'signal'>,
  candidates: readonly AnalysedCandidate[],
): Promise<readonly AnalysedCandidate[]> {
  const rids = [...new Set(candidates.map(({ passage }) => passage.rid))];
  const known = await inTime(log, { engine, signal }, () => index.cosines(engine.id, query, rids));
  const cosines = new Map(known?.map(({ rid, hash, cosine }) => [`${rid} ${hash}`, cosine]));
  return candidates.map((candidate) => ({
    ...candidate,
    cosine: candidate.cosine ?? cosines.get(`${candidate.passage.rid} ${candidate.passage.hash}`),
  }));
}

async function inTime<T>(
  log: Log,
  { engine, signal }: Pick<NearestInput, 'engine' | 'signal'>,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await unlessAborted(work(), AbortSignal.any([signal, AbortSignal.timeout(SEARCH_WITHIN_MS)]));
  } catch (err) {
    signal.throwIfAborted();
    log.warn({ err, engineId: engine.id }, 'vectors could not be searched, words find passages alone');
    return undefined;
  }
}

type Nearest = { readonly hits: readonly VectorCandidate[]; readonly passes: (row: StoredDocument) => boolean };

async function searchNearest(
  index: VectorIndex,
  { searchIndex }: NearestDeps,
  { engine, filter, query, passesNow }: NearestInput,
): Promise<Nearest> {
  if (filter.kind === 'all') {
    const hits = await index.nearest(engine.id, { ...query, rids: undefined, limit: NEAREST });
    return { hits, passes: () => true };
  }
  const { rids, seq } = await searchIndex.matchingRids(engine.id, filter);
  const hits = await index.nearest(engine.id, { ...query, rids, limit: NEAREST });
  return { hits, passes: (row) => row.seq <= seq || passesNow(row) };
}

export type QuestionVectorsDeps = {
  /** `configured` is the one whose set is or will be complete; undefined: nobody has a model of the name. */
  readonly models: { readonly configured: EmbeddingModel; named(name: string): EmbeddingModel | undefined };
  readonly completeVectorSet: (engineId: number) => Promise<string | undefined>;
  readonly log: Log;
  /** Told once per question that was not given up. */
  readonly report: (outcome: 'known' | 'unavailable') => void;
};

type QuestionVectors = {
  /** Undefined when no model gives one, or the signal is aborted. */
  of(engineId: number, question: string, signal: AbortSignal): Promise<VectorQuery | undefined>;
};

/** Vectors of questions asked lately: a follow-up asks for the one before again, and many ask the same. */
const MAX_BYTES = 4 * 2 ** 20;

/**
 * The vector of a question by the model whose set of the engine is complete, one call of some 100 ms; while a new model
 * embeds the engine, and the endpoint has the one before no more, by the new one.
 */
export function createQuestionVectors(deps: QuestionVectorsDeps): QuestionVectors {
  const kept = createBoundedCache<Float32Array>(MAX_BYTES);

  async function vectorFor(set: string, question: string, signal: AbortSignal): Promise<Float32Array | undefined> {
    const key = `${set}\n${question}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const [vector] = (await deps.models.named(modelOfVectorSet(set))?.embed([question], 'query', signal)) ?? [];
    if (vector !== undefined) kept.set(key, vector, vector.byteLength + 2 * key.length);
    return vector;
  }

  return {
    async of(engineId, question, signal) {
      const configured = vectorSetOf(deps.models.configured.id);
      const complete = await deps
        .completeVectorSet(engineId)
        .catch(loggedInstead(deps.log, 'the vectors of an engine cannot be read', undefined));
      for (const set of new Set([complete ?? configured, configured])) {
        // What the fault was is told by the policy of the model.
        const vector = await vectorFor(set, question, signal).catch(() => undefined);
        if (signal.aborted) return undefined;
        if (vector === undefined) continue;
        deps.report('known');
        return { set, vector };
      }
      deps.report('unavailable');
      return undefined;
    },
  };
}
