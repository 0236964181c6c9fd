import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { AppError } from '../../../core/errors.ts';
import { type BackupContents, CONTENTS_NAME, parseContents, SECRET_NAMES, storeOfName } from './backup-contents.ts';
import { readTar, type TarEntry } from './tar.ts';

const MAX_CONTENTS_BYTES = 64 * 1024 * 1024;

/** Takes the bytes of one file of a backup; reads them to their end. */
export type Receive = (name: string, body: AsyncIterable<Uint8Array>) => Promise<void>;

type ReadFile = { readonly name: string; readonly bytes: number; readonly sha256: string };

/**
 * Reads a backup from its first to its last byte, hands its files over and holds them against the sizes and digests
 * of `backup.json`. Nothing of what was received is to be trusted before it resolves.
 *
 * @throws AppError `internal` when the file is no backup, was cut off or changed; what `receive` throws is passed on
 */
export async function readBackup(file: string, receive: Receive): Promise<BackupContents> {
  let failure: unknown;
  let contents: BackupContents | undefined;
  const received: Receive = (name, body) =>
    receive(name, body).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  try {
    await pipeline(createReadStream(file), createZstdDecompress(), async (plain: AsyncIterable<Uint8Array>) => {
      contents = await readFiles(plain, received);
    });
  } catch (error) {
    if (failure !== undefined && !isOfArchive(failure)) throw failure;
    throw unreadable(file, error);
  }
  if (contents === undefined) throw unreadable(file, undefined);
  return contents;
}

/** Reads it all and keeps nothing. */
export function checkBackup(file: string): Promise<BackupContents> {
  return readBackup(file, async (_name, body) => {
    for await (const _chunk of body);
  });
}

export function digest(): Hash {
  return createHash('sha256');
}

async function readFiles(plain: AsyncIterable<Uint8Array>, receive: Receive): Promise<BackupContents> {
  const found: ReadFile[] = [];
  let contents: BackupContents | undefined;
  for await (const entry of readTar(plain)) {
    if (contents !== undefined) throw new Error('a file follows backup.json');
    if (entry.name === CONTENTS_NAME) contents = parseContents(await textOf(entry));
    else found.push(await readFile(entry, receive));
  }
  if (contents === undefined) throw new Error('there is no backup.json');
  compare(contents, found);
  return contents;
}

async function readFile({ name, bytes, body }: TarEntry, receive: Receive): Promise<ReadFile> {
  const isSecret = SECRET_NAMES.some((secret) => secret === name);
  if (!isSecret && storeOfName(name) === undefined) throw new Error(`${name} is no file of a backup`);
  const hash = digest();
  await receive(name, hashed(body, hash));
  return { name, bytes, sha256: hash.digest('hex') };
}

async function* hashed(body: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    throw new ArchiveFault('the archive cannot be read', { cause: error });
  }
}

async function textOf({ bytes, body }: TarEntry): Promise<string> {
  if (bytes > MAX_CONTENTS_BYTES) throw new Error('backup.json is too large');
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function compare(contents: BackupContents, found: readonly ReadFile[]): void {
  const named = [...contents.stores, ...contents.secrets];
  const isSame = (file: ReadFile) =>
    named.some(({ name, bytes, sha256 }) => name === file.name && bytes === file.bytes && sha256 === file.sha256);
  const hasSystem = found.some(({ name }) => name === 'system.db');
  if (!hasSystem || named.length !== found.length || !found.every(isSame)) throw new Error('a file was changed');
}

/** A fault of the archive that whoever receives its files meets. */
class ArchiveFault extends Error {}

function isOfArchive(error: unknown): boolean {
  return error instanceof ArchiveFault;
}

function unreadable(file: string, cause: unknown): Error {
  if (cause instanceof AppError) return cause;
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new AppError('record.not-found', `There is no file ${file}`, { cause });
  if (code === 'EACCES' || code === 'EISDIR') {
    return new AppError('internal', `${file} cannot be read (${code})`, { cause });
  }
  const message = `${file} is no whole backup of Fossick: it was cut off or changed, or something else wrote it. Use another one`;
  return new AppError('internal', message, { cause });
}
