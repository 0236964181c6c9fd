import { createLogger } from '../../../src/observability/logger.ts';
import { connect, type Json } from '../../../src/search-index/opensearch/connection.ts';
import { openOpenSearchIndex } from '../../../src/search-index/opensearch/opensearch-index.ts';
import { openOpenSearchWriter } from '../../../src/search-index/opensearch/write/writer.ts';
import { stemTerm } from '../../../src/text/term-keys.ts';
import { startOpenSearch } from '../../../test/helpers/opensearch-server.ts';
import { percentile } from '../answers/percentile.ts';
import { markdownRow } from '../crawl/markdown.ts';
import { generateCorpus } from '../generate-corpus.ts';
import { mergeSegments, writeCorpus } from '../opensearch-corpus.ts';
import { cpuOf } from '../process-costs.ts';
import { searchPlan } from '../search/bench-plan.ts';
import { type BenchQuery, FACETS, TOP } from '../search/peer.ts';
import { makeQueries } from '../search/query-classes.ts';
import { emptySource } from '../search/stored-document.ts';

/** Bar. */
const MOST_OVERHEAD_MS = 3;

const ENGINE = 1;
const ALIAS = 'bench-engine-1';
const LANGUAGE = 'en';
const NEVER = new AbortController().signal;
const CLASSES = ['one rare word', 'one common word', '2 words AND', '4 words OR', 'phrase of 2 words'];
const FACET_FIELDS = { category: 'Category', language: 'Language', author: 'Author' } as const;

/**
 * A search of the index on OpenSearch beside a query that is written by hand for the same index: the same words and
 * facets, an exact total and the best ten by the servers' own BM25, one request. Wall time on loopback and processor
 * time of this process; both search everything once before, and which comes first changes from query to query. Prints a
 * table, resolves with the bars that were missed. With Java 21 or later and Maven.
 */
export async function measureSearches(documents: number, queriesOfClass: number): Promise<readonly string[]> {
  await using server = await startOpenSearch();
  await using connection = await connect({ nodes: [server.url], deadlineMs: 60_000 });
  const place = { connection, indexPrefix: 'bench', engineId: ENGINE, shards: 1, replicas: 0 };
  const log = createLogger({ level: 'silent', name: 'bench' });
  await using writer = await openOpenSearchWriter({ ...place, source: emptySource, log });
  await using index = openOpenSearchIndex({ ...place, monotonicMs: () => performance.now() });
  await writeCorpus(writer, documents);
  await mergeSegments(connection, ALIAS);
  await index.waitVisible(ENGINE, writer.appliedSeq, NEVER);

  console.log(`## Searches of ${documents} documents on OpenSearch, milliseconds\n`);
  const head = ['Query', 'p50', 'p99', 'CPU here', 'by hand p50', 'p99', 'CPU here', 'more at p50'];
  for (const row of [head, head.map(() => '---')]) console.log(markdownRow(row));
  const classes = await makeQueries(asAsync(generateCorpus(documents)), queriesOfClass);
  const misses: string[] = [];
  const ours = (query: BenchQuery) => index.search(ENGINE, searchPlan(query), NEVER);
  const byHand = (query: BenchQuery) =>
    connection.call({ method: 'POST', path: `/${ALIAS}/_search`, body: handWritten(query) });
  for (const name of CLASSES) {
    const queries = classes[name] ?? [];
    for (const query of queries) await Promise.all([ours(query), byHand(query)]);
    const [own, hand] = await measure(queries, [ours, byHand]);
    const overheadMs = own.p50 - hand.p50;
    const numbers = [own, hand].flatMap(({ p50, p99, cpu }) => [p50, p99, cpu]);
    console.log(markdownRow([name, ...[...numbers, overheadMs].map((n) => n.toFixed(1))]));
    if (!(overheadMs <= MOST_OVERHEAD_MS)) {
      misses.push(`${name}: ${overheadMs.toFixed(1)} ms over the query by hand at p50, the bar is ${MOST_OVERHEAD_MS}`);
    }
  }
  console.log('');
  return misses;
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
