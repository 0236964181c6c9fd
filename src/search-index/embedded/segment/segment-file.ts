import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { AppError } from '../../../core/errors.ts';
import { INDEX_FORMAT_VERSION, READABLE_FORMATS } from '../format-version.ts';
import { writeNewFile } from '../new-file.ts';
import {
  ALIGNMENT,
  compareSections,
  ENTRY_BYTES,
  HEADER_BYTES,
  RESIDENCY,
  type Residency,
  SECTION,
  SEGMENT_MAGIC,
  type Section,
  type SectionEntry,
  type SegmentHeader,
  viewSection,
} from './sections.ts';

/** Bytes per element of the four array types. */
const ELEMENT_BYTES = [1, 2, 4, 8];

/**
 * Writes a segment to a new file, which is whole or not there. Returns its size. Readable after a power cut only once
 * the folder is synced too. @throws when the file exists
 */
export async function writeSegmentFile(path: string, header: SegmentHeader, sections: Section[]): Promise<number> {
  const sorted = sections.sort(compareSections);
  const start = align(HEADER_BYTES + sorted.length * ENTRY_BYTES);
  const offsets: number[] = [];
  let end = start;
  for (const { data } of sorted) {
    offsets.push(end);
    end = align(end + data.byteLength);
  }
  const head = encodeHead({ header, sections: sorted, offsets, end });
  await writeNewFile(path, async (file) => {
    await file.write(head, 0, head.length, 0);
    for (const [i, { data }] of sorted.entries()) await writeAt(file, data, offsets[i]!);
    await file.truncate(end);
  });
  return end;
}

/** Header and directory of an open file, checked. @throws AppError `index.corrupt` */
export async function readSegmentHead(file: FileHandle): Promise<{ header: SegmentHeader; entries: SectionEntry[] }> {
  const { size } = await file.stat();
  const fixed = Buffer.alloc(HEADER_BYTES);
  await file.read(fixed, 0, HEADER_BYTES, 0);
  const headBytes = fixed.readUInt32LE(12);
  if (fixed.toString('latin1', 0, 8) !== SEGMENT_MAGIC || headBytes > size || headBytes < HEADER_BYTES) {
    throw corrupt('header');
  }
  const head = Buffer.alloc(headBytes);
  await file.read(head, 0, headBytes, 0);
  return decodeHead(head, size);
}

/** Reads header and directory out of the first bytes of a segment. @throws AppError `index.corrupt` */
export function decodeHead(head: Buffer, fileBytes: number): { header: SegmentHeader; entries: SectionEntry[] } {
  const count = head.readUInt32LE(92);
  const end = HEADER_BYTES + count * ENTRY_BYTES;
  if (end > head.length || Number(head.readBigUInt64LE(16)) !== fileBytes) throw corrupt('size');
  if (headCrc(head, end) !== head.readUInt32LE(124)) throw corrupt('directory');
  const format = head.readUInt32LE(8);
  if (!READABLE_FORMATS.includes(format)) throw corrupt('version');
  const entries = Array.from({ length: count }, (_, i) => decodeEntry(head, HEADER_BYTES + i * ENTRY_BYTES));
  if (entries.some(({ offset, bytes }) => offset + bytes > fileBytes)) throw corrupt('bounds');
  return { header: decodeHeader(head, format), entries };
}

/** Reads `file[from..to)` into shared memory and checks every section in it. @throws AppError `index.corrupt` */
export async function readRange(
  file: FileHandle,
  range: { from: number; to: number },
  entries: readonly SectionEntry[],
): Promise<SharedArrayBuffer> {
  const buffer = new SharedArrayBuffer(range.to - range.from);
  const bytes = new Uint8Array(buffer);
  let at = 0;
  while (at < bytes.length) {
    const { bytesRead } = await file.read(bytes, at, Math.min(1 << 28, bytes.length - at), range.from + at);
    if (bytesRead === 0) throw corrupt('end of file');
    at += bytesRead;
  }
  for (const { offset, bytes: length, crc, kind } of entries) {
    const from = offset - range.from;
    if (crc32(bytes.subarray(from, from + length)) !== crc) throw corrupt(`section ${kind}`);
  }
  return buffer;
}

/** The part of the file that the sections of a residency (and field) take. Empty when there are none. */
export function rangeOf(
  entries: readonly SectionEntry[],
  residency: Residency,
  subject?: number,
): { from: number; to: number; entries: SectionEntry[] } {
  const chosen = entries.filter(
    (entry) => entry.residency === residency && (subject === undefined || entry.subject === subject),
  );
  const last = chosen.at(-1);
  return { from: chosen[0]?.offset ?? 0, to: last === undefined ? 0 : last.offset + last.bytes, entries: chosen };
}

export function corrupt(part: string): AppError {
  return new AppError('index.corrupt', 'The index is damaged', { details: { part } });
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

async function writeAt(file: FileHandle, data: Section['data'], offset: number): Promise<void> {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, Math.min(1 << 28, bytes.length - done), offset + done);
    done += bytesWritten;
  }
}

