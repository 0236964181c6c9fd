import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../core/errors.ts';
import { freeLane } from '../../engine/lanes.ts';
import { startEpoch } from '../../sql/meta.ts';
import { fetchAll, type Operation } from '../../sql/operation.ts';
import { engineSql } from '../../sql/statement.ts';
import { askBackup, endBackup, startBackup } from '../../system/installation.ts';
import { inTransaction } from '../group-commit.ts';
import { migrate, schemaVersion, targetVersion } from '../migrate-with-copy.ts';
import { requireFinishedMove } from '../move/move-mark.ts';
import { lockDataFolder } from '../process-locks.ts';
import { openForWriting, runOperation } from '../sqlite-database.ts';
import { syncFolder } from '../sync-folder.ts';
import { fromSentError, type StoreTarget, storePath } from '../write-messages.ts';
import {
  type BackupContents,
  checkBackup,
  type OnRead,
  type Receive,
  readBackup,
  storeOfName,
} from './backup-archive.ts';
import type { BackupReply, BackupRequest } from './backup-child.ts';
import { RESTORE_MARK, type RestoreMark, readRestoreMark } from './restore-mark.ts';
import { type BackupProgress, unfinishedFiles, type WrittenBackup } from './write-backup.ts';

export type RestoreInput = {
  readonly file: string;
  readonly dataDir: string;
  /** Keeps an installation that is there in a folder beside the restored one; without it such a folder is refused. */
  readonly replace: boolean;
  readonly now: () => number;
  /** An archive for a folder that is not there yet is read twice. */
  readonly onProgress?: OnRead;
};

export type RestorePlan = {
  readonly contents: BackupContents;
  /** Folder that takes the present stores; undefined when there are none. */
  readonly keptIn: string | undefined;
};

const STAGING = 'restore-staging';
/** Stores with their logs; the folder `engines` holds indexes, too, which stay with the stores that they were made of. */
const KEPT = ['system.db', 'system.db-wal', 'system.db-shm', 'engines'] as const;
/** Made again by itself, and bound to what is being replaced. */
const DROPPED = ['redis', 'spool'] as const;
/** Who had a role, and a backup that was being written: that of the archive itself. */
const FORGET = ['DELETE FROM leases', "DELETE FROM backups WHERE state IN ('waiting', 'running')"] as const;
const NO_ROOM = ['ENOSPC', 'EDQUOT'];

/** What a restore would do; nothing is changed. The whole backup is read. @throws as `restoreBackup` */
export async function planRestore(input: RestoreInput): Promise<RestorePlan> {
  const { dataDir, file, onProgress } = input;
  const contents = await checkBackup(file, onProgress);
  if (!existsSync(dataDir)) return { contents, keptIn: undefined };
  using _lock = lockFolder(dataDir);
  const mark = readRestoreMark(dataDir);
  if (mark === undefined) lockStores(dataDir)[Symbol.dispose]();
  return { contents, keptIn: keptIn(input, mark) };
}

/**
 * Puts the stores of a backup into a data folder on which nothing runs. The backup is read whole, checked, migrated and
 * given new epochs in a folder of its own first: until then nothing changes. From then on a mark keeps every program
 * off the folder until all is in its place, so that a restore that is ended in its middle is run again.
 *
 * @throws AppError `record.conflict` when something runs on the folder, or stores are there and `replace` is not set;
 * `internal` when the file is no whole backup; `storage.version-mismatch` when a newer product wrote it;
 * `storage.full` when there is no room
 */
export async function restoreBackup(input: RestoreInput): Promise<RestorePlan> {
  const { dataDir, file, onProgress } = input;
  const isNew = !existsSync(dataDir);
  if (isNew) await checkBackup(file, onProgress);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    using _lock = lockFolder(dataDir);
    return await restoreInto(input);
  } catch (error) {
    // What was broken off while stores were being moved is gone on with: its mark stays.
    if (isNew && readRestoreMark(dataDir) === undefined) await rm(dataDir, { recursive: true, force: true });
    const isFull = NO_ROOM.includes((error as NodeJS.ErrnoException).code ?? '');
    if (!isFull) throw error;
    const message = `The disk of ${dataDir} is full, so nothing was restored: make room, or set DATA_DIR to a folder on another disk`;
    throw new AppError('storage.full', message, { cause: error });
  }
}

