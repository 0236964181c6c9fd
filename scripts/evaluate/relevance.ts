import { parseArgs } from 'node:util';
import { DEFAULT_RELEVANCE } from '../../src/search-index/relevance.ts';
import { LUCENE_NAMES, openLucene, type RankByLucene } from './lucene-ranking.ts';
import { startOpenSearchIndexes } from './opensearch-indexes.ts';
import {
  HALVES,
  type Half,
  JUDGED_DEPTH,
  QUERY_SETS,
  type QuerySetName,
  readCorpus,
  storedDocuments,
} from './relevance/corpus.ts';
import { type QueryResult, qualityOf, rankQueries } from './relevance/measure.ts';
import { openCorpus } from './relevance/rank-corpus.ts';
import { type CorpusSummary, runCorpus } from './relevance/summary.ts';
import { type OpenedCorpus, score, tune } from './relevance/tune.ts';

const HELP = `usage: npm run eval:relevance [-- --misses | --tune | --opensearch]

Ranks the judged queries of test/golden/relevance and prints nDCG@10 and MRR beside those of plain BM25, and of Lucene
for documents in English (with a JDK 21 and Maven, else it is left out).
--misses  also the queries below nDCG 0.9, with the first five documents and their grades
--tune    tries other settings on the tuning halves, then shows both halves before and after (about a minute)
--opensearch  ranks on the embedded index and on an OpenSearch node side by side (with a JDK 21 and Maven)
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    tune: { type: 'boolean', default: false },
    opensearch: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(HELP);
else if (values.tune) await printTuning();
else if (values.opensearch) await printTiers();
else await printTable();

async function printTable(): Promise<void> {
  const rankByLucene = openLucene();
  const heads = rankByLucene === undefined ? [] : LUCENE_NAMES.map((name) => `${name}: nDCG@10  MRR`);
  console.log(
    ['corpus           half      queries  nDCG@10  MRR     plain BM25: nDCG@10  MRR     ratio', ...heads].join('   '),
  );
  for (const name of QUERY_SETS) {
    const { summary, results } = await runCorpus(name);
    const lucene = rankByLucene === undefined ? [] : await rankWith(rankByLucene, name);
    for (const half of [...HALVES, 'all'] as const) {
      const columns = lucene.map((ranked) => luceneColumn(ranked, half));
      console.log([`${name.padEnd(16)} ${tableRow(summary, half)}`, ...columns].join('   '));
    }
    if (values.misses) for (const result of results) if (result.ndcg < 0.9) console.log(missOf(result));
  }
}

async function printTiers(): Promise<void> {
  await using servers = await startOpenSearchIndexes();
  console.log('corpus           queries  embedded: nDCG@10  MRR     OpenSearch: nDCG@10  MRR     difference');
  for (const name of QUERY_SETS) {
    const { all: embedded } = (await runCorpus(name)).summary;
    const { all: onServers } = (await runCorpus(name, servers.openIndex)).summary;
    const columns = [embedded, onServers].map(({ ndcg, mrr }) => `${ndcg.toFixed(4)}   ${mrr.toFixed(4)}`);
    const difference = (onServers.ndcg - embedded.ndcg).toFixed(4);
    console.log(
      `${name.padEnd(16)} ${String(embedded.queries).padStart(7)}            ${columns.join('              ')}  ${difference}`,
    );
  }
}

type RankedByLucene = { readonly name: string; readonly results: readonly QueryResult[] };

/** Nothing for corpora in other languages than the analyzers are for. */
async function rankWith(rankByLucene: RankByLucene, querySet: QuerySetName): Promise<readonly RankedByLucene[]> {
  const corpus = readCorpus(querySet);
  if (corpus.documents.some(({ language }) => language !== 'en')) return [];
  const queries = corpus.queries.map(({ query }) => query);
  const ranked: RankedByLucene[] = [];
  for (const [name, rank] of await rankByLucene(storedDocuments(corpus.documents), queries, JUDGED_DEPTH))
    ranked.push({ name, results: await rankQueries(corpus, rank) });
  return ranked;
}

function luceneColumn({ name, results }: RankedByLucene, half: Half | 'all'): string {
  const { ndcg, mrr } = qualityOf(results.filter(({ judged }) => half === 'all' || judged.half === half));
  return `${' '.repeat(`${name}: `.length)}${ndcg.toFixed(4)}   ${mrr.toFixed(4)}`;
}

function tableRow(summary: CorpusSummary, half: Half | 'all'): string {
  const { queries, ndcg, mrr, plainBm25, ratio } = summary[half];
  const ours = `${String(queries).padStart(7)}  ${ndcg.toFixed(4)}   ${mrr.toFixed(4)}`;
  const plain = `${plainBm25.ndcg.toFixed(4)}   ${plainBm25.mrr.toFixed(4)}`;
  return `${half.padEnd(9)} ${ours}              ${plain}  ${ratio.toFixed(4)}`;
}

function missOf({ judged, ranking, ndcg }: QueryResult): string {
  const shown = ranking.slice(0, 5).map((id) => `${id}:${judged.relevant[id] ?? 0}`);
  return `  ${ndcg.toFixed(2)} ${judged.half.padEnd(8)} ${judged.query} → ${shown.join(' ')}`;
}

async function printTuning(): Promise<void> {
  await using open = new AsyncDisposableStack();
  const corpora: OpenedCorpus[] = [];
  for (const name of QUERY_SETS) {
    const corpus = readCorpus(name);
    corpora.push({ corpus, rank: open.use(await openCorpus(corpus)).rank });
  }
  const found = await tune(corpora, DEFAULT_RELEVANCE, console.log);
  console.log(JSON.stringify(found, null, 2));
  for (const half of HALVES) {
    for (const opened of corpora) {
      const [before, after] = [await score([opened], half, DEFAULT_RELEVANCE), await score([opened], half, found)];
      const shown = `${before.toFixed(4)} → ${after.toFixed(4)}`;
      console.log(`${opened.corpus.name.padEnd(16)} ${half.padEnd(9)} ${shown}`);
    }
  }
}
