import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { lockInstallation } from '../../src/compose/process-lock.ts';
import { openStores } from '../../src/compose/stores.ts';
import { openDatabaseSource } from '../../src/storage/postgres/move/database-source.ts';
import { openPostgresStores } from '../../src/storage/postgres/open-postgres-stores.ts';
import { holdProcessLock } from '../../src/storage/sqlite/process-locks.ts';
import { storePath } from '../../src/storage/sqlite/write-messages.ts';
import { closedInstallation, openInstallation, pushedDocument } from '../helpers/backups.ts';
import { runCli } from '../helpers/cli.ts';
import { emptyDisk } from '../helpers/full-disk.ts';
import { askDatabase, dumpStore, engineTarget, newDatabase, SYSTEM } from '../helpers/moved-installations.ts';
import { startOldPostgres } from '../helpers/old-postgres.ts';
import { silentLog } from '../helpers/silent-log.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const move = (to: string, environment: Readonly<Record<string, string>>) =>
  runCli(['move', '--to', to], { environment });

test.each<[what: string, to: string, environment: Record<string, string>, code: number, says: string]>([
  ['no place to move to', 'sqlite', {}, 2, '--to must be "files" or the URL of a database'],
  ['files that are files', 'files', {}, 2, 'The stores are files already: set DATABASE_URL'],
  [
    'a database that is a database',
    'postgres://a@127.0.0.1:1/b',
    { DATABASE_URL: 'postgres://a@127.0.0.1:1/b' },
    2,
    'The stores are in PostgreSQL already (DATABASE_URL)',
  ],
  ['a folder without an installation', 'postgres://a@127.0.0.1:1/b', {}, 3, 'holds no installation'],
])('%s is refused', async (_what, to, environment, code, says) => {
  await using folder = await temporaryFolder();

  const refused = await move(to, { DATA_DIR: folder.path, ...environment });

  expect(refused).toMatchObject({ code, err: expect.stringContaining(says) });
});

test('a server that cannot be used is refused in words that say why', async () => {
  await using folder = await temporaryFolder();
  await closedInstallation(folder.path);
  const url = await newDatabase();
  const reader = await newReader(url);
  await using old = await startOldPostgres('14.9', 140_009);
  const wrong = new URL(url);
  wrong.password = 'wrong';
  const missing = new URL(url);
  missing.pathname = 'no_such_database';

  const said = [];
  for (const to of [wrong.href, missing.href, reader, old.url, 'postgres://a@127.0.0.1:1/b']) {
    said.push((await move(to, { DATA_DIR: folder.path })).err);
  }

  expect(said).toEqual([
    expect.stringContaining('the password is wrong'),
    expect.stringContaining('the server has no such database'),
    expect.stringMatching(/cannot be used: the user .*GRANT CREATE ON DATABASE/),
    expect.stringContaining('PostgreSQL 14.9 (DATABASE_URL) is too old: Fossick needs 15 or newer'),
    expect.stringContaining('PostgreSQL does not answer: connect ECONNREFUSED 127.0.0.1:1'),
  ]);
});

test('nothing is moved while a product, or a role alone, runs on the folder', async () => {
  await using folder = await temporaryFolder();
  await closedInstallation(folder.path);
  const url = await newDatabase();
  const said = [];
  {
    using _product = lockInstallation(folder.path);
    said.push(
      await move(url, { DATA_DIR: folder.path }),
      await move('files', { DATA_DIR: folder.path, DATABASE_URL: url }),
    );
  }
  {
    using _role = await holdProcessLock(folder.path, 'crawl.2');
    said.push(await move(url, { DATA_DIR: folder.path }));
  }

  expect(said.map(({ code }) => code)).toEqual([4, 4, 4]);
  expect(said.map(({ err }) => err)).toEqual([
    `fossick: Fossick runs on ${folder.path}: stop it before a move\n`,
    `fossick: Fossick runs on ${folder.path}: stop it before a move\n`,
    `fossick: crawl.2 of Fossick run on ${folder.path}: stop them before a move\n`,
  ]);
});

