import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../core/errors.ts';
import type { MoveSource } from '../../move/store-tables.ts';
import { storeName } from '../backup/backup-archive.ts';
import { requireFinishedRestore } from '../backup/restore-mark.ts';
import { listStores } from '../backup/store-snapshots.ts';
import { targetVersion } from '../migrate-with-copy.ts';
import { lockStoppedFolder } from '../process-locks.ts';
import { type StoreTarget, storePath } from '../write-messages.ts';
import { requireFinishedMove } from './move-mark.ts';
import { sqliteTables } from './sqlite-tables.ts';

const SQLITE_BUSY = 5;
const WRITE_LOCK_WITHIN_MS = 1_000;

/**
 * The stores of a data folder on which nothing runs. Until it is disposed nothing can be started on the folder, and
 * nobody can write to a store: two connections' worth of files each.
 *
 * @throws AppError `record.not-found` when there is no installation, `record.conflict` when something runs on it,
 *   `storage.version-mismatch` when a store is not of this program's version
 */
export function openFilesSource(dataDir: string): MoveSource {
  requireFinishedRestore(dataDir);
  requireFinishedMove(dataDir);
  if (!existsSync(storePath(dataDir, { kind: 'system' }))) {
    throw new AppError('record.not-found', `${dataDir} holds no installation: set DATA_DIR to the folder of one`);
  }
  using stack = new DisposableStack();
  stack.use(lockStoppedFolder(dataDir));
  const targets = listStores(dataDir);
  const stores = new Map(targets.map((target) => [storeName(target), openLocked(stack, dataDir, target)]));
  const owned = stack.move();
  return {
    listStores: async () => targets,
    read: async (target, work) => {
      const db = stores.get(storeName(target));
      if (db === undefined) throw new AppError('internal', `${storeName(target)} is not open`);
      return await work(sqliteTables(db));
    },
    sizeBytes: async () => {
      let bytes = 0;
      for (const target of targets) bytes += (await stat(storePath(dataDir, target))).size;
      return bytes;
    },
    // Nobody could: the write locks are held.
    requireUnchanged: async () => undefined,
    [Symbol.asyncDispose]: async () => owned.dispose(),
  };
}

/** A connection in a transaction that has the right to write, and writes nothing. */
function openLocked(stack: DisposableStack, dataDir: string, target: StoreTarget): DatabaseSync {
  const name = storeName(target);
  const db = new DatabaseSync(storePath(dataDir, target), { timeout: WRITE_LOCK_WITHIN_MS });
  stack.defer(() => db.close());
  try {
    db.exec('BEGIN IMMEDIATE');
    requirePresentVersion(db, target, name);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const { errcode = 0 } = cause as { readonly errcode?: number };
    if ((errcode & 0xff) === SQLITE_BUSY) {
      const message = `A process of Fossick, or a backup, works on ${dataDir}: stop it before a move`;
      throw new AppError('record.conflict', message, { cause });
    }
    const message = `${name} cannot be read: fossick verify tells more, and fossick restore brings the last backup back`;
    throw new AppError('storage.damaged', message, { cause });
  }
  return db;
}

function requirePresentVersion(db: DatabaseSync, { kind }: StoreTarget, name: string): void {
  const row = db.prepare("SELECT value FROM meta WHERE name = 'schema_version'").get();
  const version = Number(row?.['value'] ?? 0);
  const present = targetVersion(kind);
  if (version === present) return;
  const advice =
    version < present ? 'start the product once, which moves it forward, and stop it' : 'use the newer program';
  const message = `${name} has version ${version}, this program has ${present}: ${advice}`;
  throw new AppError('storage.version-mismatch', message);
}
