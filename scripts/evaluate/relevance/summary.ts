import { DEFAULT_RELEVANCE } from '../../../src/search-index/relevance.ts';
import { type Corpus, HALVES, type Half, type QuerySetName, readCorpus } from './corpus.ts';
import { byHalf, type Quality, type QueryResult, qualityOf, rankQueries } from './measure.ts';
import { plainBm25 } from './plain-bm25.ts';
import { type OpenIndex, openCorpus } from './rank-corpus.ts';

/** Shares rounded to four decimals. */
export type HalfSummary = {
  readonly queries: number;
  readonly ndcg: number;
  readonly mrr: number;
  readonly plainBm25: Quality;
  /** nDCG over that of plain BM25. */
  readonly ratio: number;
};

/** `test/golden/relevance/summary.json`, one per corpus. */
export type CorpusSummary = {
  readonly documents: number;
  readonly pairs: number;
} & Readonly<Record<Half | 'all', HalfSummary>>;

export type CorpusRun = {
  readonly summary: CorpusSummary;
  readonly results: readonly QueryResult[];
  /** Judged ids that no document has. */
  readonly unknownIds: readonly string[];
};

/** Indexes a corpus, in an embedded index unless it is said, and ranks its queries with the default settings and with plain BM25. */
export async function runCorpus(name: QuerySetName, openIndex?: OpenIndex): Promise<CorpusRun> {
  const corpus = readCorpus(name);
  await using opened = await openCorpus(corpus, openIndex);
  const results = await rankQueries(corpus, (query) => opened.rank(query, DEFAULT_RELEVANCE));
  const plain = await rankQueries(corpus, plainBm25(corpus));
  return { results, summary: summarize(corpus, { results, plain }), unknownIds: unknownIds(corpus) };
}

function unknownIds({ documents, queries }: Corpus): readonly string[] {
  const known = new Set(documents.map(({ id }) => id));
  return queries.flatMap(({ relevant }) => Object.keys(relevant)).filter((id) => !known.has(id));
}

function summarize(
  { documents, queries }: Corpus,
  { results, plain }: { readonly results: readonly QueryResult[]; readonly plain: readonly QueryResult[] },
): CorpusSummary {
  const [ours, theirs] = [byHalf(results), byHalf(plain)];
  const halves = HALVES.map((half) => [half, summarizeHalf(ours.get(half) ?? [], theirs.get(half) ?? [])] as const);
  return {
    documents: documents.length,
    pairs: queries.reduce((sum, { relevant }) => sum + Object.keys(relevant).length, 0),
    ...(Object.fromEntries(halves) as Record<Half, HalfSummary>),
    all: summarizeHalf(results, plain),
  };
}

function summarizeHalf(results: readonly QueryResult[], plain: readonly QueryResult[]): HalfSummary {
  const [ours, theirs] = [qualityOf(results), qualityOf(plain)];
  return {
    queries: results.length,
    ndcg: rounded(ours.ndcg),
    mrr: rounded(ours.mrr),
    plainBm25: { ndcg: rounded(theirs.ndcg), mrr: rounded(theirs.mrr) },
    ratio: rounded(ours.ndcg / theirs.ndcg),
  };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
