import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HALVES, QUERY_SETS, type QuerySetName, summaryFile } from '../../../scripts/evaluate/relevance/corpus.ts';
import { type CorpusRun, type CorpusSummary, runCorpus } from '../../../scripts/evaluate/relevance/summary.ts';

/** `UPDATE_GOLDEN=1` writes the summary anew; its difference is reviewed. */
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
/** How far a mean may fall: less than one query of a half that loses its first place. */
const TOLERANCE = 0.005;
/** Bar G12 of the search engine: nDCG@10 over plain BM25's on the same run. */
const LEAST_RATIO = 1.02;

const runs = new Map<QuerySetName, CorpusRun>();
const expected = (): Readonly<Record<QuerySetName, CorpusSummary>> => JSON.parse(readFileSync(summaryFile(), 'utf8'));

beforeAll(async () => {
  for (const name of QUERY_SETS) runs.set(name, await runCorpus(name));
});

afterAll(() => {
  if (!isUpdate) return;
  const summaries = QUERY_SETS.map((name) => [name, runs.get(name)?.summary]);
  writeFileSync(summaryFile(), `${JSON.stringify(Object.fromEntries(summaries), null, 2)}\n`);
});

describe.each(QUERY_SETS)('%s', (name) => {
  const run = () => runs.get(name)!;

  test.skipIf(isUpdate)('the summary is of these documents and queries', () => {
    const counts = ({ documents, pairs, all }: CorpusSummary) => ({ documents, pairs, queries: all.queries });
    expect(counts(run().summary)).toEqual(counts(expected()[name]));
  });

  test.skipIf(isUpdate).each(HALVES)('nDCG and MRR of the %s half have not fallen', (half) => {
    const [found, before] = [run().summary[half], expected()[name][half]];
    expect(found.ndcg).toBeGreaterThan(before.ndcg - TOLERANCE);
    expect(found.mrr).toBeGreaterThan(before.mrr - TOLERANCE);
  });

  test('no best answer stands below its highest rank', () => {
    const late = run().results.filter(({ judged, rankOfBest }) => rankOfBest > (judged.highestRank ?? Infinity));
    expect(late.map(({ judged, ranking }) => ({ query: judged.query, ranking: ranking.slice(0, 5) }))).toEqual([]);
  });

  test('the ranking beats plain BM25', () => {
    expect(run().summary.all.ratio).toBeGreaterThanOrEqual(LEAST_RATIO);
  });

  test('every judged document is in the corpus', () => {
    expect(run().unknownIds).toEqual([]);
  });
});
