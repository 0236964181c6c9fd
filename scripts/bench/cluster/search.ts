import { createLogger } from '../../../src/observability/logger.ts';
import { type Call, type Connection, connect, type Json } from '../../../src/search-index/opensearch/connection.ts';
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
 * A search of the index on OpenSearch beside the requests that it makes, sent once more and their answers left unread, and
 * beside a query that is written by hand for the same index: the same words and facets, an exact total and the best ten
 * by the servers' own BM25 of one field, one request. Wall time on loopback and processor time of this process; all
 * search everything once before. Prints a table, resolves with the bars that were missed. With Java 21 or later and Maven.
 */
export async function measureSearches(documents: number, queriesOfClass: number): Promise<readonly string[]> {
  await using server = await startOpenSearch();
  await using connection = await connect({ nodes: [server.url], deadlineMs: 60_000 });
  const place = { connection, indexPrefix: 'bench', engineId: ENGINE, shards: 1, replicas: 0 };
  const log = createLogger({ level: 'silent', name: 'bench' });
  await using writer = await openOpenSearchWriter({ ...place, source: emptySource, log });
  const { asked, recording } = recordingConnection(connection);
  await using index = openOpenSearchIndex({ ...place, connection: recording, monotonicMs: () => performance.now() });
  await writeCorpus(writer, documents);
  await mergeSegments(connection, ALIAS);
  await index.waitVisible(ENGINE, writer.appliedSeq, NEVER);

  console.log(`## Searches of ${documents} documents on OpenSearch, milliseconds\n`);
  const each = ['p50', 'p99', 'CPU here'];
  const others = ['the same requests p50', ...each.slice(1), 'by hand p50', ...each.slice(1)];
  const head = ['Query', ...each, ...others, 'more than the same requests', 'more than by hand'];
  for (const row of [head, head.map(() => '---')]) console.log(markdownRow(row));
  const classes = await makeQueries(asAsync(generateCorpus(documents)), queriesOfClass);
  const misses: string[] = [];
  const ours = (query: BenchQuery) => index.search(ENGINE, searchPlan(query), NEVER);
  const byHand = (query: BenchQuery) =>
    connection.call({ method: 'POST', path: `/${ALIAS}/_search`, body: handWritten(query) });
  for (const name of CLASSES) {
    const queries = classes[name] ?? [];
    const requests = new Map<BenchQuery, readonly Call[]>();
    for (const query of queries) {
      await byHand(query);
      asked.length = 0;
      await ours(query);
      requests.set(query, [...asked]);
    }
    const sameRequests = async (query: BenchQuery) => {
      for (const request of requests.get(query) ?? []) await connection.call(request);
    };
    const [own, same, hand] = await measure(queries, [ours, sameRequests, byHand]);
    const overheads = [own.p50 - same.p50, own.p50 - hand.p50];
    const numbers = [own, same, hand].flatMap(({ p50, p99, cpu }) => [p50, p99, cpu]);
    console.log(markdownRow([name, ...[...numbers, ...overheads].map((n) => n.toFixed(1))]));
    const overheadMs = own.p50 - hand.p50;
    if (!(overheadMs <= MOST_OVERHEAD_MS)) {
      misses.push(`${name}: ${overheadMs.toFixed(1)} ms over the query by hand at p50, the bar is ${MOST_OVERHEAD_MS}`);
    }
  }
  console.log('');
  return misses;
}

type Measured = { readonly p50: number; readonly p99: number; readonly cpu: number };
type Search = (query: BenchQuery) => Promise<unknown>;

/** Each query by each way; which comes first changes from query to query. */
async function measure(queries: readonly BenchQuery[], searches: readonly [Search, Search, Search]) {
  const walls: [number[], number[], number[]] = [[], [], []];
  const cpus: [number, number, number] = [0, 0, 0];
  for (const [place, query] of queries.entries()) {
    for (const turn of [0, 1, 2]) {
      const which = ((place + turn) % 3) as 0 | 1 | 2;
      const begun = performance.now();
      cpus[which] += await cpuOf(async () => void (await searches[which](query)));
      walls[which].push(performance.now() - begun);
    }
  }
  const of = (which: 0 | 1 | 2): Measured => ({
    p50: percentile(walls[which], 0.5),
    p99: percentile(walls[which], 0.99),
    cpu: cpus[which] / queries.length,
  });
  return [of(0), of(1), of(2)] as const;
}

/** A connection that keeps what is asked on it. */
function recordingConnection(connection: Connection) {
  const asked: Call[] = [];
  const recording: Connection = {
    ...connection,
    call: (request) => {
      asked.push(request);
      return connection.call(request);
    },
  };
  return { asked, recording };
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
