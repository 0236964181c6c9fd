import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { sql } from 'kysely';
import { AppError } from '../../core/errors.ts';
import { ENGINE_MIGRATIONS } from '../sql/migrations/engine-migrations.ts';
import { SYSTEM_MIGRATIONS } from '../sql/migrations/system-migrations.ts';
import { engineSql } from '../sql/statement.ts';
import { inTransaction } from './group-commit.ts';
import { lockNamedFile } from './process-locks.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** A store that was moved forward, and where its copy of before lies. */
export type MigratedStore = {
  readonly store: string;
  readonly from: number;
  readonly to: number;
  readonly copy: string;
};

/** Copies that stay beside each store: the last upgrade can be gone back on, and the one before. */
const RETAINED_COPIES = 2;
const LOOK_EVERY_MS = 50;

/**
 * Brings a store to the present schema, after a copy of it was written beside it, as `store.version-5.db`. A new store
 * and one that is up to date are not copied. Of processes that start together one copies and migrates, the others wait
 * for it. Takes as much room as the store.
 *
 * @throws AppError `storage.full` when there is no room for the copy: the store is as it was; and as `migrate`
 */
export function migrateWithCopy(db: SqliteDatabase, path: string, kind: StoreKind): MigratedStore | undefined {
  const isOld = () => schemaVersion(db) > 0 && schemaVersion(db) < targetVersion(kind);
  if (!isOld()) {
    migrate(db, kind);
    return undefined;
  }
  using _permit = waitForLock(`${path}.migrating`);
  if (!isOld()) return undefined;
  const from = schemaVersion(db);
  const copy = copyOf(path, from);
  writeCopy(db, path, copy);
  migrate(db, kind);
  dropOlderCopies(path);
  return { store: path, from, to: targetVersion(kind), copy };
}

/** `engines/6/store.db` of version 5 → `engines/6/store.version-5.db`. */
function copyOf(path: string, version: number): string {
  return join(dirname(path), `${basename(path, extname(path))}.version-${version}${extname(path)}`);
}

function writeCopy(db: SqliteDatabase, path: string, copy: string): void {
  const partial = `${copy}.partial`;
  try {
    rmSync(partial, { force: true });
    db.execute(`VACUUM INTO '${partial.replaceAll("'", "''")}'`);
    const file = openSync(partial, 'r');
    fsyncSync(file);
    closeSync(file);
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'storage.full' && code !== 'ENOSPC') throw error;
    const message = `${path} is of an older version, and there is no room for the copy that is made before it is moved forward: make as much room as the file takes, and start again. Nothing was changed`;
    throw new AppError('storage.full', message, { cause: error });
  }
}

function dropOlderCopies(path: string): void {
  const folder = dirname(path);
  const versionOf = (name: string) => Number(/\.version-(\d+)\./.exec(name)?.[1] ?? Number.NaN);
  const copies = readdirSync(folder).filter((name) => join(folder, name) === copyOf(path, versionOf(name)));
  copies.sort((a, b) => versionOf(b) - versionOf(a));
  for (const name of copies.slice(RETAINED_COPIES)) rmSync(join(folder, name));
}

const sleeping = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread, which only writes, until no other process migrates the store. */
function waitForLock(path: string): Disposable {
  for (;;) {
    const lock = lockNamedFile(path);
    if (lock !== undefined) return lock;
    Atomics.wait(sleeping, 0, 0, LOOK_EVERY_MS);
  }
}

/** Forward only, in order; the number of the last one applied is `meta.schema_version`. */
const MIGRATIONS = { system: SYSTEM_MIGRATIONS, engine: ENGINE_MIGRATIONS } as const;

export type StoreKind = keyof typeof MIGRATIONS;

/**
 * Brings a store to the present schema, each migration in one transaction, and a new store in a single one: nobody meets
 * it half made and takes it for an older one.
 * @throws AppError `storage.version-mismatch` when a newer program wrote the store.
 */
export function migrate(db: SqliteDatabase, kind: StoreKind): void {
  const migrations = MIGRATIONS[kind];
  const version = schemaVersion(db);
  if (version > migrations.length) {
    const message = `The ${kind} store has version ${version}, this program knows ${migrations.length}: start the newer program, or restore a backup`;
    throw new AppError('storage.version-mismatch', message);
  }
  const first = version === 0 ? migrations.length : version + 1;
  for (let last = first; last <= migrations.length; last++) inTransaction(db, () => applyUpTo(db, kind, last));
}

/** @throws Error when a store that cannot be migrated now is not of the present schema */
export function requirePresentVersion(db: SqliteDatabase, kind: StoreKind): void {
  const version = schemaVersion(db);
  if (version !== MIGRATIONS[kind].length) throw new Error(`the ${kind} store has version ${version}`);
}

/** Inside a transaction: another process may have migrated between the look and the lock. */
function applyUpTo(db: SqliteDatabase, kind: StoreKind, last: number): void {
  const version = schemaVersion(db);
  if (version >= last) return;
  for (const statement of MIGRATIONS[kind].slice(version, last).flat()) db.execute(statement);
  db.run(sql`INSERT OR REPLACE INTO meta (name, value) VALUES ('schema_version', ${String(last)})`.compile(engineSql));
}

/** Version of the newest schema that this program knows. */
export function targetVersion(kind: StoreKind): number {
  return MIGRATIONS[kind].length;
}

/** Number of the last migration; 0 for a store that has no tables yet. */
export function schemaVersion(db: SqliteDatabase): number {
  db.execute('CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT');
  const row = db.first(engineSql.selectFrom('meta').select('value').where('name', '=', 'schema_version').compile());
  return row === undefined ? 0 : Number(row.value);
}
