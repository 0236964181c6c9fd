import { unlessAborted } from '../core/concurrency.ts';
import type { StoredDocument } from '../core/document.ts';
import type { Log } from '../observability/logger.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { NearPassage, VectorIndex, VectorQuery } from '../search-index/vector-index.ts';
import type { QuestionVectors } from './question-vectors.ts';
import type { ReadDocuments } from './read-hits.ts';
import type { AnalysedCandidate, AnalysedPassage, RetrievalInput } from './retrieved-passages.ts';

/** Retrieval by vectors beside that by words. */
export type VectorSearch = {
  readonly questions: QuestionVectors;
  readonly index: VectorIndex;
  /** Share of vectors in the order of passages, 0 to 1. */
  readonly weight: number;
  readonly log: Log;
};

export type NearestDeps = {
  readonly searchIndex: Pick<SearchIndex, 'matchingRids'>;
  readonly readDocuments: ReadDocuments;
};

/** Passages that vectors may add (answers design 4, item 5). */
const NEAREST = 40;
/** Reading the vectors of a large engine at its first question takes longer: that one is answered by words. */
const SEARCH_WITHIN_MS = 500;

export type NearestInput = Pick<RetrievalInput, 'engine' | 'filter' | 'signal'> & {
  readonly query: VectorQuery;
  /** What was found by words. */
  readonly candidates: readonly AnalysedCandidate[];
  /** Whether the document passes the filter as it is now. */
  readonly passesNow: (row: StoredDocument) => boolean;
  /** Passages that are part of a template, by their hashes. */
  readonly isTemplate: (hash: string) => boolean;
  readonly analyse: (row: StoredDocument) => Promise<readonly AnalysedPassage[]>;
  readonly score: (row: StoredDocument, passage: AnalysedPassage) => number;
};

/**
 * The candidates with their cosines, and behind them the passages nearest to the question that are not among them:
 * under the same filter, cut and judged as those. The candidates alone when the vectors cannot be read in time.
 */
export async function withNearest(
  { index, log }: VectorSearch,
  deps: NearestDeps,
  input: NearestInput,
): Promise<readonly AnalysedCandidate[]> {
  const { engine, query, candidates, signal } = input;
  const deadline = AbortSignal.timeout(SEARCH_WITHIN_MS);
  try {
    const rids = [...new Set(candidates.map(({ passage }) => passage.rid))];
    const reading = Promise.all([searchNearest(index, deps, input), index.cosines(engine.id, query, rids)]);
    const [nearest, known] = await unlessAborted(reading, AbortSignal.any([signal, deadline]));
    const cosines = new Map(known.map(({ rid, hash, cosine }) => [`${rid} ${hash}`, cosine]));
    const own = candidates.map((candidate) => {
      const { rid, hash } = candidate.passage;
      return { ...candidate, cosine: cosines.get(`${rid} ${hash}`) };
    });
    return [...own, ...(await addedBy(nearest, deps, input))];
  } catch (err) {
    signal.throwIfAborted();
    log.warn({ err, engineId: engine.id }, 'vectors could not be searched, passages are found by words');
    return candidates;
  }
}

type Nearest = { readonly hits: readonly NearPassage[]; readonly passes: (row: StoredDocument) => boolean };

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

async function addedBy({ hits, passes }: Nearest, { readDocuments }: NearestDeps, input: NearestInput) {
  const { engine, candidates, isTemplate, analyse, score } = input;
  const known = new Set(candidates.map(({ passage }) => passage.hash));
  const documentScores = new Map(candidates.map(({ passage, documentScore }) => [passage.rid, documentScore]));
  const fresh = hits.filter(({ hash }) => !known.has(hash) && !isTemplate(hash));
  const rows = await readDocuments(engine.id, [...new Set(fresh.map(({ rid }) => rid))]);
  const added: AnalysedCandidate[] = [];
  for (const row of rows) {
    if (row === undefined || row.deleted || !passes(row)) continue;
    const passages = new Map((await analyse(row)).map((analysed) => [analysed.passage.hash, analysed]));
    for (const { rid, hash, cosine } of fresh) {
      const analysed = rid === row.rid ? passages.get(hash) : undefined;
      if (analysed === undefined) continue;
      const documentScore = documentScores.get(rid) ?? 0;
      const found = { documentScore, cosine, isNear: true } as const;
      added.push({ analysed, passage: analysed.passage, score: score(row, analysed), ...found });
    }
  }
  return added;
}
