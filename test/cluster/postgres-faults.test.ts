import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewDocument } from '../../src/core/document.ts';
import { openPostgresStores } from '../../src/storage/postgres/open-postgres-stores.ts';
import { eventually } from '../helpers/eventually.ts';
import { startOldPostgres } from '../helpers/old-postgres.ts';
import { type PostgresServer, startPostgresServer } from '../helpers/postgres-server.ts';
import { silentLog } from '../helpers/silent-log.ts';

const ENGINE = 6;
const CRAWLER = 17;
const LIMIT = { rows: 100_000, bytes: 2 ** 30 };

let server: PostgresServer;
let databases = 0;
beforeAll(async () => {
  server = await startPostgresServer({ isDurable: true });
});
afterAll(() => server[Symbol.asyncDispose]());

const open = (url: string) => openPostgresStores({ url, connections: 6, dataDir: '/nowhere', log: silentLog });

async function newDatabase(): Promise<string> {
  databases++;
  const name = `faults_${databases}`;
  await server.createDatabase(name);
  return name;
}

const document = (id: string, title = id): NewDocument => ({
  id,
  kind: 'PageContent',
  origin: 'pushed',
  language: 'en',
  fields: new Map([['Title', [title]]]),
});

test.each([
  ['a wrong password', () => server.url('postgres', 'wrong'), /the password is wrong/],
  ['a database that is not there', () => server.url('nothing'), /no such database/],
  ['a server that is not there', () => 'postgres://fossick@127.0.0.1:1/fossick', /does not answer: .*ECONNREFUSED/],
  ['a name that nobody knows', () => 'postgres://fossick@nowhere.invalid/fossick', /does not answer/],
])('%s is told in words, and may be tried again', async (_what, url, words) => {
  const opening = open(url());

  await expect(opening).rejects.toThrow(words);
  await expect(opening).rejects.toMatchObject({ code: 'storage.unavailable' });
});

test('a server that is too old is named with the least version', async () => {
  await using old = await startOldPostgres('14.9', 140_009);

  await expect(open(old.url)).rejects.toThrow('PostgreSQL 14.9 (DATABASE_URL) is too old: Fossick needs 15 or newer');
});

test('stores of a newer program are refused, and stay as they are', async () => {
  const name = await newDatabase();
  {
    await using stores = await open(server.url(name));
    await stores.engineStores.of(ENGINE);
    await stores.engineStores.of(ENGINE + 1);
  }
  await server.query(name, `UPDATE fossick_engine_${ENGINE}.meta SET value = '99' WHERE name = 'schema_version'`);
  {
    await using stores = await open(server.url(name));
    await expect(stores.engineStores.of(ENGINE)).rejects.toMatchObject({ code: 'storage.version-mismatch' });
    expect(await (await stores.engineStores.of(ENGINE + 1)).lastSeq()).toBe(0);
  }
  await server.query(name, "UPDATE fossick_system.meta SET value = '99' WHERE name = 'schema_version'");

  await expect(open(server.url(name))).rejects.toThrow(
    /system store has version 99, this program knows \d+: start the/,
  );
});

test('processes that start together on an empty database make its stores once', async () => {
  const name = await newDatabase();

  const opened = await Promise.all([1, 2, 3].map(() => open(server.url(name))));
  const identities = await Promise.all(opened.map(({ systemStore }) => systemStore.identity()));

  expect(new Set(identities.map(({ storeId }) => storeId)).size).toBe(1);
  for (const stores of opened) await stores[Symbol.asyncDispose]();
});

test('a database that takes no writes is read all the same', async () => {
  const name = await newDatabase();
  {
    await using stores = await open(server.url(name));
    await (await stores.engineStores.of(ENGINE)).putDocuments(CRAWLER, [document('a')], 1);
  }
  await server.query('postgres', `ALTER DATABASE ${name} SET default_transaction_read_only TO on`);
  await using stores = await open(server.url(name));
  const store = await stores.engineStores.of(ENGINE);

  await expect(store.putDocuments(CRAWLER, [document('b')], 2)).rejects.toMatchObject({ code: 'storage.full' });

  expect(await store.findDocument(CRAWLER, 'a')).toBeDefined();
});

