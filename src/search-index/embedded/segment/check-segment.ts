import type { FileHandle } from 'node:fs/promises';
import { RESIDENCY, SECTION, type SectionEntry, viewSection } from './sections.ts';
import { corrupt, readRange, readSegmentHead } from './segment-file.ts';

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
