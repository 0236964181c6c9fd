import { parseArgs } from 'node:util';
import { FRONTIER_FLAGS } from '../../src/core/crawl-words.ts';
import type { DueRow } from '../../src/storage/engine/due-rows.ts';
import type { NewUrl } from '../../src/storage/engine/frontier.ts';
import type { RecordedVisit } from '../../src/storage/engine/visits.ts';
import { openPostgresStores } from '../../src/storage/postgres/open-postgres-stores.ts';
import { startPostgresServer } from '../../test/helpers/postgres-server.ts';
import { silentLog } from '../../test/helpers/silent-log.ts';
import { countRoundTrips } from './postgres/count-round-trips.ts';
import { serverCpuMs } from './process-costs.ts';

const HELP = `usage: node scripts/bench/frontier-simulation.ts [options]

A crawl without a network: the frontier of one engine on PostgreSQL takes pages that are due and records each with its
log row and new links, until so many URLs are known. Prints what a page costs at each step, and what a URL takes of the
disk. Starts a server of its own in a temporary folder, which waits for the disk.

  --urls 10000000   known URLs at the end; 1 GB of disk for each million
  --links 100       new links of a page
  --hosts 100       hosts, as many pages of each
  --every 250000    known URLs between two lines

The last lines tell the largest tables, with their indexes and without.
`;

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '10000000' },
    links: { type: 'string', default: '100' },
    hosts: { type: 'string', default: '100' },
    every: { type: 'string', default: '250000' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const [URLS, LINKS, HOSTS, EVERY] = [values.urls, values.links, values.hosts, values.every].map(Number) as [
  number,
  number,
  number,
  number,
];
const DATABASE = 'bench';
const ENGINE = 1;
const CRAWLER = 17;
const ORDER = { crawlerId: CRAWLER, activation: 1, configVersion: 1 };
/** As many as a slice records at once. */
const TAKEN = 16;
const DAY_MS = 86_400_000;

await using server = await startPostgresServer({
  isDurable: true,
  settings: ['shared_preload_libraries=pg_stat_statements', 'shared_buffers=256MB', 'max_wal_size=2GB'],
});
await server.createDatabase(DATABASE);
await server.query(DATABASE, 'CREATE EXTENSION pg_stat_statements');
const stores = { url: server.url(DATABASE), connections: 6, dataDir: '/nowhere', log: silentLog };
await using opened = await openPostgresStores(stores);
const store = await opened.engineStores.of(ENGINE);
const roundTrips = countRoundTrips();
const serverPid = server.pid();

let now = Date.UTC(2026, 0, 1);
let known = 0;
const runId = (await store.createRun({ ...ORDER, kind: 'full', startedBy: 'bench', at: now, whenBusy: 'wait' })) ?? 0;
await store.startRun(runId, now);
const seeds = Array.from({ length: HOSTS }, (_, host) => newUrl(known++, host));
await store.addUrls({ ...ORDER, runId, now, urls: seeds });
const lane = await store.takeLane({ crawlerId: CRAWLER, stage: 'page', lane: 1, holder: 'bench' });
if (lane === undefined) throw new Error('The lane is busy');
const held = lane;

console.log(
  '| Known URLs | Pages | ms a page | CPU ms here | CPU ms of the server | statements | round trips | bytes a URL |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
let hostId = 0;
while (known < URLS) await step(Math.min(URLS, known + EVERY));
for (const row of await tableSizes()) console.log(row);

/** Visits until so many URLs are known, and one line of what a page has cost. */
async function step(target: number): Promise<void> {
  await server.query(DATABASE, 'SELECT pg_stat_statements_reset()');
  const before = { at: performance.now(), own: process.cpuUsage(), server: serverCpuMs(serverPid), ways: roundTrips() };
  let pages = 0;
  while (known < target) pages += await visitSome();
  const { user, system } = process.cpuUsage(before.own);
  const perPage = (value: number, digits: number) => (value / pages).toFixed(digits);
  const cells = [
    known.toLocaleString('en'),
    pages.toLocaleString('en'),
    perPage(performance.now() - before.at, 1),
    perPage((user + system) / 1_000, 2),
    perPage(serverCpuMs(serverPid) - before.server, 2),
    perPage(await countStatements(), 0),
    perPage(roundTrips() - before.ways, 2),
    ((await databaseBytes()) / known).toFixed(0),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

/** A lane takes what is due of one host after the other. */
async function visitSome(): Promise<number> {
  now += 1_000;
  const hosts = [{ hostId: (hostId++ % HOSTS) + 1, limit: TAKEN }];
  const rows = await store.takeDue({ ...ORDER, lane: held, stage: 'page', now, maxPriority: 3, hosts });
  const visits = rows.map(visitOf);
  if (visits.length > 0) {
    await store.recordVisits({ ...ORDER, lane: held, now, visits });
  }
  return visits.length;
}

function visitOf({ urlId, hostId: ofHost, record }: DueRow): RecordedVisit {
  const hash = String(BigInt(urlId) * 1_234_567_890_123n);
  return {
    urlId,
    hostId: ofHost,
    next: 'done',
    answer: 'good',
    target: undefined,
    document: undefined,
    log: { outcome: 'added', reason: 'new', httpStatus: 200, bytes: 46_000, millis: 12, detail: undefined },
    record: {
      ...record,
      ...({ state: 'live', reason: 'new', httpStatus: 200, extractVersion: 1, contentChars: 6_000 } as const),
      ...{ etag: '"5f3c-61a2b3c4d5e6f"', lastModified: 'Fri, 02 Jan 2026 00:00:00 GMT' },
      ...{ bodyHash: hash, contentHash: hash, similarity: hash },
      ...{ changedAt: now, intervalMs: DAY_MS, nextAt: now + DAY_MS },
    },
    links: {
      known: [],
      fresh: Array.from({ length: LINKS }, () => newUrl(known++, ofHost - 1)),
      pageLimit: Number.MAX_SAFE_INTEGER,
    },
  };
}

/** Of 95 characters: pages link to their own host. */
function newUrl(place: number, host: number): NewUrl {
  const slug = `some-longer-article-slug-about-a-topic-${(place * 7_919) % 997}-${place}`;
  const url = `https://www${host}.example.org/section-${place % 37}/${slug}.html`;
  return { url, origin: 'link', depth: 3, priority: 3, flags: FRONTIER_FLAGS.follow, enqueue: 'if-new' };
}

async function tableSizes(): Promise<readonly string[]> {
  const rows = await server.query(
    DATABASE,
    `SELECT relname AS name, pg_total_relation_size(relid) AS bytes, pg_relation_size(relid) AS own
       FROM pg_stat_user_tables WHERE schemaname = 'fossick_engine_${ENGINE}' ORDER BY bytes DESC LIMIT 6`,
  );
  const perUrl = (bytes: unknown) => (Number(bytes) / known).toFixed(0);
  return rows.map(
    (row) => `${row['name']}: ${perUrl(row['bytes'])} bytes a URL, ${perUrl(row['own'])} without indexes`,
  );
}

async function countStatements(): Promise<number> {
  const [row] = await server.query(
    DATABASE,
    `SELECT sum(calls) AS n FROM pg_stat_statements
       WHERE query ~* '^(select|insert|update|delete|with) ' AND query !~ 'fossick.stores|advisory|pg_'`,
  );
  return Number(row?.['n']);
}

async function databaseBytes(): Promise<number> {
  return Number((await server.query(DATABASE, `SELECT pg_database_size('${DATABASE}') AS n`))[0]?.['n']);
}
