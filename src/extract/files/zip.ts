import { inflateRawSync } from 'node:zlib';

/** Limits of an archive (reliability: file parsers). */
const MAX_ENTRIES = 10_000;
const MAX_INFLATED_BYTES = 200 * 1024 * 1024;
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 1024 * 1024;

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const MAX_COMMENT_BYTES = 65_535;

export type ZipEntry = {
  readonly name: string;
  readonly method: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly offset: number;
};

export type ZipDirectory =
  | { readonly status: 'ok'; readonly entries: ReadonlyMap<string, ZipEntry> }
  | { readonly status: 'malformed' | 'over-limit'; readonly reason: string };

/** Reads the central directory alone. Names are names, never paths; declared sizes over a limit refuse the archive. */
export function readZipDirectory(bytes: Uint8Array): ZipDirectory {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = findEnd(buffer);
  if (end === undefined) return { status: 'malformed', reason: 'The archive has no directory' };
  const count = buffer.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) return { status: 'over-limit', reason: 'The archive has too many entries' };
  const entries = new Map<string, ZipEntry>();
  let at = buffer.readUInt32LE(end + 16);
  let inflated = 0;
  for (let index = 0; index < count; index++) {
    const read = readEntry(buffer, at);
    if (read === undefined) return { status: 'malformed', reason: 'The directory of the archive is damaged' };
    entries.set(read.entry.name, read.entry);
    inflated += read.entry.bytes;
    at = read.next;
  }
  const isBomb = inflated > RATIO_FROM_BYTES && inflated > bytes.length * MAX_RATIO;
  if (inflated > MAX_INFLATED_BYTES || isBomb) return { status: 'over-limit', reason: 'The archive inflates too much' };
  return { status: 'ok', entries };
}

/** Content of an entry, at most as long as it declares; undefined when it cannot be inflated. */
export function readZipEntry(bytes: Uint8Array, entry: ZipEntry): Uint8Array | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (entry.offset + 30 > buffer.length) return undefined;
  const start = entry.offset + 30 + buffer.readUInt16LE(entry.offset + 26) + buffer.readUInt16LE(entry.offset + 28);
  const data = buffer.subarray(start, start + entry.compressedBytes);
  if (entry.method === 0) return data;
  try {
    return entry.method === 8 ? inflateRawSync(data, { maxOutputLength: Math.max(1, entry.bytes) }) : undefined;
  } catch {
    return undefined;
  }
}

function findEnd(buffer: Buffer): number | undefined {
  const lowest = Math.max(0, buffer.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = buffer.length - END_BYTES; at >= lowest; at--) {
    if (buffer.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  return undefined;
}

function readEntry(buffer: Buffer, at: number): { readonly entry: ZipEntry; readonly next: number } | undefined {
  if (at + ENTRY_BYTES > buffer.length || buffer.readUInt32LE(at) !== ENTRY_SIGNATURE) return undefined;
  const nameBytes = buffer.readUInt16LE(at + 28);
  const next = at + ENTRY_BYTES + nameBytes + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  return {
    entry: {
      name: buffer.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
      method: buffer.readUInt16LE(at + 10),
      compressedBytes: buffer.readUInt32LE(at + 20),
      bytes: buffer.readUInt32LE(at + 24),
      offset: buffer.readUInt32LE(at + 42),
    },
    next,
  };
}
