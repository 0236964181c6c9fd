import type { FileBlock, FileExtraction } from '../../extraction.ts';
import { unreadFile } from '../file-status.ts';
import { formatsOf } from '../sheet-parts.ts';
import {
  type BiffContext,
  type BiffRecord,
  type BiffText,
  MAX_SHEETS,
  openBudget,
  readBiffSheet,
  recordsOf,
  type SheetName,
  sheetBlocks,
  workbookFile,
} from './biff-sheet.ts';
import { charsetOfPage, decodeBytes } from './code-pages.ts';
import { type OleFile, openOle, summaryOf } from './ole.ts';

type Sheet = SheetName & { readonly at: number };

type Workbook = {
  readonly sheets: Sheet[];
  readonly codes: Map<number, string>;
  readonly formatIds: number[];
  strings: readonly string[];
  textOf: BiffText;
  from1904: boolean;
  isEncrypted: boolean;
};

/** Names of the stream, which programs write in any case. */
const STREAMS = new Set(['workbook', 'book']);
const BOF = 0x0809;
const EOF = 0x000a;
const BIFF8 = 0x0600;
const GLOBALS = 0x0005;
/** Records of all sheets after which nothing is read: 40 for each cell that is. */
const MAX_RECORDS = 2_000_000;

/** Sheets of a workbook of Excel 5 to 2003 (MS-XLS): the name of each as a heading, its rows as a table, its text boxes. */
export function readLegacySheets(bytes: Uint8Array): FileExtraction {
  const ole = openOle(bytes);
  if (ole === undefined) return unreadFile('malformed', 'The workbook has no directory');
  const { properties } = summaryOf(ole.streamOf('\u0005SummaryInformation'));
  const stream = workbookStream(ole);
  const workbook = stream === undefined ? undefined : readGlobals(stream);
  if (stream === undefined || workbook === undefined)
    return { ...unreadFile('malformed', 'The file has no workbook'), properties };
  if (workbook.isEncrypted) return { ...unreadFile('encrypted', 'The file needs a password'), properties };
  const { sheets, strings, textOf, codes, formatIds, from1904 } = workbook;
  const formats = formatsOf(formatIds, codes, { from1904 });
  const context: BiffContext = { ...openBudget(), strings, formats, textOf, recordsLeft: MAX_RECORDS };
  const blocks: FileBlock[] = [];
  const links: FileExtraction['links'][number][] = [];
  for (const sheet of sheets.slice(0, MAX_SHEETS)) {
    const read = readBiffSheet(stream, sheet.at, context);
    blocks.push(...sheetBlocks(sheet, read.rows, read.boxes));
    links.push(...read.links);
  }
  const isCut = context.isCut || sheets.length > MAX_SHEETS;
  return workbookFile({ properties, blocks, links }, { isCut });
}

function workbookStream(ole: OleFile): Buffer | undefined {
  const name = [...ole.names].find((candidate) => STREAMS.has(candidate.toLowerCase()));
  const bytes = name === undefined ? undefined : ole.streamOf(name);
  return bytes === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** What stands before the sheets (MS-XLS 2.1.7.20.3); undefined when the stream does not start as a workbook. */
function readGlobals(stream: Buffer): Workbook | undefined {
  const workbook: Workbook = {
    sheets: [],
    codes: new Map(),
    formatIds: [],
    strings: [],
    textOf: byteText('windows-1252'),
    from1904: false,
    isEncrypted: false,
  };
  const records = recordsOf(stream, 0);
  const start = records.next().value?.parts[0];
  if (stream.length < 8 || stream.readUInt16LE(0) !== BOF || start === undefined || start.length < 4) return undefined;
  if (start.readUInt16LE(0) === BIFF8) workbook.textOf = wideText;
  // A workbook of one sheet may be the sheet alone.
  if (start.readUInt16LE(2) !== GLOBALS) workbook.sheets.push({ name: '', isHidden: false, at: 0 });
  for (const record of records) {
    if (record.type === EOF) break;
    GLOBAL_STEPS.get(record.type)?.(workbook, record);
  }
  return workbook;
}

/** Characters of one byte or two, as a flag says: from Excel 97 on. */
const wideText: BiffText = (parts, at, countBytes) => {
  const cursor = { parts, part: 0, at };
  return takeText(cursor, takeNumber(cursor, countBytes));
};

/** Characters of the code page of the workbook: Excel 5 and 95. */
function byteText(charset: string): BiffText {
  return ([data], at, countBytes) => {
    const cursor = { parts: [data] as const, part: 0, at };
    const count = takeNumber(cursor, countBytes);
    return decodeBytes(data.toString('latin1', at + countBytes, at + countBytes + count), charset);
  };
}

const GLOBAL_STEPS: ReadonlyMap<number, (workbook: Workbook, record: BiffRecord) => void> = new Map([
  [
    0x002f,
    (workbook) => {
      workbook.isEncrypted = true;
    },
  ],
  [
    0x0022,
    (workbook, { parts }) => {
      workbook.from1904 = parts[0][0] === 1;
    },
  ],
  [
    0x0042,
    (workbook, { parts: [data] }) => {
      const charset = data.length < 2 ? undefined : charsetOfPage(data.readUInt16LE(0));
      if (workbook.textOf !== wideText && charset !== undefined) workbook.textOf = byteText(charset);
    },
  ],
  [
    0x00fc,
    (workbook, record) => {
      workbook.strings = sharedStringsOf(record);
    },
  ],
  [
    0x041e,
    ({ codes, textOf }, { parts }) => {
      if (parts[0].length >= 3) codes.set(parts[0].readUInt16LE(0), textOf(parts, 2, textOf === wideText ? 2 : 1));
    },
  ],
  [
    0x00e0,
    ({ formatIds }, { parts: [data] }) => {
      formatIds.push(data.length >= 4 ? data.readUInt16LE(2) : 0);
    },
  ],
  [0x0085, readSheetName],
]);

/** Sheets of cells; those of charts, macros and modules have none (MS-XLS 2.4.28). */
function readSheetName({ sheets, textOf }: Workbook, { parts }: BiffRecord): void {
  const [data] = parts;
  if (data.length < 8 || data[5] !== 0) return;
  sheets.push({ name: textOf(parts, 6, 1), isHidden: ((data[4] ?? 0) & 3) !== 0, at: data.readUInt32LE(0) });
}

/** A place in the parts of a record; reading moves it on, and beyond the last part there are only zeros. */
export type BiffCursor = { readonly parts: BiffRecord['parts']; part: number; at: number };

/** Flags of a string (MS-XLS 2.5.293). */
const WIDE = 1;
const EXTENDED = 4;
const RICH = 8;
const RUN_BYTES = 4;

/** The strings that cells name by number (MS-XLS 2.4.265), without their formatting and phonetic guides. */
function sharedStringsOf({ parts }: BiffRecord): readonly string[] {
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
function takeText(cursor: BiffCursor, count: number): string {
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
function takeNumber(cursor: BiffCursor, bytes: number): number {
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
