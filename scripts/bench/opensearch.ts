import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createLogger } from '../../src/observability/logger.ts';
import { type Connection, connect } from '../../src/search-index/opensearch/connection.ts';
import { openOpenSearchIndex } from '../../src/search-index/opensearch/opensearch-index.ts';
import { openOpenSearchWriter } from '../../src/search-index/opensearch/write/writer.ts';
import { startOpenSearch } from '../../test/helpers/opensearch-server.ts';
import { generateCorpus } from './generate-corpus.ts';
import { mergeSegments, writeCorpus } from './opensearch-corpus.ts';
import { cpuOf } from './process-costs.ts';
import { searchPlan } from './search/bench-plan.ts';
import { makeQueries } from './search/query-classes.ts';
import { emptySource } from './search/stored-document.ts';

/**
 * What the index on OpenSearch costs: processor time of one node and of this process, and bytes, with generated
 * documents of 156 words. `node scripts/bench/opensearch.ts [--docs 20000]`, with Java 21 or later and Maven.
 */
const { values } = parseArgs({ options: { docs: { type: 'string', default: '20000' } } });
const documents = Number(values.docs);
const QUERIES = 40;
const ENGINE = 1;
const NEVER = new AbortController().signal;
/** Classes whose words are plain ones. */
const CLASSES = ['one rare word', 'one common word', '2 words AND', '3 words AND', '4 words OR', 'phrase of 2 words'];

await using server = await startOpenSearch();
await using connection = await connect({ nodes: [server.url], deadlineMs: 60_000 });
const place = { connection, indexPrefix: 'bench', engineId: ENGINE, shards: 1, replicas: 0 };
const log = createLogger({ level: 'silent', name: 'bench' });
await using writer = await openOpenSearchWriter({ ...place, source: emptySource, log });
await using index = openOpenSearchIndex({ ...place, monotonicMs: () => performance.now() });

const building = await costOf(() => writeCorpus(writer, documents));
await index.waitVisible(ENGINE, writer.appliedSeq, NEVER);
const perDocument = (ms: number) => (ms / documents).toFixed(2);
console.log(
  `${documents} documents: ${perDocument(building.node)} ms of the node and ${perDocument(building.own)} ms here each`,
);
await mergeSegments(connection, 'bench-engine-1');
console.log(`${Math.round((await storedBytes(connection)) / documents)} bytes each, merged`);

const classes = await makeQueries(asAsync(generateCorpus(documents)), QUERIES);
for (const name of CLASSES) {
  const plans = (classes[name] ?? []).map(searchPlan);
  for (const plan of plans) await index.search(ENGINE, plan, NEVER);
  const cost = await costOf(async () => {
    for (const plan of plans) await index.search(ENGINE, plan, NEVER);
  });
  const each = (ms: number) => (ms / plans.length).toFixed(1);
  console.log(`${name}: ${each(cost.node)} ms of the node and ${each(cost.own)} ms here a search`);
}

async function costOf(work: () => Promise<void>): Promise<{ readonly node: number; readonly own: number }> {
  const before = await nodeCpuMs(connection);
  const own = await cpuOf(work);
  return { node: (await nodeCpuMs(connection)) - before, own };
}

async function nodeCpuMs(servers: Connection): Promise<number> {
  const schema = z.object({
    nodes: z.record(z.string(), z.object({ process: z.object({ cpu: z.object({ total_in_millis: z.number() }) }) })),
  });
  const { nodes } = schema.parse(await servers.call({ method: 'GET', path: '/_nodes/stats/process' }));
  return Object.values(nodes).reduce((sum, node) => sum + node.process.cpu.total_in_millis, 0);
}

async function storedBytes(servers: Connection): Promise<number> {
  const schema = z.object({
    _all: z.object({ primaries: z.object({ store: z.object({ size_in_bytes: z.number() }) }) }),
  });
  return schema.parse(await servers.call({ method: 'GET', path: '/bench-engine-1/_stats/store' }))._all.primaries.store
    .size_in_bytes;
}

async function* asAsync<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
