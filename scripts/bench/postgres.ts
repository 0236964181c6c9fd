/**
 * Usage: node scripts/bench/postgres.ts [pages] [--durable]
 * What the stores cost on PostgreSQL: a store of an engine in time and disk, and a page of a crawl in statements, round
 * trips and processor time of the client. Starts a server of its own, in memory unless it is to wait for the disk.
 */
import { openPostgresStores } from '../../src/storage/postgres/open-postgres-stores.ts';
import { startPostgresServer } from '../../test/helpers/postgres-server.ts';
import { silentLog } from '../../test/helpers/silent-log.ts';
import { countRoundTrips } from './postgres/count-round-trips.ts';
import { recordPages } from './postgres/record-pages.ts';

const ENGINES = 50;
const PAGES = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 500);
const DATABASE = 'bench';

await using server = await startPostgresServer({
  isDurable: process.argv.includes('--durable'),
  settings: ['shared_preload_libraries=pg_stat_statements'],
});
await server.createDatabase(DATABASE);
await server.query(DATABASE, 'CREATE EXTENSION pg_stat_statements');
await using stores = await openPostgresStores({
  url: server.url(DATABASE),
  connections: 6,
  dataDir: '/nowhere',
  log: silentLog,
});

const roundTrips = countRoundTrips();
const sizeBytes = async () =>
  Number((await server.query(DATABASE, `SELECT pg_database_size('${DATABASE}') AS n`))[0]?.['n']);
const beforeBytes = await sizeBytes();
const startedMs = performance.now();
for (let engineId = 1; engineId <= ENGINES; engineId++) await stores.engineStores.of(engineId);
const made = {
  what: 'store of an engine',
  ms: (performance.now() - startedMs) / ENGINES,
  diskKb: ((await sizeBytes()) - beforeBytes) / ENGINES / 1024,
};
const dropStartedMs = performance.now();
await stores.engineStores.remove(ENGINES);
const dropped = { what: 'dropped', ms: performance.now() - dropStartedMs };
process.stdout.write(`${JSON.stringify(made)}\n${JSON.stringify(dropped)}\n`);
for (const atOnce of [1, 10]) {
  const store = await stores.engineStores.of(atOnce);
  await server.query(DATABASE, 'SELECT pg_stat_statements_reset()');
  const { roundTrips: ways, ...cost } = await recordPages(store, { pages: PAGES, atOnce, roundTrips });
  const counted = { statements: (await countStatements()) / PAGES, roundTrips: ways };
  process.stdout.write(`${JSON.stringify({ what: 'page of a crawl', atOnce, ...cost, ...counted })}\n`);
}

/** Of stores only: neither what begins and ends transactions, nor the look for changes. */
async function countStatements(): Promise<number> {
  const [row] = await server.query(
    DATABASE,
    `SELECT sum(calls) AS n FROM pg_stat_statements
       WHERE query ~* '^(select|insert|update|delete|with) ' AND query !~ 'fossick.stores|advisory'`,
  );
  return Number(row?.['n']);
}
