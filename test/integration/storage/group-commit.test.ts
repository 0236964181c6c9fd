import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { engineSql } from '../../../src/storage/sql/statement.ts';
import { commitGroup } from '../../../src/storage/sqlite/group-commit.ts';
import { openForWriting, type SqliteDatabase } from '../../../src/storage/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const PAGE_BYTES = 4_096;
/** Pages that stay free for rows. */
const FREE_PAGES = 8;

/** A store with one table on a disk that takes few more pages. */
async function openSmallStore() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const db = openForWriting(join(folder.path, 'store.db'));
  stack.defer(() => db.close());
  db.execute('CREATE TABLE notes (name TEXT PRIMARY KEY, body BLOB) STRICT');
  setPages(db, pageCount(db) + FREE_PAGES);
  const owned = stack.move();
  return { db, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const pageCount = (db: SqliteDatabase) =>
  db.first(sql<{ page_count: number }>`PRAGMA page_count`.compile(engineSql))?.page_count ?? 0;
const setPages = (db: SqliteDatabase, count: number) => db.execute(`PRAGMA max_page_count = ${count}`);
const namesOf = (db: SqliteDatabase) =>
  db.all(sql<{ name: string }>`SELECT name FROM notes ORDER BY name`.compile(engineSql)).map(({ name }) => name);

/** Adds a note. */
const add =
  (name: string, bytes = 10) =>
  (db: SqliteDatabase) =>
    db.run(sql`INSERT INTO notes VALUES (${name}, ${new Uint8Array(bytes)})`.compile(engineSql)).changes;
/** The same by a statement that SQLite can undo alone, because it returns rows. */
const addReturning = (name: string, bytes: number) => (db: SqliteDatabase) =>
  db.first(sql`INSERT INTO notes VALUES (${name}, ${new Uint8Array(bytes)}) RETURNING name`.compile(engineSql));
const TOO_LARGE_BYTES = 4 * FREE_PAGES * PAGE_BYTES;

type Outcome = { readonly result: unknown } | { readonly code: unknown };

/** What each write hears, in order. */
function commit(db: SqliteDatabase, works: readonly ((db: SqliteDatabase) => unknown)[]): readonly Outcome[] {
  const outcomes = new Array<Outcome>(works.length);
  const writes = works.map((work, index) => ({
    work,
    done: (result: unknown) => {
      outcomes[index] = { result };
    },
    failed: (error: unknown) => {
      outcomes[index] = { code: (error as { code?: unknown }).code };
    },
  }));
  commitGroup(db, writes);
  return outcomes;
}

test('a write that fails leaves its neighbours alone and nothing of itself behind', async () => {
  await using store = await openSmallStore();
  const failing = (db: SqliteDatabase) => {
    add('half')(db);
    throw Object.assign(new Error('no'), { code: 'own fault' });
  };

  const outcomes = commit(store.db, [add('first'), failing, add('last')]);

  expect(outcomes).toEqual([{ result: 1 }, { code: 'own fault' }, { result: 1 }]);
  expect(namesOf(store.db)).toEqual(['first', 'last']);
});

test('of two writes the one that fails leaves nothing behind', async () => {
  await using store = await openSmallStore();
  const failing = (db: SqliteDatabase) => {
    add('half')(db);
    throw Object.assign(new Error('no'), { code: 'own fault' });
  };

  expect(commit(store.db, [failing, add('other')])).toEqual([{ code: 'own fault' }, { result: 1 }]);
  expect(namesOf(store.db)).toEqual(['other']);
});

test('a full disk that ends the transaction fails the whole group as `storage.full`', async () => {
  await using store = await openSmallStore();

  const outcomes = commit(store.db, [add('first'), add('large', TOO_LARGE_BYTES), add('last')]);

  expect(outcomes).toEqual(new Array(3).fill({ code: 'storage.full' }));
  expect(namesOf(store.db)).toEqual([]);
});

test('a full disk that undoes only one statement fails only its write', async () => {
  await using store = await openSmallStore();

  const outcomes = commit(store.db, [add('first'), addReturning('large', TOO_LARGE_BYTES), add('last')]);

  expect(outcomes).toEqual([{ result: 1 }, { code: 'storage.full' }, { result: 1 }]);
  expect(namesOf(store.db)).toEqual(['first', 'last']);
});

test('writes go on as soon as a full disk has room again', async () => {
  await using store = await openSmallStore();
  commit(store.db, [add('large', TOO_LARGE_BYTES)]);

  expect(commit(store.db, [add('small')])).toEqual([{ result: 1 }]);
  setPages(store.db, 1_000);
  expect(commit(store.db, [add('large', TOO_LARGE_BYTES)])).toEqual([{ result: 1 }]);
  expect(namesOf(store.db)).toEqual(['large', 'small']);
});