test('an id of 8,000 characters that cannot be packed is a document, and stays one', async () => {
  await using stores = await open(server.url(await newDatabase()));
  const store = await stores.engineStores.of(ENGINE);
  const id = randomBytes(6_000).toString('base64');

  await store.putDocuments(CRAWLER, [document(id, 'one')], 1);
  await store.putDocuments(CRAWLER, [document(id, 'two')], 2);

  expect((await store.findDocument(CRAWLER, id))?.fields.get('Title')).toEqual(['two']);
  expect(await store.countDocuments()).toBe(1);
});

test('a text with U+0000 is taken, and read as it was', async () => {
  await using stores = await open(server.url(await newDatabase()));
  const store = await stores.engineStores.of(ENGINE);
  const feedback = {
    ...({ engineId: ENGINE, kind: 'answer', key: 'k', at: 1, matched: false } as const),
    ...{ rating: undefined, reason: undefined, language: undefined },
  };

  await store.putDocuments(CRAWLER, [document('a\0\uFDD0\uFDD1b', 'Title\0')], 1);
  for (const extra of ['a\0', 'b\0']) {
    await stores.systemStore.mergeFeedback({ ...feedback, comment: 'c\0', extra: { extra } });
  }

  expect((await store.findDocument(CRAWLER, 'a\0\uFDD0\uFDD1b'))?.fields.get('Title')).toEqual(['Title\0']);
  const [found] = await stores.systemStore.listFeedback({ engineId: ENGINE, limit: 1 });
  expect(found).toMatchObject({ comment: 'c\0', extra: { extra: 'b\uFFFD' } });
});

test('a write that fails leaves those alone that share its transaction', async () => {
  await using stores = await open(server.url(await newDatabase()));
  const store = await stores.engineStores.of(ENGINE);
  const broken = { ...document('b'), language: undefined as unknown as string };
  const ids = ['a', 'b', 'c', 'd'];

  const outcomes = await Promise.allSettled(
    ids.map((id) => store.putDocuments(CRAWLER, [id === 'b' ? broken : document(id)], 1)),
  );

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect((await store.changesAfter(0, LIMIT)).map(({ id, seq }) => [id, seq])).toEqual([
    ['a', 1],
    ['c', 2],
    ['d', 3],
  ]);
});

test('processes that write to one engine at once take each seq once, in the order of their commits', async () => {
  const url = server.url(await newDatabase());
  await using one = await open(url);
  await using other = await open(url);
  const stores = [await one.engineStores.of(ENGINE), await other.engineStores.of(ENGINE)];

  const receipts = await Promise.all(
    Array.from({ length: 60 }, (_, at) => stores[at % 2]!.putDocuments(CRAWLER, [document(`${at}`)], at)),
  );

  const seqs = receipts.map(({ seq }) => seq).sort((a, b) => a - b);
  expect(seqs).toEqual(Array.from({ length: 60 }, (_, at) => at + 1));
});

test('a connection that is cut fails what runs on it, and the next call has another', async () => {
  const name = await newDatabase();
  await using stores = await open(server.url(name));
  const store = await stores.engineStores.of(ENGINE);
  const cut = () =>
    server.query('postgres', `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  await store.putDocuments(CRAWLER, [document('a')], 1);

  await cut();

  await eventually(() => store.putDocuments(CRAWLER, [document('b')], 2));
  expect(await eventually(() => store.lastSeq())).toBe(2);
});

test('what was acknowledged is there after the server was killed, and nothing is numbered twice', async () => {
  const name = await newDatabase();
  await using stores = await open(server.url(name));
  const store = await stores.engineStores.of(ENGINE);
  const acknowledged: string[] = [];
  const failures: unknown[] = [];
  let isStopped = false;
  const writer = async (lane: number) => {
    for (let at = 0; !isStopped && failures.length === 0; at++) {
      const id = `${lane}/${at}`;
      await store.putDocuments(CRAWLER, [document(id)], at).then(
        () => acknowledged.push(id),
        (error: unknown) => failures.push(error),
      );
    }
  };
  const writers = Promise.all([1, 2, 3, 4].map(writer));
  await eventually(() => acknowledged.length > 100, 60_000);

  await server.kill();
  isStopped = true;
  await writers;
  await expect(store.lastSeq()).rejects.toMatchObject({ code: 'storage.unavailable' });
  await server.start();

  await eventually(() => store.putDocuments(CRAWLER, [document('after')], 1), 60_000);
  const changes = await eventually(() => store.changesAfter(0, LIMIT), 30_000);
  const known = new Set(changes.map(({ id }) => id));
  expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
  expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, at) => at + 1));
  for (const failure of failures) expect(failure).toMatchObject({ code: 'storage.unavailable' });
});
