import { existsSync } from 'node:fs';
import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../core/errors.ts';
import { type MoveTarget, nameOfStore } from '../../move/store-tables.ts';
import { requireFinishedRestore } from '../backup/restore-mark.ts';
import { listStores } from '../backup/store-snapshots.ts';
import { migrate } from '../migrate-with-copy.ts';
import { lockStoppedFolder } from '../process-locks.ts';
import { openForWriting } from '../sqlite-database.ts';
import { syncFolder } from '../sync-folder.ts';
import { type StoreTarget, storePath } from '../write-messages.ts';
import { dropMoveMark, type MoveMark, readMoveMark, setMoveMark } from './move-mark.ts';
import { newSqliteStore } from './sqlite-tables.ts';

const MEGABYTE = 1e6;

/**
 * A data folder that takes the stores of an installation; other files of it stay. Until it is disposed nothing can be
 * started on it.
 *
 * @throws AppError `record.conflict` when something runs on it
 */
export async function openFilesTarget(dataDir: string): Promise<MoveTarget> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  requireFinishedRestore(dataDir);
  const lock = lockStoppedFolder(dataDir);
  let mark: MoveMark = { installation: '', moved: {} };
  const keepMark = async (changed: MoveMark) => {
    mark = changed;
    await setMoveMark(dataDir, mark);
  };
  return {
    begin: async (installation) => {
      const begun = readMoveMark(dataDir);
      if (begun !== undefined && begun.installation !== installation) {
        const message = `A move of another installation to ${dataDir} was broken off: finish it, or set DATA_DIR to an empty folder`;
        throw new AppError('record.conflict', message);
      }
      if (begun === undefined) requireNoStores(dataDir);
      await keepMark(begun ?? { installation, moved: {} });
      return new Map(Object.entries(mark.moved));
    },
    requireRoom: async (bytes) => {
      const { bavail, bsize } = await statfs(dataDir);
      // What an earlier run has brought has its room.
      const free = bavail * bsize + (await bytesOfStores(dataDir));
      if (free >= bytes) return;
      const megabytes = (count: number) => Math.ceil(count / MEGABYTE);
      const message = `The stores take up to ${megabytes(bytes)} MB, and the disk of ${dataDir} has ${megabytes(free)} MB free: make room, or set DATA_DIR to a folder on another disk`;
      throw new AppError('storage.full', message);
    },
    fill: async (store, work) => {
      const { [nameOfStore(store)]: _before, ...others } = mark.moved;
      await keepMark({ ...mark, moved: others });
      await dropStore(dataDir, store);
      await mkdir(dirname(storePath(dataDir, store)), { recursive: true, mode: 0o700 });
      const db = makeStore(dataDir, store);
      let digests: string;
      try {
        digests = await work(newSqliteStore(db));
      } finally {
        db.close();
      }
      await syncFolder(dirname(storePath(dataDir, store)));
      await keepMark({ ...mark, moved: { ...others, [nameOfStore(store)]: digests } });
    },
    finish: async (stores) => {
      const moved = new Set(stores.map(nameOfStore));
      for (const store of listStores(dataDir)) if (!moved.has(nameOfStore(store))) await dropStore(dataDir, store);
      await dropMoveMark(dataDir);
    },
    [Symbol.asyncDispose]: async () => lock[Symbol.dispose](),
  };
}

/** @throws AppError `record.conflict` */
function requireNoStores(dataDir: string): void {
  if (!listStores(dataDir).some((target) => existsSync(storePath(dataDir, target)))) return;
  const message = `${dataDir} holds stores already, which a move does not replace: move system.db* and engines/*/store.db* of it to another place, or set DATA_DIR to an empty folder`;
  throw new AppError('record.conflict', message);
}

async function bytesOfStores(dataDir: string): Promise<number> {
  let bytes = 0;
  for (const target of listStores(dataDir)) {
    bytes += (await stat(storePath(dataDir, target)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

/** The file alone: an index beside it stays. */
async function dropStore(dataDir: string, target: StoreTarget): Promise<void> {
  const path = storePath(dataDir, target);
  for (const end of ['', '-wal', '-shm']) await rm(`${path}${end}`, { force: true });
}

/** A store of the present schema without rows, but for its version. */
function makeStore(dataDir: string, target: StoreTarget): DatabaseSync {
  const path = storePath(dataDir, target);
  const made = openForWriting(path);
  try {
    migrate(made, target.kind);
    made.execute("DELETE FROM meta WHERE name <> 'schema_version'");
  } finally {
    made.close();
  }
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous=FULL');
  return db;
}
