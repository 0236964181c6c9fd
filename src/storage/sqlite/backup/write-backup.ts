import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, constants as zlib } from 'node:zlib';
import { AppError } from '../../../core/errors.ts';
import { requireFinishedMove } from '../move/move-mark.ts';
import { syncFolder } from '../sync-folder.ts';
import {
  BACKUP_VERSION,
  type BackupContents,
  type BackupStore,
  CONTENTS_NAME,
  checkBackup,
  digest,
  SECRET_NAMES,
  storeName,
  tarEnd,
  tarEntry,
} from './backup-archive.ts';
import { requireFinishedRestore } from './restore-mark.ts';
import { type StoreSnapshot, type StoreSnapshots, takeSnapshots } from './store-snapshots.ts';

export type BackupInput = {
  readonly dataDir: string;
  /** The archive; it must not exist. */
  readonly file: string;
  /** Version of this program. */
  readonly product: string;
  readonly withSecrets: boolean;
  readonly now: () => number;
  readonly onProgress?: (progress: BackupProgress) => void;
  readonly signal?: AbortSignal | undefined;
};

export type BackupProgress = { readonly store: string; readonly doneBytes: number; readonly totalBytes: number };

export type WrittenBackup = {
  readonly file: string;
  readonly bytes: number;
  readonly contents: BackupContents;
  /** How long the writers of the stores were held up. */
  readonly heldMs: number;
};

/** Pages of a step of the copy: 4 MB. */
const PAGES_A_STEP = 1_000;
const FAST = 1;
/** A backup may not bring the disk of the data folder below this share of free space, where writes would soon fail. */
const LEAST_FREE_RATIO = 0.05;
const LOOK_AT_DISK_EVERY_BYTES = 16 * 1024 * 1024;
const NO_ROOM = ['ENOSPC', 'EDQUOT'];
const SQLITE_FULL = 13;

/**
 * Writes all stores of one instant into one archive, while other processes write: each store is copied from its read
 * transaction, checked, and packed; at the end the archive is read back. It has its name only when all of that is
 * done and on disk. Takes room for the archive and for the largest store beside it.
 *
 * @throws AppError `record.conflict` when the file exists, `storage.full` when there is no room, `internal` when the
 * folder cannot be written or a store is damaged; nothing is left behind then
 */
export async function writeBackup(input: BackupInput): Promise<WrittenBackup> {
  const { dataDir, file, signal } = input;
  requireFinishedRestore(dataDir);
  requireFinishedMove(dataDir);
  await requireNewFile(file);
  const unfinished = unfinishedFiles(file, process.pid);
  const [partial, copy] = unfinished;
  try {
    using snapshots = await takeSnapshots(dataDir, input.now);
    const target = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
    const pack = createZstdCompress({
      params: { [zlib.ZSTD_c_compressionLevel]: FAST, [zlib.ZSTD_c_checksumFlag]: 1 },
    });
    await pipeline(archive(input, snapshots, copy), pack, target, { signal });
    const contents = await checkBackup(partial);
    const { size } = await stat(partial);
    await rename(partial, file);
    await syncFolder(dirname(file));
    return { file, bytes: size, contents, heldMs: snapshots.heldMs };
  } catch (error) {
    throw told(error, file);
  } finally {
    for (const path of unfinished) await rm(path, { force: true });
  }
}

/** What the process writes beside the archive until that is whole: the archive itself, and the copy of one store. */
export function unfinishedFiles(file: string, pid: number): readonly [string, string, string] {
  const copy = `${file}.${pid}.copy`;
  return [`${file}.${pid}.partial`, copy, `${copy}-journal`];
}

