import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import type { StoreTarget } from '../write-messages.ts';

const MAX_CONTENTS_BYTES = 64 * 1024 * 1024;

/** Takes the bytes of one file of a backup; reads them to their end. */
export type Receive = (name: string, body: AsyncIterable<Uint8Array>) => Promise<void>;

/** How much of the archive, as it lies on disk, is read. */
export type ReadProgress = { readonly doneBytes: number; readonly totalBytes: number };
export type OnRead = (progress: ReadProgress) => void;

type ReadFile = { readonly name: string; readonly bytes: number; readonly sha256: string };

/**
 * Reads a backup from its first to its last byte, hands its files over and holds them against the sizes and digests
 * of `backup.json`. Nothing of what was received is to be trusted before it resolves.
 *
 * @throws AppError `internal` when the file is no backup, was cut off or changed; what `receive` throws is passed on
 */
export async function readBackup(file: string, receive: Receive, onRead?: OnRead): Promise<BackupContents> {
  let failure: unknown;
  let contents: BackupContents | undefined;
  const received: Receive = (name, body) =>
    receive(name, body).catch((error: unknown) => {
      failure = error;
      throw error;
    });
  try {
    const { size } = await stat(file);
    const packed = counted(createReadStream(file), (doneBytes) => onRead?.({ doneBytes, totalBytes: size }));
    await pipeline(packed, createZstdDecompress(), async (plain: AsyncIterable<Uint8Array>) => {
      contents = await readFiles(plain, received);
    });
  } catch (error) {
    if (failure !== undefined && !isOfArchive(failure)) throw failure;
    throw unreadable(file, error);
  }
  if (contents === undefined) throw unreadable(file, undefined);
  return contents;
}

async function* counted(chunks: AsyncIterable<Uint8Array>, tell: (bytes: number) => void) {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    tell(bytes);
    yield chunk;
  }
}

/** Reads it all and keeps nothing. */
export function checkBackup(file: string, onRead?: OnRead): Promise<BackupContents> {
  const skip: Receive = async (_name, body) => {
    for await (const _chunk of body);
  };
  return readBackup(file, skip, onRead);
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

/** Form of `backup.json`. Version 1. */
export const BACKUP_VERSION = 1;
/** The last file of a backup: without it the archive was cut off. */
export const CONTENTS_NAME = 'backup.json';
/** Files of the data folder that open what the stores keep sealed; in a backup only when they are asked for. */
export const SECRET_NAMES = ['secrets-key', 'operator-token'] as const;

const whole = z.number().int().nonnegative();
const FILE = { bytes: whole, sha256: z.string().regex(/^[0-9a-f]{64}$/) };

const CONTENTS = z.object({
  version: z.literal(BACKUP_VERSION),
  /** Version of the product that wrote it. */
  product: z.string(),
  /** The instant of which all stores are. */
  takenAt: z.iso.datetime(),
  stores: z.array(
    z.object({
      name: z.string(),
      ...FILE,
      /** Number of the last migration. */
      schemaVersion: whole,
      /** The store, and the part of its history, that the copy is of; absent where an older program made it. */
      storeId: z.string().optional(),
      epoch: z.string().optional(),
      /** Documents of an engine, deleted ones left out. */
      documents: whole.optional(),
    }),
  ),
  secrets: z.array(z.object({ name: z.enum(SECRET_NAMES), ...FILE })),
});

/** What `backup.json` says of the archive that it ends. */
export type BackupContents = z.infer<typeof CONTENTS>;
export type BackupStore = BackupContents['stores'][number];

const STORE_NAME = /^(?:system\.db|engines\/(?<engineId>[1-9][0-9]{0,15})\/store\.db)$/;

/** Name of a store in a backup, which is its path in a data folder. */
export function storeName(target: StoreTarget): string {
  return target.kind === 'system' ? 'system.db' : `engines/${target.engineId}/store.db`;
}

/** The store that a name of a backup stands for; undefined for other files. */
export function storeOfName(name: string): StoreTarget | undefined {
  const found = STORE_NAME.exec(name);
  if (found === null) return undefined;
  const engineId = found.groups?.['engineId'];
  return engineId === undefined ? { kind: 'system' } : { kind: 'engine', engineId: Number(engineId) };
}

/** @throws AppError `internal` when it is no such text, `storage.version-mismatch` when a newer product wrote it */
function parseContents(text: string): BackupContents {
  const value: unknown = JSON.parse(text);
  const { data: head } = z.object({ version: whole, product: z.string() }).safeParse(value);
  if (head !== undefined && head.version > BACKUP_VERSION) {
    const message = `The backup was written by version ${head.product}: restore it with that version or a newer one`;
    throw new AppError('storage.version-mismatch', message);
  }
  return CONTENTS.parse(value);
}

/** The ustar form of tar, as far as a backup needs it: regular files with short names. Every tar program reads it. */

const BLOCK_BYTES = 512;
const MAX_NAME_BYTES = 100;
const MODE = '0000600';
const REGULAR_FILE = '0';
/** Sizes from here on do not fit eleven octal digits and are written in binary, as GNU tar does. */
const OCTAL_LIMIT = 8 ** 11;
const SIZE_AT = 124;
const CHECKSUM_AT = 148;
const TYPE_AT = 156;

type TarEntry = { readonly name: string; readonly bytes: number; readonly body: AsyncIterable<Uint8Array> };

/** One file of an archive. The body must have as many bytes as it says. */
export async function* tarEntry(
  name: string,
  bytes: number,
  modifiedAt: number,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield header(name, bytes, modifiedAt);
  let written = 0;
  for await (const chunk of body) {
    written += chunk.length;
    yield chunk;
  }
  if (written !== bytes) throw new Error(`${name} has ${written} bytes, not ${bytes}`);
  yield Buffer.alloc(padding(bytes));
}

/** What stands after the last file. */
export function tarEnd(): Uint8Array {
  return Buffer.alloc(2 * BLOCK_BYTES);
}

/**
 * The files of an archive in their order. Each body is read to its end before the next file is asked for.
 * @throws Error when the archive is cut off or no tar
 */
async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = byteReader(source);
  for (;;) {
    const block = await reader.take(BLOCK_BYTES);
    if (block.every((byte) => byte === 0)) break;
    const { name, bytes } = parseHeader(block);
    yield { name, bytes, body: reader.stream(bytes) };
    await reader.take(padding(bytes));
  }
  // A stream that ends with an error, such as a wrong checksum, tells it only to whoever reads to its end.
  await reader.drain();
}

