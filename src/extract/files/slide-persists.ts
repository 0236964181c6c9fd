import { type SlideBudget, type SlideRecord, slideRecordAt, slideRecords } from './slide-records.ts';

/** Objects of a file by their numbers, as they were saved last. */
export type SlidePersists = {
  /** Of the document. */
  readonly document: SlideRecord | undefined;
  readonly objectOf: (id: number) => SlideRecord | undefined;
  readonly isEncrypted: boolean;
};

const USER_EDIT = 0x0ff5;
const DIRECTORY = 0x1772;
/** Bits of an entry: number of its first object, and how many follow each other. */
const FIRST_ID = 0xfffff;
const COUNT_SHIFT = 20;
/** No file has more numbers. */
const MAX_OBJECTS = FIRST_ID;

/**
 * Follows the edits of a file from the last one to the first (MS-PPT 2.1.2); `current` is the stream that names the
 * last one. Each edit and directory is read once, so that a cycle ends.
 */
export function readPersists(stream: Buffer, current: Buffer | undefined, budget: SlideBudget): SlidePersists {
  const positions = new Map<number, number>();
  const seen = new Set<number>();
  const last = lastEdit(stream, current, budget);
  let at = last;
  for (let edit = editAt(stream, at); edit !== undefined && !seen.has(at); edit = editAt(stream, at)) {
    seen.add(at);
    const directory = edit.readUInt32LE(12);
    if (!seen.has(directory)) readDirectory(stream, directory, positions);
    seen.add(directory);
    at = edit.readUInt32LE(8);
  }
  const objectOf = (id: number) => slideRecordAt(stream, positions.get(id) ?? -1);
  const edit = editAt(stream, last);
  return {
    document: edit === undefined ? undefined : objectOf(edit.readUInt32LE(16)),
    objectOf,
    isEncrypted: isEncrypted(edit, current),
  };
}

const EDIT_BYTES = 28;

function editAt(stream: Buffer, at: number): Buffer | undefined {
  const record = slideRecordAt(stream, at);
  return record?.type === USER_EDIT && record.data.length >= EDIT_BYTES ? record.data : undefined;
}

/** As the stream of the user says, else the last one that stands in the file. */
function lastEdit(stream: Buffer, current: Buffer | undefined, budget: SlideBudget): number {
  const named = current !== undefined && current.length >= 20 ? current.readUInt32LE(16) : -1;
  if (editAt(stream, named) !== undefined) return named;
  let at = 0;
  let found = -1;
  for (const { type, data } of slideRecords(stream, budget)) {
    if (type === USER_EDIT) found = at;
    at += data.length + 8;
  }
  return found;
}

function readDirectory(stream: Buffer, at: number, positions: Map<number, number>): void {
  const record = slideRecordAt(stream, at);
  if (record?.type !== DIRECTORY) return;
  const { data } = record;
  let next = 0;
  while (next + 4 <= data.length && positions.size < MAX_OBJECTS) {
    const entry = data.readUInt32LE(next);
    next += 4;
    for (let i = 0; i < entry >>> COUNT_SHIFT && next + 4 <= data.length; i++, next += 4) {
      const id = (entry & FIRST_ID) + i;
      if (!positions.has(id)) positions.set(id, data.readUInt32LE(next));
    }
  }
}

/** Of the stream of the user (MS-PPT 2.3.2). */
const ENCRYPTED_TOKEN = 0xf3d1c4df;

/** An edit of an encrypted file names the object with its keys behind all others (MS-PPT 2.3.3). */
function isEncrypted(edit: Buffer | undefined, current: Buffer | undefined): boolean {
  if (current !== undefined && current.length >= 16 && current.readUInt32LE(12) === ENCRYPTED_TOKEN) return true;
  return edit !== undefined && edit.length >= EDIT_BYTES + 4 && edit.readUInt32LE(EDIT_BYTES) !== 0;
}
