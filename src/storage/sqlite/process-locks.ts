import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../core/errors.ts';
import { translateFull } from './sqlite-database.ts';

/** Result code of SQLite: another process holds the lock. */
const SQLITE_BUSY = 5;
/** An earlier process of the same name may still be on its way out, or somebody looks at this moment. */
const HOLD_WITHIN_MS = 10_000;
const TRY_EVERY_MS = 50;

/**
 * The right to run the whole product on a data folder: undefined when another process has it. Ends with the
 * process, however that ends, because the lock is the operating system's.
 */
export function lockDataFolder(dataDir: string): Disposable | undefined {
  return tryLock(join(dataDir, 'lock.db'));
}

/**
 * The same for work on stores while nothing runs, neither the whole product nor a role alone.
 * @throws AppError `record.conflict` that says what runs
 */
export function lockStoppedFolder(dataDir: string): Disposable {
  const lock = lockDataFolder(dataDir);
  if (lock === undefined) throw new AppError('record.conflict', `Fossick runs on ${dataDir}: stop it before a move`);
  const living = livingProcesses(dataDir);
  if (living.length === 0) return lock;
  lock[Symbol.dispose]();
  throw new AppError('record.conflict', `${living.join(', ')} of Fossick run on ${dataDir}: stop them before a move`);
}

/**
 * The proof that the process of this instance name lives, for everybody who shares the data folder: a lock on
 * `DATA_DIR/locks/<instance>` that the kernel frees when the process ends, in whatever way (decision 0100). Held until
 * it is disposed. Files of dead processes are removed on the way. Nobody may open these files by other means: closing
 * any descriptor of a file drops the locks that the same process has on it.
 * @throws Error when a living process has the name, or the folder cannot be written.
 */
export async function holdProcessLock(dataDir: string, instance: string): Promise<Disposable> {
  const folder = locksFolder(dataDir);
  const path = join(folder, encodeURIComponent(instance));
  const deadline = performance.now() + HOLD_WITHIN_MS;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const lock = lockNamedFile(path);
    if (lock !== undefined) {
      for (const name of readdirSync(folder)) lockNamedFile(join(folder, name))?.[Symbol.dispose]();
      return lock;
    }
    if (performance.now() > deadline) throw new Error(`another process runs as ${instance} on ${dataDir}: stop it`);
    await delay(TRY_EVERY_MS);
  }
}

/**
 * Whether a process of that name holds its lock; what cannot be decided counts as alive. Costs 0.05 ms; a shared lock,
 * so that those who ask do not see each other.
 */
export function isProcessAlive(dataDir: string, instance: string): boolean {
  const path = join(locksFolder(dataDir), encodeURIComponent(instance));
  if (!existsSync(path)) return false;
  try {
    using db = new DatabaseSync(path, { readOnly: true });
    db.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    return false;
  } catch {
    return existsSync(path);
  }
}

/** Names of all processes that hold their lock. */
export function livingProcesses(dataDir: string): readonly string[] {
  const folder = locksFolder(dataDir);
  const names = existsSync(folder) ? readdirSync(folder).map(decodeURIComponent) : [];
  return names.filter((name) => isProcessAlive(dataDir, name)).sort();
}

function locksFolder(dataDir: string): string {
  return join(dataDir, 'locks');
}

/** Nothing is written: the file stays empty, and an empty journal would only lie beside it. */
function tryLock(path: string): Disposable | undefined {
  const db = translateFull(() => new DatabaseSync(path));
  try {
    db.exec('PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if ((error as { readonly errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    return translateFull(() => {
      throw error;
    });
  }
  return { [Symbol.dispose]: () => db.close() };
}

/**
 * The lock of a file that is removed with it. Undefined when another process holds it, and when the file was removed
 * or replaced between opening and locking: a lock on a file without a name proves nothing.
 */
export function lockNamedFile(path: string): Disposable | undefined {
  const before = inodeOf(path);
  const lock = tryLock(path);
  if (lock === undefined) return undefined;
  const inode = inodeOf(path);
  if (inode === undefined || (before !== undefined && before !== inode)) {
    lock[Symbol.dispose]();
    return undefined;
  }
  return {
    [Symbol.dispose]: () => {
      // While it is held: only who has the lock removes the file.
      rmSync(path, { force: true });
      lock[Symbol.dispose]();
    },
  };
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
