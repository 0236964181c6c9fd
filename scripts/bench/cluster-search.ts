import { parseArgs } from 'node:util';
import { createLogger } from '../../src/observability/logger.ts';
import { connect, type Json } from '../../src/search-index/opensearch/connection.ts';
import { openOpenSearchIndex } from '../../src/search-index/opensearch/opensearch-index.ts';
import { openOpenSearchWriter } from '../../src/search-index/opensearch/write/writer.ts';
import { stemTerm } from '../../src/text/term-keys.ts';
import { startOpenSearch } from '../../test/helpers/opensearch-server.ts';
import { generateCorpus } from './generate-corpus.ts';
import { mergeSegments, writeCorpus } from './opensearch-corpus.ts';
import { cpuOf } from './process-costs.ts';
import { searchPlan } from './search/bench-plan.ts';
import { type BenchQuery, FACETS, TOP } from './search/peer.ts';
import { makeQueries } from './search/query-classes.ts';
import { emptySource } from './search/stored-document.ts';

/**
 * A search of the index on OpenSearch beside a query that is written by hand for the same index: the same words and
 * facets, an exact total and the best ten by the servers' own BM25, one request. Wall time on loopback and processor
 * time of this process; what both search and which comes first changes from query to query.
 * `node scripts/bench/cluster-search.ts [--docs 10000] [--queries 100]`, with Java 21 or later and Maven.
 */
const { values } = parseArgs({
  options: { docs: { type: 'string', default: '10000' }, queries: { type: 'string', default: '100' } },
});
const documents = Number(values.docs);
const ENGINE = 1;
const ALIAS = 'bench-engine-1';
const LANGUAGE = 'en';
const NEVER = new AbortController().signal;
const CLASSES = ['one rare word', 'one common word', '2 words AND', '4 words OR', 'phrase of 2 words'];
const FACET_FIELDS = { category: 'Category', language: 'Language', author: 'Author' } as const;

await using server = await startOpenSearch();
await using connection = await connect({ nodes: [server.url], deadlineMs: 60_000 });
const place = { connection, indexPrefix: 'bench', engineId: ENGINE, shards: 1, replicas: 0 };
await using writer = await openOpenSearchWriter({
  ...place,
  source: emptySource,
  log: createLogger({ level: 'silent', name: 'bench' }),
});
await using index = openOpenSearchIndex({ ...place, monotonicMs: () => performance.now() });
await writeCorpus(writer, documents);
await mergeSegments(connection, ALIAS);
await index.waitVisible(ENGINE, writer.appliedSeq, NEVER);

console.log(`${documents} documents; milliseconds of a search: p50 and p99 of the wall, processor time here`);
const classes = await makeQueries(asAsync(generateCorpus(documents)), Number(values.queries));
for (const name of CLASSES) {
  const queries = classes[name] ?? [];
  const ours = (query: BenchQuery) => index.search(ENGINE, searchPlan(query), NEVER);
  const byHand = (query: BenchQuery) =>
    connection.call({ method: 'POST', path: `/${ALIAS}/_search`, body: handWritten(query) });
  for (const query of queries) await Promise.all([ours(query), byHand(query)]);
  const [own, hand] = await measure(queries, [ours, byHand]);
  const overhead = (own.p50 - hand.p50).toFixed(1);
  console.log(`${name}: ours ${printed(own)}, by hand ${printed(hand)}, ${overhead} more at p50`);
}

type Measured = { readonly p50: number; readonly p99: number; readonly cpu: number };
type Search = (query: BenchQuery) => Promise<unknown>;

async function measure(queries: readonly BenchQuery[], searches: readonly [Search, Search]) {
  const walls: [number[], number[]] = [[], []];
  const cpus: [number, number] = [0, 0];
  for (const [place, query] of queries.entries()) {
    for (const which of place % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const begun = performance.now();
      cpus[which] += await cpuOf(async () => void (await searches[which](query)));
      walls[which].push(performance.now() - begun);
    }
  }
  const of = (which: 0 | 1): Measured => ({
    p50: percentile(walls[which], 0.5),
    p99: percentile(walls[which], 0.99),
    cpu: cpus[which] / queries.length,
  });
  return [of(0), of(1)] as const;
}

function percentile(walls: readonly number[], share: number): number {
  const sorted = walls.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function printed({ p50, p99, cpu }: Measured): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)}, ${cpu.toFixed(1)}`;
}

function handWritten({ words, operator, phrase }: BenchQuery): Json {
  const text = { query: words.map((word) => stemTerm(word, LANGUAGE)).join(' '), analyzer: 'whitespace' };
  return {
    size: TOP,
    _source: false,
    track_total_hits: true,
    docvalue_fields: ['id', 'crawler'],
    query: phrase ? { match_phrase: { c: text } } : { match: { terms: { ...text, operator } } },
    aggs: Object.fromEntries(
      FACETS.map((facet) => [facet, { terms: { field: `value.${FACET_FIELDS[facet]}`, size: 20 } }]),
    ),
  };
}

async function* asAsync<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
