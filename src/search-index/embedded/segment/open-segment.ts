import type { FileHandle } from 'node:fs/promises';
import { HEADER_BYTES, RESIDENCY, SECTION, viewSection } from './sections.ts';
import { POSITIONS_EXTENT, Segment } from './segment.ts';
import { corrupt, rangeOf, readRange, readSegmentHead } from './segment-file.ts';

/** The head of an open segment file in shared memory, every section checked. @throws AppError `index.corrupt` */
export async function readHead(file: FileHandle): Promise<{ head: SharedArrayBuffer; fileBytes: number }> {
  const { entries } = await readSegmentHead(file);
  const { size } = await file.stat();
  const resident = rangeOf(entries, RESIDENCY.engine);
  const to = Math.max(resident.to, HEADER_BYTES);
  const head = await readRange(file, { from: 0, to }, resident.entries);
  return { head, fileBytes: size };
}

/** Bytes that `readHead` will hold. @throws AppError `index.corrupt` */
export async function headBytes(file: FileHandle): Promise<number> {
  const { entries } = await readSegmentHead(file);
  return Math.max(rangeOf(entries, RESIDENCY.engine).to, HEADER_BYTES);
}

/** Reads an extent and attaches it; nothing to do when the segment has none of it or holds it already. */
export async function loadExtent(segment: Segment, file: FileHandle, extent: number): Promise<void> {
  if (segment.hasExtent(extent)) return;
  const range = segment.extentRange(extent);
  if (range === undefined) return;
  const buffer = await readRange(file, range, range.entries);
  if (!segment.hasExtent(extent)) segment.attach(extent, buffer);
}

/** A segment with all that a merge reads: every column and the positions. @throws AppError `index.corrupt` */
export async function openWholeSegment(file: FileHandle): Promise<Segment> {
  const { head, fileBytes } = await readHead(file);
  const segment = new Segment(head, fileBytes);
  await loadExtent(segment, file, POSITIONS_EXTENT);
  for (const field of segment.fieldCounts.keys()) await loadExtent(segment, file, field);
  return segment;
}

/** Tokens of class C per document, which only the writer needs. @throws AppError `index.corrupt` */
export async function readBodyLengths(file: FileHandle): Promise<Uint8Array | Uint16Array | Uint32Array> {
  const { entries } = await readSegmentHead(file);
  const range = rangeOf(entries, RESIDENCY.file);
  const entry = range.entries.find(({ kind }) => kind === SECTION.bodyLength);
  if (entry === undefined) throw corrupt('section bodyLength');
  const buffer = await readRange(file, range, range.entries);
  return viewSection(buffer, range.from, entry) as Uint8Array | Uint16Array | Uint32Array;
}