function header(name: string, bytes: number, modifiedAt: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error(`${name} is too long for an archive`);
  block.write(name, 0);
  block.write(`${MODE}\0`, 100);
  block.write(`${octal(0, 7)}\0`, 108);
  block.write(`${octal(0, 7)}\0`, 116);
  writeSize(block, bytes);
  block.write(`${octal(Math.floor(modifiedAt / 1_000), 11)}\0`, 136);
  block.write(REGULAR_FILE, TYPE_AT);
  block.write('ustar\x0000', 257);
  block.fill(' ', CHECKSUM_AT, CHECKSUM_AT + 8);
  block.write(`${octal(sum(block), 6)}\0 `, CHECKSUM_AT);
  return block;
}

function writeSize(block: Buffer, bytes: number): void {
  if (bytes < OCTAL_LIMIT) {
    block.write(`${octal(bytes, 11)}\0`, SIZE_AT);
    return;
  }
  block.writeUInt8(0x80, SIZE_AT);
  block.writeBigUInt64BE(BigInt(bytes), SIZE_AT + 4);
}

function parseHeader(block: Buffer): { readonly name: string; readonly bytes: number } {
  const found = Number.parseInt(block.toString('latin1', CHECKSUM_AT, CHECKSUM_AT + 6), 8);
  const blank = Buffer.from(block).fill(' ', CHECKSUM_AT, CHECKSUM_AT + 8);
  if (found !== sum(blank) || block.toString('latin1', TYPE_AT, TYPE_AT + 1) !== REGULAR_FILE) {
    throw new Error('not a file of a tar archive');
  }
  const end = block.indexOf(0);
  const isBinary = block.readUInt8(SIZE_AT) === 0x80;
  const octalSize = () => Number.parseInt(block.toString('latin1', SIZE_AT, SIZE_AT + 11), 8);
  return {
    name: block.toString('utf8', 0, Math.min(end < 0 ? MAX_NAME_BYTES : end, MAX_NAME_BYTES)),
    bytes: isBinary ? Number(block.readBigUInt64BE(SIZE_AT + 4)) : octalSize(),
  };
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

function sum(block: Uint8Array): number {
  return block.reduce((total, byte) => total + byte, 0);
}

function padding(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

function byteReader(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  const more = async (): Promise<void> => {
    const next = await chunks.next();
    if (next.done === true) throw new Error('the archive is cut off');
    rest = next.value;
  };
  async function* stream(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0; ) {
      if (rest.length === 0) await more();
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      if (part.length > 0) yield part;
    }
  }
  const take = async (bytes: number): Promise<Buffer> => {
    const parts: Uint8Array[] = [];
    for await (const part of stream(bytes)) parts.push(part);
    return Buffer.concat(parts);
  };
  const drain = async (): Promise<void> => {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next());
  };
  return { stream, take, drain };
}