async function restoreInto(input: RestoreInput): Promise<RestorePlan> {
  const { dataDir } = input;
  const before = readRestoreMark(dataDir);
  const kept = keptIn(input, before);
  const mark = { file: resolve(input.file), ...(kept !== undefined && { keptIn: kept }) };
  const isUntouched = before === undefined || before.phase === 'staging';
  try {
    // An empty folder has nothing that a start could go on with; where stores are, they stay usable until the last.
    if (isUntouched && kept === undefined) await setMark(dataDir, { ...mark, phase: 'staging' });
    using stores = before === undefined ? lockStores(dataDir) : undefined;
    const contents = await stage(input);
    stores?.[Symbol.dispose]();
    if (before?.phase !== 'placing') await setAside(dataDir, mark);
    await place(dataDir, mark, contents);
    return { contents, keptIn: kept };
  } catch (error) {
    const now = readRestoreMark(dataDir)?.phase;
    if (isUntouched && (now === undefined || now === 'staging')) await rm(join(dataDir, RESTORE_MARK), { force: true });
    throw error;
  } finally {
    await rm(join(dataDir, STAGING), { recursive: true, force: true });
  }
}

/** @throws AppError `record.conflict`, and `request.invalid` when an installation is being moved to the folder */
function lockFolder(dataDir: string): Disposable {
  requireFinishedMove(dataDir);
  const lock = lockDataFolder(dataDir);
  if (lock !== undefined) return lock;
  throw new AppError('record.conflict', `Fossick runs on ${dataDir}: stop it before a restore`);
}

/** @throws AppError `record.conflict` when stores are there that may not be replaced */
function keptIn({ dataDir, file, replace, now }: RestoreInput, before: RestoreMark | undefined): string | undefined {
  if (before !== undefined && before.phase !== 'staging') return before.keptIn;
  if (!KEPT.some((name) => existsSync(join(dataDir, name)))) return undefined;
  if (replace) return `before-restore-${new Date(now()).toISOString().replace(/[:.]/g, '-')}`;
  const message = `${dataDir} holds an installation: fossick restore ${file} --replace keeps it beside the restored one, or set DATA_DIR to an empty folder`;
  throw new AppError('record.conflict', message);
}

/** Everything of the backup in a folder of its own, ready to be moved to its place. */
async function stage({ file, dataDir, onProgress }: RestoreInput): Promise<BackupContents> {
  const staging = join(dataDir, STAGING);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { mode: 0o700 });
  const keep: Receive = async (name, body) => {
    const path = join(staging, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, body, { mode: 0o600, flush: true });
  };
  const contents = await readBackup(file, keep, onProgress);
  for (const { name } of contents.stores) {
    const target = storeOfName(name);
    if (target !== undefined) settle(staging, target);
  }
  return contents;
}

/** Brings a store to the present schema, begins a new part of its history and lets go of what dead processes held. */
function settle(staging: string, target: StoreTarget): void {
  const db = openForWriting(storePath(staging, target));
  try {
    migrate(db, target.kind);
    inTransaction(db, () => {
      runOperation(db, startEpoch());
      if (target.kind === 'engine') runOperation(db, freeLanes());
      else for (const statement of FORGET) db.execute(statement);
    });
  } finally {
    db.close();
  }
}

function* freeLanes(): Operation<void> {
  const lanes = yield* fetchAll(engineSql.selectFrom('lanes').select(['id', 'fence']));
  for (const { id, fence } of lanes) yield* freeLane({ laneId: id, fence });
}

async function setAside(dataDir: string, mark: Omit<RestoreMark, 'phase'>): Promise<void> {
  await setMark(dataDir, { ...mark, phase: 'setting-aside' });
  if (mark.keptIn !== undefined) {
    const kept = join(dataDir, mark.keptIn);
    await mkdir(kept, { recursive: true, mode: 0o700 });
    for (const name of KEPT) await moveIfThere(join(dataDir, name), join(kept, name));
    await syncFolder(kept);
  }
  for (const name of DROPPED) await rm(join(dataDir, name), { recursive: true, force: true });
}

