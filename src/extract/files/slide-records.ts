import { MAX_BLOCKS } from './file-status.ts';

/** A record of slides of before 2007 (MS-PPT 2.3.1). */
export type SlideRecord = {
  readonly type: number;
  readonly instance: number;
  /** Contents, cut where what holds them ends. */
  readonly data: Buffer;
};

/** What may still be read of a file: parts of it may overlap. */
export type SlideBudget = { recordsLeft: number; charsLeft: number; paragraphsLeft: number; isCut: boolean };

const HEADER_BYTES = 8;

export function openSlideBudget(): SlideBudget {
  return { recordsLeft: 2_000_000, charsLeft: 6 * 1024 * 1024, paragraphsLeft: MAX_BLOCKS, isCut: false };
}

/** The record at a place; undefined when no header fits there. */
export function slideRecordAt(bytes: Buffer, at: number): SlideRecord | undefined {
  if (at < 0 || at + HEADER_BYTES > bytes.length) return undefined;
  const start = at + HEADER_BYTES;
  return {
    type: bytes.readUInt16LE(at + 2),
    instance: bytes.readUInt16LE(at) >> 4,
    data: bytes.subarray(start, start + bytes.readUInt32LE(at + 4)),
  };
}

/** Records in the contents of another one, in their order. */
export function* slideRecords(bytes: Buffer, budget: SlideBudget): Generator<SlideRecord, void> {
  let at = 0;
  for (let record = slideRecordAt(bytes, at); record !== undefined; record = slideRecordAt(bytes, at)) {
    if (--budget.recordsLeft < 0) {
      budget.isCut = true;
      return;
    }
    yield record;
    at += HEADER_BYTES + record.data.length;
  }
}
