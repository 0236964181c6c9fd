import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRoundTrips } from '../../scripts/bench/postgres/count-round-trips.ts';
import { openPostgresStores } from '../../src/storage/postgres/open-postgres-stores.ts';
import { eventually } from '../helpers/eventually.ts';
import { type PostgresServer, startPostgresServer } from '../helpers/postgres-server.ts';
import { silentLog } from '../helpers/silent-log.ts';

const ENGINE = 6;
const CRAWLER = 17;

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgresServer();
  await server.createDatabase('trips');
});
afterAll(() => server[Symbol.asyncDispose]());

const open = () =>
  openPostgresStores({ url: server.url('trips'), connections: 6, dataDir: '/nowhere', log: silentLog });

test('a read is one round trip, with its end and a look for changes of others', async () => {
  await using stores = await open();
  await using others = await open();
  const store = await stores.engineStores.of(ENGINE);
  const exchanges: { readonly statements: readonly string[]; readonly roundTrips: number }[] = [];
  const token = store.changeToken();
  await (await others.engineStores.of(ENGINE)).ensureHost(CRAWLER, 'https://site.example');
  countRoundTrips((statements, roundTrips) => exchanges.push({ statements, roundTrips }));

  const startedAtMs = performance.now();
  // Reads without a pause, which leave no time for a look of its own.
  await eventually(async () => {
    await store.livingRunsOf(CRAWLER);
    return store.changeToken() !== token && performance.now() - startedAtMs > 1_000;
  });

  const reads = exchanges.filter(({ statements }) => statements[0]?.startsWith('BEGIN READ ONLY'));
  expect(reads.length).toBeGreaterThan(10);
  expect(reads.filter(({ roundTrips }) => roundTrips > 1)).toEqual([]);
  expect(reads.filter(({ statements }) => statements[0]?.includes('fossick.stores')).length).toBeGreaterThan(0);
});

test('a read of several steps sees what its earlier ones found', async () => {
  await using stores = await open();
  const store = await stores.engineStores.of(ENGINE + 1);
  const hosts = await Promise.all(
    ['https://a.example', 'https://b.example'].map((origin) => store.ensureHost(CRAWLER, origin)),
  );

  const found = await store.findHostOf(CRAWLER, 'https://b.example');
  const listed = await store.findHosts([hosts[1]?.id ?? 0, 0, hosts[0]?.id ?? 0]);

  expect(found?.id).toBe(hosts[1]?.id);
  expect(listed.map((host) => host?.origin)).toEqual(['https://b.example', undefined, 'https://a.example']);
});