async function place(dataDir: string, mark: Omit<RestoreMark, 'phase'>, { secrets }: BackupContents): Promise<void> {
  await setMark(dataDir, { ...mark, phase: 'placing' });
  const staging = join(dataDir, STAGING);
  for (const name of KEPT) {
    await rm(join(dataDir, name), { recursive: true, force: true });
    await moveIfThere(join(staging, name), join(dataDir, name));
  }
  for (const { name } of secrets) await rename(join(staging, name), join(dataDir, name));
  await syncFolder(dataDir);
  await rm(join(dataDir, RESTORE_MARK));
  await syncFolder(dataDir);
}

async function moveIfThere(from: string, to: string): Promise<void> {
  if (existsSync(from)) await rename(from, to);
}

async function setMark(dataDir: string, mark: RestoreMark): Promise<void> {
  const path = join(dataDir, RESTORE_MARK);
  await writeFile(`${path}.tmp`, `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.tmp`, path);
  await syncFolder(dataDir);
}

const SQLITE_BUSY = 5;
const UNREADABLE = [11, 26];

/**
 * The right to be the only one that has `system.db` open, which every process of an installation has, also one that
 * runs without a supervisor. A store that is missing or damaged keeps nobody off.
 *
 * @throws AppError `record.conflict` when another process has it open
 */
function lockStores(dataDir: string): Disposable {
  const path = storePath(dataDir, { kind: 'system' });
  if (!existsSync(path)) return { [Symbol.dispose]: () => undefined };
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN IMMEDIATE');
  } catch (cause) {
    db.close();
    const { errcode = 0 } = cause as { readonly errcode?: number };
    if (UNREADABLE.includes(errcode & 0xff)) return { [Symbol.dispose]: () => undefined };
    if ((errcode & 0xff) !== SQLITE_BUSY) throw cause;
    const message = `A process of Fossick, or a backup, works on ${dataDir}: stop it before a restore`;
    throw new AppError('record.conflict', message, { cause });
  }
  return {
    [Symbol.dispose]: () => {
      if (db.isOpen) db.close();
    },
  };
}

/** Below what serves visitors. */
const LOW_PRIORITY = 10;

/**
 * Writes a backup in a process of its own, which has a lower priority and ends with this one.
 * @throws as `writeBackup`, and AppError `internal` when that process was killed
 */
export async function backupInProcess(
  request: BackupRequest,
  onProgress: (progress: BackupProgress) => void,
  signal: AbortSignal,
): Promise<WrittenBackup> {
  signal.throwIfAborted();
  const child = fork(new URL('./backup-child.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  let reply: Exclude<BackupReply, { type: 'progress' }> | undefined;
  child.on('message', (message: BackupReply) => {
    if (message.type === 'progress') onProgress(message.progress);
    else reply = message;
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, killedBy) => resolve(String(killedBy ?? code)));
  });
  lowerPriority(child.pid);
  child.send(request);
  const how = await ended;
  signal.removeEventListener('abort', stop);
  if (reply?.type === 'done') return reply.written;
  if (child.pid !== undefined) {
    for (const path of unfinishedFiles(request.file, child.pid)) await rm(path, { force: true });
  }
  if (reply !== undefined) throw fromSentError(reply.error);
  throw new AppError('internal', `The process that wrote the backup ended (${how}): start it again`);
}

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, LOW_PRIORITY);
  } catch {
    // It has ended already, or the system forbids it: then it takes its share of the processor like everybody else.
  }
}

/**
 * Notes a backup that the command has written, so that nobody is told that there is none. A store of another version,
 * or one that cannot be written, stays as it is: the archive is whole all the same.
 */
export function recordBackup(
  dataDir: string,
  { file, bytes, at }: { readonly file: string; readonly bytes: number; readonly at: number },
): void {
  try {
    const db = openForWriting(storePath(dataDir, { kind: 'system' }));
    try {
      if (schemaVersion(db) !== targetVersion('system')) return;
      inTransaction(db, () => {
        const id = runOperation(db, askBackup('command', at));
        runOperation(db, startBackup(id, file));
        runOperation(db, endBackup({ id, at, bytes }));
      });
    } finally {
      db.close();
    }
  } catch {
    // A full disk, for example.
  }
}