async function requireNewFile(file: string): Promise<void> {
  const folder = dirname(file);
  await access(folder, constants.W_OK | constants.X_OK).catch((cause: NodeJS.ErrnoException) => {
    const message =
      cause.code === 'ENOENT'
        ? `There is no folder ${folder}: make it, or name another one`
        : `${folder} cannot be written (${cause.code}): name a folder that you may write`;
    throw new AppError('internal', message, { cause });
  });
  const exists = await stat(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new AppError('record.conflict', `${file} exists: name another file, or remove it`);
}

async function* archive(
  input: BackupInput,
  snapshots: StoreSnapshots,
  copy: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { takenAt } = snapshots;
  const sizes = snapshots.stores.map(sizeOf);
  const totalBytes = sizes.reduce((total, bytes) => total + bytes, 0);
  await requireRoom(input, Math.max(...sizes));
  const stores: BackupStore[] = [];
  let doneBytes = 0;
  for (const snapshot of snapshots.stores) {
    const store = storeName(snapshot.target);
    const facts = await copyStore(snapshot, copy);
    snapshots.release(snapshot);
    const read = countingFile(copy, async (bytes) => {
      doneBytes += bytes;
      input.onProgress?.({ store, doneBytes, totalBytes });
    });
    yield* tarEntry(store, facts.bytes, takenAt, roomFor(input, read.body));
    stores.push({ name: store, ...facts, sha256: read.sha256() });
    await rm(copy);
  }
  const secrets: BackupContents['secrets'] = [];
  for (const name of input.withSecrets ? SECRET_NAMES : []) {
    const bytes = await readFile(join(input.dataDir, name)).catch(() => undefined);
    if (bytes === undefined) continue;
    yield* tarEntry(name, bytes.length, takenAt, chunkOf(bytes));
    secrets.push({ name, bytes: bytes.length, sha256: digest().update(bytes).digest('hex') });
  }
  const contents: BackupContents = {
    version: BACKUP_VERSION,
    product: input.product,
    takenAt: new Date(takenAt).toISOString(),
    stores,
    secrets,
  };
  const text = Buffer.from(`${JSON.stringify(contents, null, 2)}\n`);
  yield* tarEntry(CONTENTS_NAME, text.length, takenAt, chunkOf(text));
  yield tarEnd();
}

function sizeOf({ db }: StoreSnapshot): number {
  const one = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
  return one('page_count') * one('page_size');
}

type CopyFacts = Omit<BackupStore, 'name' | 'sha256'>;

/** Copies what the read transaction sees into one file without a log, and checks it. @throws AppError `internal` */
async function copyStore({ db, target }: StoreSnapshot, copy: string): Promise<CopyFacts> {
  await backup(db, copy, { rate: PAGES_A_STEP });
  const facts = factsOf(copy, storeName(target));
  const { size } = await stat(copy);
  return { bytes: size, ...facts };
}

function factsOf(copy: string, store: string): Omit<CopyFacts, 'bytes'> {
  const db = new DatabaseSync(copy);
  try {
    db.exec('PRAGMA journal_mode=DELETE');
    const findings = db.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
    const finding = findings.find(({ quick_check: line }) => line !== 'ok');
    if (finding !== undefined) throw damaged(store, finding.quick_check.replace(/\s+/g, ' '));
    const meta = (name: string) =>
      (db.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string } | undefined)?.value;
    const [storeId, epoch] = [meta('store_id'), meta('epoch')];
    const hasDocuments = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'documents'").get() !== undefined;
    const count = () => db.prepare('SELECT count(*) AS n FROM documents WHERE deleted = 0').get() as { n: number };
    return {
      schemaVersion: Number(meta('schema_version') ?? 0),
      ...(storeId !== undefined && { storeId }),
      ...(epoch !== undefined && { epoch }),
      ...(hasDocuments && { documents: count().n }),
    };
  } finally {
    db.close();
  }
}

function damaged(store: string, finding: string): AppError {
  const message = `${store} is damaged (${finding}), so no backup was written: fossick verify tells more, and fossick restore brings the last backup back`;
  return new AppError('internal', message);
}

/** The bytes of a file, counted and digested while they are read. */
function countingFile(path: string, count: (bytes: number) => Promise<void>) {
  const hash = digest();
  async function* body(): AsyncGenerator<Uint8Array> {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      const bytes: Uint8Array = chunk;
      hash.update(bytes);
      await count(bytes.length);
      yield bytes;
    }
  }
  return { body: body(), sha256: () => hash.digest('hex') };
}

/** Looks at the disk from time to time while the bytes go by. */
async function* roomFor(input: BackupInput, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let unseenBytes = 0;
  for await (const chunk of body) {
    unseenBytes += chunk.length;
    if (unseenBytes >= LOOK_AT_DISK_EVERY_BYTES) {
      unseenBytes = 0;
      await requireRoom(input, 0);
    }
    yield chunk;
  }
}

/** @throws AppError `storage.full` when so many bytes more would not fit, or leave too little to the product */
async function requireRoom({ dataDir, file }: BackupInput, bytes: number): Promise<void> {
  const folder = dirname(file);
  const [disk, isShared] = await Promise.all([statfs(folder), isSameDisk(folder, dataDir)]);
  const freeBytes = disk.bavail * disk.bsize;
  const leastBytes = isShared ? disk.blocks * disk.bsize * LEAST_FREE_RATIO : 0;
  if (freeBytes - bytes >= leastBytes) return;
  const megabytes = (count: number) => Math.ceil(count / 1e6);
  const message = `There is no room for the backup: ${folder} has ${megabytes(freeBytes)} MB, ${megabytes(bytes + leastBytes)} MB are needed to go on. Make room, or name a folder on another disk`;
  throw new AppError('storage.full', message);
}

async function isSameDisk(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([stat(a), stat(b)]);
  return one.dev === other.dev;
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** What the operator can do about a failed backup. */
function told(error: unknown, file: string): unknown {
  if (error instanceof AppError) return error;
  const { code, errcode = 0 } = error as NodeJS.ErrnoException & { readonly errcode?: number };
  if (NO_ROOM.includes(code ?? '') || (errcode & 0xff) === SQLITE_FULL) {
    const message = `The disk of ${dirname(file)} is full, so no backup was written: make room, or name a folder on another disk`;
    return new AppError('storage.full', message, { cause: error });
  }
  if (code === 'ABORT_ERR') return new AppError('internal', 'The backup was broken off; nothing is left of it');
  if (code === 'EACCES' || code === 'EROFS') {
    return new AppError('internal', `${dirname(file)} cannot be written (${code})`, { cause: error });
  }
  return error;
}