function encodeHead(layout: {
  header: SegmentHeader;
  sections: readonly Section[];
  offsets: readonly number[];
  end: number;
}): Buffer {
  const { header, sections, offsets } = layout;
  const end = HEADER_BYTES + sections.length * ENTRY_BYTES;
  const head = Buffer.alloc(align(end));
  head.write(SEGMENT_MAGIC, 0, 'latin1');
  head.writeUInt32LE(INDEX_FORMAT_VERSION, 8);
  head.writeUInt32LE(head.length, 12);
  head.writeBigUInt64LE(BigInt(layout.end), 16);
  head.writeBigUInt64LE(BigInt(`0x${header.uid}`), 24);
  const counts = [header.documents, header.terms, header.entries, header.blocks, header.postings, 0];
  for (const [i, count] of counts.entries()) head.writeUInt32LE(count, 32 + i * 4);
  head.writeDoubleLE(header.bodyTokens, 56);
  head.writeBigUInt64LE(BigInt(header.minSeq), 64);
  head.writeBigUInt64LE(BigInt(header.maxSeq), 72);
  head.writeUInt32LE(header.analysis, 80);
  head.writeUInt32LE(header.vocabulary, 84);
  head.writeUInt32LE(sections.length, 92);
  for (const [i, section] of sections.entries()) {
    encodeEntry(head, HEADER_BYTES + i * ENTRY_BYTES, section, offsets[i]!);
  }
  head.writeUInt32LE(headCrc(head, end), 124);
  return head;
}

function headCrc(head: Buffer, end: number): number {
  return crc32(head.subarray(HEADER_BYTES, end), crc32(head.subarray(0, 124)));
}

function encodeEntry(head: Buffer, at: number, section: Section, offset: number): void {
  const { data } = section;
  head.writeUInt16LE(section.kind, at);
  head.writeUInt16LE(section.subject, at + 2);
  head.writeUInt8(data.BYTES_PER_ELEMENT, at + 4);
  head.writeUInt8(section.residency, at + 5);
  head.writeUInt8(section.part, at + 7);
  head.writeBigUInt64LE(BigInt(offset), at + 8);
  head.writeBigUInt64LE(BigInt(data.byteLength), at + 16);
  head.writeUInt32LE(crc32(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)), at + 24);
}

function decodeEntry(head: Buffer, at: number): SectionEntry {
  const element = head.readUInt8(at + 4);
  if (!ELEMENT_BYTES.includes(element)) throw corrupt('element');
  return {
    kind: head.readUInt16LE(at),
    subject: head.readUInt16LE(at + 2),
    element,
    residency: head.readUInt8(at + 5) as Residency,
    part: head.readUInt8(at + 7),
    offset: Number(head.readBigUInt64LE(at + 8)),
    bytes: Number(head.readBigUInt64LE(at + 16)),
    crc: head.readUInt32LE(at + 24),
  };
}

function decodeHeader(head: Buffer, format: number): SegmentHeader {
  return {
    format,
    uid: head.readBigUInt64LE(24).toString(16).padStart(16, '0'),
    documents: head.readUInt32LE(32),
    terms: head.readUInt32LE(36),
    entries: head.readUInt32LE(40),
    blocks: head.readUInt32LE(44),
    postings: head.readUInt32LE(48),
    bodyTokens: head.readDoubleLE(56),
    minSeq: Number(head.readBigUInt64LE(64)),
    maxSeq: Number(head.readBigUInt64LE(72)),
    analysis: head.readUInt32LE(80),
    vocabulary: head.readUInt32LE(84),
  };
}

export type BodyLengths = Uint8Array | Uint16Array | Uint32Array;

/** What the writer keeps of a segment. */
type CheckedSegment = {
  readonly uid: string;
  readonly format: number;
  readonly rids: Uint32Array;
  readonly bodyLengths: BodyLengths;
};

/** Reads a segment whole, section by section, against its checksums. @throws AppError `index.corrupt` */
export async function checkSegment(file: FileHandle): Promise<CheckedSegment> {
  const { header, entries } = await readSegmentHead(file);
  let rids: Uint32Array | undefined;
  let bodyLengths: BodyLengths | undefined;
  for (const entry of entries) {
    const data = await readSection(file, entry);
    if (entry.kind === SECTION.rid && entry.residency === RESIDENCY.engine) rids = data as Uint32Array;
    if (entry.kind === SECTION.bodyLength) bodyLengths = data as BodyLengths;
  }
  if (rids === undefined || bodyLengths === undefined) throw corrupt('sections');
  return { uid: header.uid, format: header.format, rids, bodyLengths };
}

async function readSection(file: FileHandle, entry: SectionEntry) {
  const range = { from: entry.offset, to: entry.offset + entry.bytes };
  return viewSection(await readRange(file, range, [entry]), entry.offset, entry);
}
