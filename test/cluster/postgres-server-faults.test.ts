import { statSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewDocument } from '../../src/core/document.ts';
import type { EngineStore } from '../../src/storage/engine-store.ts';
import { openPostgresStores } from '../../src/storage/postgres/open-postgres-stores.ts';
import { eventually } from '../helpers/eventually.ts';
import { smallFileSystem } from '../helpers/full-disk.ts';
import { type PostgresServer, startPostgresServer } from '../helpers/postgres-server.ts';
import { silentLog } from '../helpers/silent-log.ts';

const ENGINE = 6;
const CRAWLER = 17;
const LIMIT = { rows: 100_000, bytes: 2 ** 30 };
/** Fills a disk of 256 MB before long, and cannot be packed. */
const LONG_TEXT = Array.from({ length: 20_000 }, (_, at) => Math.imul(at + 1, 2_654_435_761).toString(36)).join(' ');
/** All of those that PostgreSQL keeps for its own people, too. */
const MOST_CONNECTIONS = 12;

let server: PostgresServer;
let databases = 0;
beforeAll(async () => {
  server = await startPostgresServer({ settings: [`max_connections=${MOST_CONNECTIONS}`, 'max_wal_senders=4'] });
  await server.query('postgres', "CREATE ROLE guest LOGIN PASSWORD 'not secret'");
});
afterAll(() => server[Symbol.asyncDispose]());

const open = (url: string, connections = 3) =>
  openPostgresStores({ url, connections, dataDir: '/nowhere', log: silentLog });

async function newDatabase(): Promise<string> {
  databases++;
  const name = `server_faults_${databases}`;
  await server.createDatabase(name);
  return name;
}

const document = (id: string, content = id): NewDocument => ({
  id,
  kind: 'PageContent',
  origin: 'pushed',
  language: 'en',
  fields: new Map([['Title', [content]]]),
});

async function idsOf(store: EngineStore): Promise<ReadonlySet<string>> {
  return new Set((await store.changesAfter(0, LIMIT)).map(({ id }) => id));
}

/** Stores long documents until the server takes no more; what it has acknowledged, and how it refused. */
async function fillWith(store: EngineStore) {
  const acknowledged: string[] = [];
  for (let at = 0; at < 20_000; at++) {
    const id = `long/${at}`;
    try {
      await store.putDocuments(CRAWLER, [document(id, `${at} ${LONG_TEXT}`)], at);
      acknowledged.push(id);
    } catch (refused) {
      return { acknowledged, refused };
    }
  }
  throw new Error('The disk was never full');
}

test.each([
  ['may make no schemas', async (_name: string) => undefined],
  [
    'is not the one who made the stores',
    async (name: string) => {
      await (await open(server.url(name)))[Symbol.asyncDispose]();
    },
  ],
])('a user who %s is told what is missing', async (_what, prepare) => {
  const name = await newDatabase();
  await prepare(name);
  const url = new URL(server.url(name));
  url.username = 'guest';

  const opening = open(url.href);

  await expect(opening).rejects.toThrow(/PostgreSQL \(DATABASE_URL\) cannot be used: the user lacks a right \(GRANT/);
  await expect(opening).rejects.toMatchObject({ code: 'storage.unavailable' });
});

test('an engine whose schema somebody dropped is damaged, and the others go on', async () => {
  const name = await newDatabase();
  await using stores = await open(server.url(name));
  const [lost, kept] = [await stores.engineStores.of(ENGINE), await stores.engineStores.of(ENGINE + 1)];

  await server.query(name, `DROP SCHEMA fossick_engine_${ENGINE} CASCADE`);

  await expect(lost.putDocuments(CRAWLER, [document('a')], 1)).rejects.toMatchObject({ code: 'storage.damaged' });
  await expect(lost.lastSeq()).rejects.toThrow(/restore a dump/);
  await kept.putDocuments(CRAWLER, [document('a')], 1);
  expect(await kept.lastSeq()).toBe(1);
});

test('while the server has no connection left, calls go on with those that are open, and others are told why', async () => {
  const name = await newDatabase();
  await using stores = await open(server.url(name), 6);
  const store = await stores.engineStores.of(ENGINE);
  await store.putDocuments(CRAWLER, [document('a')], 1);
  const taken: Client[] = [];
  const takeAll = async () => {
    for (;;) {
      const client = new Client({ connectionString: server.url('postgres') });
      client.on('error', () => undefined);
      await client.connect();
      taken.push(client);
    }
  };
  await expect(takeAll()).rejects.toMatchObject({ code: '53300' });

  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => store.lastSeq()));
  const alone = await store.lastSeq();
  const opening = open(server.url(name));

  await expect(opening).rejects.toThrow(/it has no connection left \(max_connections/);
  expect(alone).toBe(1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'storage.unavailable' });
  }
  await Promise.all(taken.map((client) => client.end()));
  const after = await eventually(async () => await Promise.all(Array.from({ length: 4 }, () => store.lastSeq())));
  expect(after).toEqual([1, 1, 1, 1]);
});

