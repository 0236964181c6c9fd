import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOpenSearchIndexes } from '../../scripts/evaluate/opensearch-indexes.ts';
import { QUERY_SETS } from '../../scripts/evaluate/relevance/corpus.ts';
import { runCorpus } from '../../scripts/evaluate/relevance/summary.ts';

/** How far the two indexes may lie apart in nDCG@10: docs/scaling.md. */
const MOST_APART = 0.01;

let servers: Awaited<ReturnType<typeof startOpenSearchIndexes>>;
beforeAll(async () => {
  servers = await startOpenSearchIndexes();
});
afterAll(() => servers[Symbol.asyncDispose]());

test.each(QUERY_SETS)('the judged queries of %s are ranked as well as by the embedded index', async (name) => {
  const embedded = (await runCorpus(name)).summary.all.ndcg;
  const onServers = (await runCorpus(name, servers.openIndex)).summary.all.ndcg;

  expect(onServers).toBeGreaterThan(embedded - MOST_APART);
});