test('nothing is moved from a database on which a process of another machine works', async () => {
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  await using back = await temporaryFolder();
  await closedInstallation(folder.path);
  const url = await newDatabase();
  expect((await move(url, { DATA_DIR: folder.path })).code).toBe(0);
  await using stores = await openPostgresStores({ url, connections: 2, dataDir: other.path, log: silentLog });
  await stores.systemStore.identity();

  const refused = await move('files', { DATA_DIR: back.path, DATABASE_URL: url });

  expect(refused.code).toBe(4);
  expect(refused.err).toMatch(
    /Fossick runs on the database \(DATABASE_URL\), with \d connections: stop it on every machine/,
  );
});

test('a write to the database during a move is noticed before its last step', async () => {
  await using folder = await temporaryFolder();
  await closedInstallation(folder.path);
  const url = await newDatabase();
  await move(url, { DATA_DIR: folder.path });
  await using source = await openDatabaseSource({ url, log: silentLog });
  await source.requireUnchanged();
  {
    await using stores = await openPostgresStores({ url, connections: 2, dataDir: folder.path, log: silentLog });
    await (await stores.engineStores.of(6)).putDocuments(17, [pushedDocument('late')], 2);
  }

  await expect(source.requireUnchanged()).rejects.toThrow(
    'Something wrote to the database (DATABASE_URL) during the move',
  );
});

test('a target that is not empty is refused and stays as it was', async () => {
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  await closedInstallation(folder.path);
  await closedInstallation(other.path);
  const url = await newDatabase();
  await move(url, { DATA_DIR: folder.path });
  const before = dumpStore(other.path, engineTarget(6));

  const toDatabase = await move(url, { DATA_DIR: other.path });
  const toFiles = await move('files', { DATA_DIR: other.path, DATABASE_URL: url });

  expect(toDatabase.err).toContain('The database holds an installation already');
  expect(toFiles.err).toContain('holds stores already, which a move does not replace');
  expect([toDatabase.code, toFiles.code]).toEqual([4, 4]);
  expect(dumpStore(other.path, engineTarget(6))).toEqual(before);
});

test('a half of another installation is gone on with by nobody else, and opened by nobody', async () => {
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  await closedInstallation(folder.path);
  await closedInstallation(other.path);
  const url = await newDatabase();
  await move(url, { DATA_DIR: folder.path });
  await askDatabase(
    url,
    "CREATE TABLE fossick.move (name text PRIMARY KEY, value text NOT NULL); INSERT INTO fossick.move VALUES ('installation', 'another')",
  );

  const there = await move(url, { DATA_DIR: other.path });
  const back = await move('files', { DATA_DIR: other.path, DATABASE_URL: url });
  const opened = openStores({ DATA_DIR: folder.path, DATABASE_URL: url, DATABASE_CONNECTIONS: 2 }, silentLog);

  await expect(opened).rejects.toThrow('An installation is being moved to this database');
  expect(there.err).toContain('A move of another installation to this database was broken off');
  expect(back.err).toContain('An installation is being moved to this database');
});

test('a store of an older version is refused, with what to do', async () => {
  await using folder = await temporaryFolder();
  await closedInstallation(folder.path);
  {
    using db = new DatabaseSync(storePath(folder.path, engineTarget(6)));
    db.exec("UPDATE meta SET value = '3' WHERE name = 'schema_version'");
  }

  const refused = await move(await newDatabase(), { DATA_DIR: folder.path });

  expect(refused.err).toMatch(/engines\/6\/store.db has version 3, this program has \d+: start the product once/);
});

