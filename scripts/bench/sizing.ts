import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RunningProduct, startProcesses } from '../../test/helpers/processes.ts';
import { generateCorpus } from './generate-corpus.ts';
import { cpuMs, memoryOf } from './process-costs.ts';
import { pushCorpus } from './push-corpus.ts';
import { bytesOf } from './search/folder-size.ts';

const HELP = `usage: node scripts/bench/sizing.ts [--documents 10000,100000] [--keep] [--folder <folder>]

What an installation needs by its number of documents (generated, some 150 words each, one engine): memory in which pages
that processes have in common count once, disk, and processor time of pushes and searches. A row of a table for each
number. With --keep the folders stay and are named; --folder measures such a one, started anew, without a push. Loopback
only.
`;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '10000,100000' },
    keep: { type: 'boolean', default: false },
    folder: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const KEY = 'bench-sizing-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
/** A minute without writes is followed by a merge; an index that stays as it is for longer is merged. */
const MERGED_AFTER_MS = 150_000;
/** Threads that rest give memory back (decision 0095). */
const REST_MS = 60_000;
const SEARCHES = 400;
/** Filled before, so that the figures are those of a product at work. */
const WARM_SEARCHES = 100;

const PROVISION = {
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Bench',
      keys: [{ name: 'bench', value: KEY }],
      engines: [{ id: 1, name: 'Bench', language: 'en', facets: [{ name: 'Category', field: 'Category' }] }],
      crawlers: [{ id: 1, engine: 1, name: 'Push', seeds: [] }],
    },
  ],
};

const COLUMNS = [
  'Documents',
  'Memory at rest, MB',
  'of it api · upkeep · crawl · others',
  'After searches, MB',
  'Store, MB',
  'Index, MB',
  'CPU of a push, ms',
  'CPU of a search, ms',
];
console.log(`| ${COLUMNS.join(' | ')} |`);
console.log(`|${' --- |'.repeat(COLUMNS.length)}`);
for (const count of values.documents.split(',').map(Number)) {
  const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'fossick-bench-sizing-')));
  const isKept = values.keep || values.folder !== undefined;
  try {
    console.log(`| ${(await measure(folder, count)).join(' | ')} |`);
  } finally {
    if (isKept) console.log(`kept: ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}
process.exit(0);

async function measure(folder: string, count: number): Promise<readonly string[]> {
  const provision = join(folder, 'provision.json');
  await writeFile(provision, JSON.stringify(PROVISION));
  const dataDir = join(folder, 'data');
  const environment = { CONFIG_FILE: provision, RATE_MANAGEMENT_PER_SECOND: '0', RATE_SEARCH_PER_SECOND: '0' };
  await using product = await startProcesses({ dataDir, environment });
  const engine = join(dataDir, 'engines', '1');
  const pushMs = values.folder === undefined ? await push(product, { engine, count }) : undefined;
  await searchFor(product, 1);
  await rest(REST_MS);
  const resting = sharesOf(product);
  await searchFor(product, WARM_SEARCHES);
  const api = product.pids().get('api') ?? 0;
  const searched = cpuMs(api);
  await searchFor(product, SEARCHES);
  const searchMs = (cpuMs(api) - searched) / SEARCHES;
  const indexBytes = await bytesOf(join(engine, 'index'));
  const parts = [resting.api, resting.upkeep, resting.crawl, resting.others].map((share) => share.toFixed(0));
  return [
    count.toLocaleString('en'),
    totalOf(resting).toFixed(0),
    parts.join(' · '),
    totalOf(sharesOf(product)).toFixed(0),
    megabytes((await bytesOf(engine)) - indexBytes),
    megabytes(indexBytes),
    pushMs?.toFixed(2) ?? '–',
    searchMs.toFixed(1),
  ];
}

/** Resolves, when all is merged that will be, with the processor time of a document. */
async function push(
  product: RunningProduct,
  { engine, count }: { readonly engine: string; readonly count: number },
): Promise<number> {
  const before = workMs(product);
  await pushCorpus({ address: product.address, customerId: 1, apiKey: KEY }, { engineId: 1, crawlerId: 1, count });
  const manifest = () => readFile(join(engine, 'index', 'MANIFEST'), 'utf8');
  for (let last = ''; last !== (await manifest()); ) {
    last = await manifest();
    await rest(MERGED_AFTER_MS);
  }
  return (workMs(product) - before) / count;
}

/** Processor time of the processes that take and index documents. */
function workMs(product: RunningProduct): number {
  const pids = product.pids();
  return cpuMs(pids.get('api') ?? 0) + cpuMs(pids.get('upkeep') ?? 0);
}

type Shares = { readonly [part in 'api' | 'upkeep' | 'crawl' | 'others']: number };

/** Memory in MB by process; those without a column of their own are Redis and the supervisor. */
function sharesOf(product: RunningProduct): Shares {
  const shares = { api: 0, upkeep: 0, crawl: 0, others: 0 };
  for (const [role, pid] of product.pids()) {
    const part = role.startsWith('crawl') ? 'crawl' : role === 'api' || role === 'upkeep' ? role : 'others';
    shares[part] += memoryOf(pid).share;
  }
  return shares;
}

function totalOf({ api, upkeep, crawl, others }: Shares): number {
  return api + upkeep + crawl + others;
}

/** Two words of a title: what a visitor of a search page asks. */
async function searchFor(product: RunningProduct, count: number): Promise<void> {
  for (const { title } of generateCorpus(count)) {
    const query = title.split(' ').slice(0, 2).join(' ');
    const response = await fetch(`${product.address}/api/v4/1/1/search`, {
      method: 'POST',
      headers: { authorization: BASIC, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    if (!response.ok) throw new Error(`a search was refused: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
