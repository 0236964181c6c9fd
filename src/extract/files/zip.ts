import { inflateRawSync } from 'node:zlib';
import { decodeText } from '../charset.ts';
import type { ExtractionStatus } from '../extraction.ts';

/** Limits of an archive (reliability: file parsers). */
const MAX_ENTRIES = 10_000;
const MAX_INFLATED_BYTES = 200 * 1024 * 1024;
const MAX_RATIO = 200;
const RATIO_FROM_BYTES = 1024 * 1024;
/** More text than a file may give stands in the beginning of a part. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const TAG_END = 0x3e;

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = Buffer.from('PK\x03\x04', 'latin1');
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_COMMENT_BYTES = 65_535;
const STORED = 0;
const DEFLATED = 8;

export type ZipArchive = {
  readonly status: 'ok';
  /** Names only, never paths of this machine: `\` read as `/`, no leading `/`. */
  readonly names: ReadonlySet<string>;
  /** Undefined when there is no such part, or none that can be inflated to what it declares. Inflates every time. */
  readonly bytesOf: (name: string) => Uint8Array | undefined;
  /** As `bytesOf`, decoded by mark, declaration or as UTF-8; `''` for undefined. Of a part over 64 MiB its beginning. */
  readonly textOf: (name: string) => string;
};
export type ZipFault = {
  readonly status: Extract<ExtractionStatus, 'malformed' | 'over-limit'>;
  readonly reason: string;
};

/** Opens an archive by its directory; declared sizes over a limit refuse it before anything is inflated. */
export function openZip(bytes: Uint8Array): ZipArchive | ZipFault {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = readDirectory(buffer);
  if (!(entries instanceof Map)) return entries;
  let inflated = 0;
  for (const entry of entries.values()) inflated += entry.bytes;
  const isBomb = inflated > RATIO_FROM_BYTES && inflated > bytes.length * MAX_RATIO;
  if (inflated > MAX_INFLATED_BYTES || isBomb) return { status: 'over-limit', reason: 'The archive inflates too much' };
  const bytesOf = (name: string) => {
    const entry = entries.get(name);
    return entry === undefined ? undefined : inflate(buffer, entry);
  };
  return {
    status: 'ok',
    names: new Set(entries.keys()),
    bytesOf,
    textOf: (name) => {
      const part = bytesOf(name);
      return part === undefined ? '' : decodeText(beginningOf(part), undefined).text;
    },
  };
}

/** Up to a tag that ends: half a character would be read as damage. */
function beginningOf(part: Uint8Array): Uint8Array {
  if (part.length <= MAX_TEXT_BYTES) return part;
  const end = part.lastIndexOf(TAG_END, MAX_TEXT_BYTES - 1);
  return part.subarray(0, end < 0 ? MAX_TEXT_BYTES : end + 1);
}

/** Names of an archive and what it says it is, also of one that is cut; nothing else is inflated. */
export function zipNames(bytes: Uint8Array): { readonly names: readonly string[]; readonly mimetype: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = readDirectory(buffer);
  const names = entries instanceof Map ? [...entries.keys()] : localNames(buffer);
  const entry = entries instanceof Map ? entries.get('mimetype') : undefined;
  const isShort = entry !== undefined && entry.bytes <= MAX_FIRST_BYTES;
  const content = isShort ? inflate(buffer, entry) : undefined;
  const mimetype = content === undefined ? firstStoredOf(buffer) : Buffer.from(content).toString('latin1').trim();
  return { names, mimetype };
}

type ZipEntry = {
  readonly name: string;
  readonly method: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly offset: number;
};

function readDirectory(buffer: Buffer): Map<string, ZipEntry> | ZipFault {
  const end = findEnd(buffer);
  if (end === undefined) return { status: 'malformed', reason: 'The archive has no directory' };
  const count = buffer.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) return { status: 'over-limit', reason: 'The archive has too many entries' };
  const declaredAt = buffer.readUInt32LE(end + 16);
  // Bytes before the archive move everything by their length.
  const shift = Math.max(0, end - buffer.readUInt32LE(end + 12) - declaredAt);
  const entries = new Map<string, ZipEntry>();
  let at = declaredAt + shift;
  for (let index = 0; index < count; index++) {
    const read = readEntry(buffer, at, shift);
    if (read === undefined) return { status: 'malformed', reason: 'The directory of the archive is damaged' };
    entries.set(read.entry.name, read.entry);
    at = read.next;
  }
  return entries;
}

function findEnd(buffer: Buffer): number | undefined {
  const lowest = Math.max(0, buffer.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = buffer.length - END_BYTES; at >= lowest; at--) {
    if (buffer.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  return undefined;
}

function readEntry(buffer: Buffer, at: number, shift: number): { entry: ZipEntry; next: number } | undefined {
  if (at + ENTRY_BYTES > buffer.length || buffer.readUInt32LE(at) !== ENTRY_SIGNATURE) return undefined;
  const nameEnd = at + ENTRY_BYTES + buffer.readUInt16LE(at + 28);
  const next = nameEnd + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  const entry = {
    name: nameOf(buffer.subarray(at + ENTRY_BYTES, nameEnd)),
    method: buffer.readUInt16LE(at + 10),
    compressedBytes: buffer.readUInt32LE(at + 20),
    bytes: buffer.readUInt32LE(at + 24),
    offset: buffer.readUInt32LE(at + 42) + shift,
  };
  return { entry, next };
}

function nameOf(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\\', '/').replace(/^\/+/, '');
}

/** At most as long as the entry declares: a longer stream is damage. */
function inflate(buffer: Buffer, { offset, method, compressedBytes, bytes }: ZipEntry): Uint8Array | undefined {
  if (offset + LOCAL_BYTES > buffer.length) return undefined;
  const start = offset + LOCAL_BYTES + buffer.readUInt16LE(offset + 26) + buffer.readUInt16LE(offset + 28);
  const data = buffer.subarray(start, start + compressedBytes);
  if (method === STORED) return data;
  try {
    return method === DEFLATED ? inflateRawSync(data, { maxOutputLength: Math.max(1, bytes) }) : undefined;
  } catch {
    return undefined;
  }
}

function localNames(buffer: Buffer): readonly string[] {
  const names: string[] = [];
  let at = buffer.indexOf(LOCAL_SIGNATURE);
  while (at >= 0 && at + LOCAL_BYTES <= buffer.length && names.length < MAX_ENTRIES) {
    const start = at + LOCAL_BYTES;
    names.push(nameOf(buffer.subarray(start, start + buffer.readUInt16LE(at + 26))));
    at = buffer.indexOf(LOCAL_SIGNATURE, start);
  }
  return names;
}

const MAX_FIRST_BYTES = 200;

/** Content of the first entry when it is short and stored as it is, as `mimetype` must be; else `''`. */
function firstStoredOf(buffer: Buffer): string {
  if (buffer.length < LOCAL_BYTES || buffer.readUInt16LE(8) !== STORED) return '';
  const size = buffer.readUInt32LE(18);
  const start = LOCAL_BYTES + buffer.readUInt16LE(26) + buffer.readUInt16LE(28);
  return size > MAX_FIRST_BYTES ? '' : buffer.toString('latin1', start, start + size);
}
