import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eventually } from '../../test/helpers/eventually.ts';
import { type RunningProduct, startProcesses } from '../../test/helpers/processes.ts';
import { pushDocuments } from '../push-documents.ts';
import { generateCorpus } from './generate-corpus.ts';
import { startGeneratedSite } from './generated-site.ts';
import { cpuMs, memoryOf } from './process-costs.ts';
import { compareEngines } from './search/compare-engines.ts';
import { writeCorpus } from './search/corpus-file.ts';
import { markdownOf } from './search/report.ts';

const HELP = `usage: npm run bench:smoke [-- --pages 3000 --pushes 20000 --documents 100000]

Cold start, crawl, push, idle memory, and CPU per search against SQLite FTS5 in the same run. Loopback only.
`;

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '3000' },
    pushes: { type: 'string', default: '20000' },
    documents: { type: 'string', default: '100000' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const KEY = 'bench-smoke-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
const BATCH = 100;
const [CRAWLED, PUSHED] = [1, 2];
/** Threads that rest give memory back (decision 0095). */
const REST_MS = 60_000;

const folder = await mkdtemp(join(tmpdir(), 'fossick-bench-'));
try {
  await measureProduct(Number(values.pages), Number(values.pushes));
  await measureSearch(Number(values.documents));
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

/** Three classes of `npm run bench:search` beside SQLite FTS5, which comes with Node. */
async function measureSearch(documents: number): Promise<void> {
  const corpus = join(folder, 'corpus.ndjson');
  await writeCorpus(corpus, documents);
  const figures = await compareEngines({
    corpus,
    documents,
    folder,
    engines: ['fossick', 'fts5'],
    queries: 40,
    rounds: 3,
    heapMb: 4_000,
    classes: ['one common word', '3 words AND', '4 words OR'],
    atRest: false,
    log: () => undefined,
  });
  console.log(markdownOf(figures));
}

async function measureProduct(pages: number, pushes: number): Promise<void> {
  await using site = await startGeneratedSite(pages);
  const file = join(folder, 'provision.json');
  const environment = { CONFIG_FILE: file, RATE_MANAGEMENT_PER_SECOND: '0', RATE_SEARCH_PER_SECOND: '0' };
  await measureIdle(file, environment);
  await writeFile(file, JSON.stringify(provision(site.start)));
  const startedAt = performance.now();
  await using product = await startProcesses({ dataDir: join(folder, 'data'), environment });
  console.log(`cold start to banner            ${seconds(startedAt)} s`);
  await measureCrawl(product, pages);
  await measurePush(product, pushes);
  printMemory('memory after the work', product);
  await rest(REST_MS);
  printMemory('memory a minute later', product);
}

/** An installation without any record, a minute after its second start: compiled code is kept by then. */
async function measureIdle(file: string, environment: Readonly<Record<string, string>>): Promise<void> {
  await writeFile(file, '{ "version": 1 }');
  const options = {
    dataDir: join(folder, 'idle'),
    environment: { ...environment, NODE_COMPILE_CACHE: join(folder, 'cache') },
  };
  await (await startProcesses(options)).stop();
  await using product = await startProcesses(options);
  await rest(REST_MS);
  printMemory('memory when idle', product);
}

function provision(seed: string) {
  const engine = (id: number, name: string) => ({ id, name, language: 'en' });
  return {
    version: 1,
    customers: [
      {
        id: 1,
        name: 'Bench',
        keys: [{ name: 'bench', value: KEY }],
        engines: [engine(CRAWLED, 'Crawled'), engine(PUSHED, 'Pushed')],
        crawlers: [
          { id: CRAWLED, engine: CRAWLED, name: 'Site', active: true, seeds: [seed] },
          { id: PUSHED, engine: PUSHED, name: 'Push', seeds: [] },
        ],
      },
    ],
  };
}

async function measureCrawl(product: RunningProduct, pages: number): Promise<void> {
  const crawlPid = product.pids().get('crawl-1') ?? 0;
  const upkeepPid = product.pids().get('upkeep') ?? 0;
  const startedAt = performance.now();
  await eventually(async () => (await total(product, CRAWLED)) >= pages, 600_000);
  const millis = performance.now() - startedAt;
  console.log(`crawl of ${pages} pages             ${((pages / millis) * 1_000).toFixed(0)} pages/s`);
  console.log(`  CPU of the crawl process      ${(cpuMs(crawlPid) / pages).toFixed(2)} ms/page`);
  console.log(`  CPU of the indexer            ${(cpuMs(upkeepPid) / pages).toFixed(2)} ms/page`);
}

async function measurePush(product: RunningProduct, pushes: number): Promise<void> {
  const documents = [...generateCorpus(pushes)].map(
    ({ id, title, description, content, category, language, author }) => ({
      id,
      fields: {
        Title: title,
        Description: description,
        Content: content,
        Category: category,
        Language: language,
        Author: author,
      },
    }),
  );
  const startedAt = performance.now();
  const target = { address: product.address, customerId: 1, crawlerId: PUSHED, key: KEY };
  await pushDocuments(target, documents, { together: BATCH });
  const millis = performance.now() - startedAt;
  await eventually(async () => (await total(product, PUSHED)) === pushes, 60_000);
  const visibleMillis = performance.now() - startedAt - millis;
  console.log(
    `push in batches of ${BATCH}           ${((pushes / millis) * 1_000).toFixed(0)} documents/s acknowledged`,
  );
  console.log(`  all searchable after the last ${visibleMillis.toFixed(0)} ms`);
}

function printMemory(label: string, product: RunningProduct): void {
  const rows = [...product.pids()].map(([role, pid]) => ({ role, ...memoryOf(pid) }));
  const sum = (part: 'resident' | 'share') => rows.reduce((all, row) => all + row[part], 0).toFixed(0);
  const parts = rows.map(({ role, resident }) => `${role} ${resident.toFixed(0)}`).join(', ');
  console.log(
    `${label.padEnd(31)} ${sum('resident')} MB resident (${parts}), ${sum('share')} MB without what they share`,
  );
}

async function total(product: RunningProduct, engineId: number): Promise<number> {
  const response = await fetch(`${product.address}/api/v4/1/${engineId}/search`, {
    method: 'POST',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '*', perPage: 1 }),
  });
  return ((await response.json()) as { TotalDocument: number }).TotalDocument;
}

function seconds(startedAt: number): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(2);
}