test('a table that the other side does not know is refused: it would be lost', async () => {
  await using folder = await temporaryFolder();
  await closedInstallation(folder.path);
  {
    using db = new DatabaseSync(storePath(folder.path, engineTarget(6)));
    db.exec('CREATE TABLE extra (id INTEGER PRIMARY KEY); ALTER TABLE hosts ADD COLUMN more TEXT');
  }

  const refused = await move(await newDatabase(), { DATA_DIR: folder.path });

  expect(refused.err).toContain('has other tables on both sides, so that nothing is moved: extra, hosts.more');
});

test('a disk without room is told before anything is written', async () => {
  await using folder = await temporaryFolder();
  await using disk = await emptyDisk(1);
  await closedInstallation(folder.path);
  const url = await newDatabase();
  await move(url, { DATA_DIR: folder.path });
  const dataDir = join(disk.path, 'data');

  const refused = await move('files', { DATA_DIR: dataDir, DATABASE_URL: url });

  expect(refused.err).toMatch(/The stores take up to \d+ MB, and the disk of \S+ has \d MB free: make room/);
  expect((await readdir(dataDir)).filter((name) => name !== 'lock.db')).toEqual([]);
});

test('a user who may only read is enough to move back, and one who may not is told so', async () => {
  await using folder = await temporaryFolder();
  await using back = await temporaryFolder();
  await closedInstallation(folder.path);
  const url = await newDatabase();
  await move(url, { DATA_DIR: folder.path });
  const reader = await newReader(url);

  const refused = await move('files', { DATA_DIR: back.path, DATABASE_URL: reader });
  await askDatabase(url, grantsOf(new URL(reader).username));
  const moved = await move('files', { DATA_DIR: back.path, DATABASE_URL: reader });

  expect(refused.err).toContain('PostgreSQL (DATABASE_URL) cannot be used: the user');
  expect(moved).toMatchObject({ code: 0, err: '' });
  expect(dumpStore(back.path, engineTarget(6))).toEqual(dumpStore(folder.path, engineTarget(6)));
});

test('a move that finds what it has moved already, and changed since, moves that store anew', async () => {
  await using folder = await temporaryFolder();
  await using back = await temporaryFolder();
  await closedInstallation(folder.path, [6, 7]);
  const url = await newDatabase();
  await move(url, { DATA_DIR: folder.path });
  await askDatabase(url, markOf(folder.path));
  await askDatabase(url, 'DROP SCHEMA fossick_system CASCADE');
  {
    await using installation = await openInstallation(folder.path);
    await (await installation.engines.of(6)).putDocuments(17, [pushedDocument('d')], 2);
  }
  await rm(join(folder.path, 'engines/7'), { recursive: true });

  const again = await runCli(['move', '--to', url, '--json'], { environment: { DATA_DIR: folder.path } });
  await move('files', { DATA_DIR: back.path, DATABASE_URL: url });

  expect(again.err).toBe('');
  expect(dumpStore(back.path, engineTarget(6))).toEqual(dumpStore(folder.path, engineTarget(6)));
  expect(await readdir(join(back.path, 'engines'))).toEqual(['6']);
});

/** As if the move had been broken off before its end: of the two engines it knows digests that fit no longer. */
function markOf(dataDir: string): string {
  using db = new DatabaseSync(storePath(dataDir, SYSTEM));
  const id = db.prepare("SELECT value FROM meta WHERE name = 'store_id'").get()?.['value'];
  return `CREATE TABLE fossick.move (name text PRIMARY KEY, value text NOT NULL);
    INSERT INTO fossick.move VALUES ('installation', '${id}'), ('engine 6', '{}'), ('engine 7', '{}')`;
}

async function newReader(url: string): Promise<string> {
  const reader = new URL(url);
  reader.username = `reader_${reader.pathname.slice(1)}`;
  reader.password = 'reads';
  await askDatabase(url, `CREATE ROLE ${reader.username} LOGIN PASSWORD 'reads'`);
  return reader.href;
}

function grantsOf(role: string): string {
  return ['fossick', 'fossick_system', 'fossick_engine_6']
    .flatMap((schema) => [
      `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
      `GRANT SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
    ])
    .join('; ');
}