test('a standby is read, takes no writes and says so, and takes them when it is promoted', async () => {
  const name = await newDatabase();
  {
    await using stores = await open(server.url(name));
    await (await stores.engineStores.of(ENGINE)).putDocuments(CRAWLER, [document('a')], 1);
  }
  await using standby = await startPostgresServer({
    standbyOf: server.url('postgres'),
    settings: [`max_connections=${MOST_CONNECTIONS}`],
  });
  await using stores = await open(standby.url(name));
  const store = await stores.engineStores.of(ENGINE);

  expect([...(await idsOf(store))]).toEqual(['a']);
  await expect(store.putDocuments(CRAWLER, [document('b')], 2)).rejects.toMatchObject({ code: 'storage.full' });
  expect(await stores.fault()).toBe('PostgreSQL takes no writes: it is read-only, as a standby is');

  await standby.query('postgres', 'SELECT pg_promote()');
  await eventually(() => store.putDocuments(CRAWLER, [document('b')], 2), 20_000);
  expect([...(await idsOf(store))]).toEqual(['a', 'b']);
  expect(await stores.fault()).toBeUndefined();
});

test('a tablespace without room refuses writes, is read, and takes writes when there is room', async () => {
  await using disk = await smallFileSystem();
  const folder = join(disk.path, 'tablespace');
  await mkdir(folder);
  const { uid, gid } = statSync(await dataFolderOf(server));
  await chown(folder, uid, gid);
  await chown(disk.path, uid, gid);
  await server.query('postgres', `CREATE TABLESPACE small LOCATION '${folder}'`);
  await server.query('postgres', 'CREATE DATABASE in_small TABLESPACE small');
  {
    await using stores = await open(server.url('in_small'));
    const store = await stores.engineStores.of(ENGINE);
    disk.fill([]);

    const { acknowledged, refused } = await fillWith(store);

    expect(refused).toMatchObject({
      code: 'storage.full',
      message: expect.stringContaining('No space left on device'),
    });
    expect(await stores.fault()).toContain('PostgreSQL takes no writes');
    const found = await idsOf(store);
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
    expect(found.size).toBe(acknowledged.length);

    disk.makeRoom([]);
    await eventually(() => store.putDocuments(CRAWLER, [document('after')], 1), 20_000);
    expect(await store.lastSeq()).toBe(acknowledged.length + 1);
    expect(await stores.fault()).toBeUndefined();
  }
  await server.dropDatabase('in_small');
  await server.query('postgres', 'DROP TABLESPACE small');
});

test('a data folder without room ends the server; what was acknowledged is there when it was given room', async () => {
  await using disk = await smallFileSystem();
  const settings = ['max_wal_size=64MB', 'min_wal_size=32MB'];
  await using small = await startPostgresServer({ isDurable: true, place: disk.path, settings });
  await small.createDatabase('without_room');
  await using stores = await open(small.url('without_room'));
  const store = await stores.engineStores.of(ENGINE);
  disk.fill([]);

  const { acknowledged, refused } = await fillWith(store);

  expect(['storage.full', 'storage.unavailable']).toContain((refused as { code?: string }).code);
  disk.makeRoom([]);
  await small.start();
  await eventually(() => store.putDocuments(CRAWLER, [document('after')], 1), 60_000);
  const found = await idsOf(store);
  expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
  expect(found.has('after')).toBe(true);
});

async function dataFolderOf({ query }: PostgresServer): Promise<string> {
  return String((await query('postgres', 'SHOW data_directory'))[0]?.['data_directory']);
}
