import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_BATCH_BYTES, type MovedRow, type StoreTables } from '../../src/storage/move/store-tables.ts';
import { openConnections } from '../../src/storage/postgres/connections.ts';
import { newPostgresStore } from '../../src/storage/postgres/move/postgres-tables.ts';
import { newSqliteStore } from '../../src/storage/sqlite/move/sqlite-tables.ts';
import { runCli } from '../helpers/cli.ts';
import { dumpStore, engineTarget, newDatabase, randomInstallation, SYSTEM } from '../helpers/moved-installations.ts';
import { RUN_SEED } from '../helpers/run-seed.ts';
import { silentLog } from '../helpers/silent-log.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ENGINES = [6, 4_000_000_000_000];

test('every row of every table comes to PostgreSQL and back as it was, whatever it holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 60 }), async (seed, rows) => {
      await using folder = await temporaryFolder();
      await using back = await temporaryFolder();
      await randomInstallation(folder.path, { engineIds: ENGINES, rows, seed });
      const url = await newDatabase();
      const before = dumpsOf(folder.path);

      const there = await runCli(['move', '--to', url], { environment: { DATA_DIR: folder.path } });
      const again = await runCli(['move', '--to', 'files'], {
        environment: { DATA_DIR: back.path, DATABASE_URL: url },
      });

      expect([there.err, again.err]).toEqual(['', '']);
      expect(dumpsOf(folder.path)).toEqual(before);
      expect(dumpsOf(back.path)).toEqual(before);
      const emptyTables = before.flatMap((store) => Object.entries(store).filter(([, found]) => found.length < rows));
      expect(emptyTables.map(([name]) => name).filter((name) => name !== 'sequences')).toEqual([]);
    }),
    { seed: RUN_SEED, numRuns: 2, endOnFailure: true },
  );
});

function dumpsOf(dataDir: string) {
  return [SYSTEM, ...ENGINES.map(engineTarget)].map((target) => dumpStore(dataDir, target));
}

test('floats and whole numbers of 64 bits are the same in both', async () => {
  const rows: readonly MovedRow[] = [0, 0.1, 5e-324, -1.7976931348623157e308, Infinity, -Infinity, 3].map(
    (value, at) => [BigInt(at) - 2n ** 63n, value, at % 2 === 0 ? null : 2n ** 63n - 1n],
  );
  await using both = await twoTables('n bigint PRIMARY KEY, r double precision, m bigint');

  for (const store of both.stores) {
    const [columns = []] = (await store.tables()).map((table) => table.columns.filter(({ isHidden }) => !isHidden));
    await store.insert('t', columns, rows);
    const found = await all(store);

    expect(found.map(([n, r, m]) => [BigInt(n as bigint), r, m])).toEqual(rows);
  }
});

test('rows are held in memory by their bytes, not by their number', async () => {
  const large = MAX_BATCH_BYTES / 4;
  const rows: readonly MovedRow[] = Array.from({ length: 20 }, (_, at) => [
    at,
    Buffer.alloc(at === 7 ? 5 * large : large, at),
  ]);
  await using both = await twoTables('n bigint PRIMARY KEY, b bytea');

  for (const store of both.stores) {
    const [columns = []] = (await store.tables()).map((table) => table.columns.filter(({ isHidden }) => !isHidden));
    for (const row of rows) await store.insert('t', columns, [row]);
    const sizes: number[] = [];
    for await (const batch of store.batches('t', columns)) sizes.push(batch.length);

    expect(Math.max(...sizes)).toBeLessThanOrEqual(4);
    expect((await all(store)).map(([, bytes]) => (bytes as Uint8Array).length)).toEqual(
      rows.map(([, bytes]) => (bytes as Uint8Array).length),
    );
  }
});

async function all(store: StoreTables): Promise<readonly MovedRow[]> {
  const [columns = []] = (await store.tables()).map((table) => table.columns.filter(({ isHidden }) => !isHidden));
  const found: MovedRow[] = [];
  for await (const batch of store.batches('t', columns)) found.push(...batch);
  return found.sort(([a], [b]) => (BigInt(a as bigint) < BigInt(b as bigint) ? -1 : 1));
}

/** A table `t` in each database, as a later version might have it; that of PostgreSQL in a transaction. */
async function twoTables(columns: string) {
  await using stack = new AsyncDisposableStack();
  const db = new DatabaseSync(':memory:');
  stack.defer(() => db.close());
  const inSqlite = columns
    .replace(/bigint/g, 'INTEGER')
    .replace(/double precision/g, 'REAL')
    .replace(/bytea/g, 'BLOB');
  db.exec(`CREATE TABLE t (${inSqlite}) STRICT`);
  const connections = stack.use(await openConnections({ url: await newDatabase(), max: 1, log: silentLog }));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const lent = Promise.withResolvers<ReturnType<typeof newPostgresStore>>();
  const done = connections.use(async (session) => {
    await session.script(`CREATE SCHEMA s; CREATE TABLE s.t (${columns}); BEGIN`);
    lent.resolve(newPostgresStore(session, 's'));
    await released;
    await session.script('COMMIT');
  });
  stack.defer(async () => {
    release();
    await done;
  });
  const stores = [newSqliteStore(db), await lent.promise];
  const owned = stack.move();
  return { stores, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
