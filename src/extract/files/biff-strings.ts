import type { BiffRecord } from './biff-records.ts';

/** A place in the parts of a record; reading moves it on, and beyond the last part there are only zeros. */
export type BiffCursor = { readonly parts: BiffRecord['parts']; part: number; at: number };

/** Flags of a string (MS-XLS 2.5.293). */
const WIDE = 1;
const EXTENDED = 4;
const RICH = 8;
const RUN_BYTES = 4;

/** The strings that cells name by number (MS-XLS 2.4.265), without their formatting and phonetic guides. */
export function sharedStringsOf({ parts }: BiffRecord): readonly string[] {
  const cursor: BiffCursor = { parts, part: 0, at: 4 };
  const count = takeNumber(cursor, 4);
  const strings: string[] = [];
  while (strings.length < count && hasMore(cursor)) strings.push(takeRichText(cursor));
  return strings;
}

function takeRichText(cursor: BiffCursor): string {
  const count = takeNumber(cursor, 2);
  const flags = takeNumber(cursor, 1);
  const runs = (flags & RICH) !== 0 ? takeNumber(cursor, 2) : 0;
  const extra = (flags & EXTENDED) !== 0 ? takeNumber(cursor, 4) : 0;
  const text = takeChars(cursor, count, flags);
  skip(cursor, runs * RUN_BYTES + extra);
  return text;
}

/** Characters with their flags before them. */
export function takeText(cursor: BiffCursor, count: number): string {
  return takeChars(cursor, count, takeNumber(cursor, 1));
}

/** Where the characters go on in another record, a byte says anew how wide they are (MS-XLS 2.5.293). */
function takeChars(cursor: BiffCursor, count: number, flags: number): string {
  let size = (flags & WIDE) !== 0 ? 2 : 1;
  let left = count;
  let text = '';
  while (left > 0) {
    const part = cursor.parts[cursor.part];
    if (part === undefined) break;
    const bytes = Math.max(0, Math.min(left, Math.floor((part.length - cursor.at) / size))) * size;
    text += part.toString(size === 2 ? 'utf16le' : 'latin1', cursor.at, cursor.at + bytes);
    cursor.at += bytes;
    left -= bytes / size;
    if (left === 0) break;
    cursor.part++;
    cursor.at = 1;
    size = ((cursor.parts[cursor.part]?.[0] ?? 0) & WIDE) !== 0 ? 2 : 1;
  }
  return text;
}

/** Little-endian, of at most four bytes. */
export function takeNumber(cursor: BiffCursor, bytes: number): number {
  let value = 0;
  for (let i = 0; i < bytes; i++) {
    hasMore(cursor);
    value += (cursor.parts[cursor.part]?.[cursor.at] ?? 0) * 256 ** i;
    cursor.at++;
  }
  return value;
}

function skip(cursor: BiffCursor, bytes: number): void {
  let left = bytes;
  while (left > 0 && hasMore(cursor)) {
    const step = Math.min(left, (cursor.parts[cursor.part]?.length ?? 0) - cursor.at);
    cursor.at += step;
    left -= step;
  }
}

/** Moves to the part that holds the next byte. */
function hasMore(cursor: BiffCursor): boolean {
  let part = cursor.parts[cursor.part];
  while (part !== undefined && cursor.at >= part.length) {
    cursor.at = 0;
    part = cursor.parts[++cursor.part];
  }
  return part !== undefined;
}
