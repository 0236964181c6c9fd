import type { FileBlock, FileExtraction } from '../../extraction.ts';
import { fileOf, MAX_LINKS, paragraphsOf } from '../file-status.ts';
import type { NumberFormat } from '../sheet-parts.ts';
import { cellText, type TableRow, tableBlocksOf } from '../table-text.ts';

/** Text of a record from a byte of its first part on: its count of characters, of 1 or 2 bytes, then the characters. */
export type BiffText = (parts: BiffRecord['parts'], at: number, countBytes: 1 | 2) => string;

/** What the sheets of a workbook of before 2007 share. */
export type BiffContext = SheetBudget & {
  readonly strings: readonly string[];
  readonly formats: (style: number) => NumberFormat;
  readonly textOf: BiffText;
  /** Of all sheets together: sheets may overlap. */
  recordsLeft: number;
};

export type BiffSheet = {
  readonly rows: readonly TableRow[];
  readonly boxes: readonly string[];
  readonly links: FileExtraction['links'];
};

type SheetState = {
  readonly context: BiffContext;
  readonly rows: Map<number, Map<number, string>>;
  readonly boxes: string[];
  readonly links: BiffLink[];
  /** The formula whose text follows. */
  formula: { readonly row: number; readonly column: number } | undefined;
  /** Kind of the last object: the text behind it is its own. */
  object: number;
};

const BOF = 0x0809;
const EOF = 0x000a;

/** Rows of a worksheet as they are shown, its text boxes and links (MS-XLS 2.1.7.20.5); charts in it are left out. */
export function readBiffSheet(stream: Buffer, start: number, context: BiffContext): BiffSheet {
  const state: SheetState = { context, rows: new Map(), boxes: [], links: [], formula: undefined, object: 0 };
  let depth = 0;
  for (const record of recordsOf(stream, start)) {
    if (--context.recordsLeft < 0) context.isCut = true;
    if (record.type === BOF) depth++;
    else if (record.type === EOF) depth--;
    else if (depth === 1) readRecord(state, record);
    if (depth === 0 || context.isCut) break;
  }
  const rows = [...state.rows].sort(([a], [b]) => a - b).map(([, row]) => row);
  const links = state.links.map(({ row, column, url }) => ({ url, text: state.rows.get(row)?.get(column) ?? '' }));
  return { rows, boxes: state.boxes, links };
}

type Step = {
  /** Bytes without which the record is damaged. */
  readonly least: number;
  readonly read: (state: SheetState, data: Buffer, parts: BiffRecord['parts']) => void;
};

function readRecord(state: SheetState, { type, parts }: BiffRecord): void {
  const step = STEPS.get(type);
  if (step !== undefined && parts[0].length >= step.least) step.read(state, parts[0], parts);
}

/** A cell starts with its row, column and style. */
const CELL_BYTES = 6;

const LABEL: Step = {
  least: CELL_BYTES + 2,
  read: (state, data, parts) => putCell(state, data, state.context.textOf(parts, CELL_BYTES, 2)),
};

/** MS-XLS 2.5.10. */
const FAULTS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
]);

/** Rectangles, ovals, arcs, text boxes, polygons and newer shapes: not the labels of controls, and no remarks. */
const SHAPES = new Set([0x02, 0x03, 0x04, 0x06, 0x09, 0x1e]);
const STEPS: ReadonlyMap<number, Step> = new Map<number, Step>([
  [0x0204, LABEL],
  [0x00d6, LABEL],
  [
    0x00fd,
    {
      least: CELL_BYTES + 4,
      read: (state, data) => putCell(state, data, state.context.strings[data.readUInt32LE(CELL_BYTES)] ?? ''),
    },
  ],
  [
    0x0203,
    { least: CELL_BYTES + 8, read: (state, data) => putCell(state, data, shown(state, data, data.readDoubleLE(6))) },
  ],
  [
    0x027e,
    { least: CELL_BYTES + 4, read: (state, data) => putCell(state, data, shown(state, data, compact(data, 6))) },
  ],
  [0x00bd, { least: 12, read: readNumbers }],
  [
    0x0205,
    {
      least: CELL_BYTES + 2,
      read: (state, data) => putCell(state, data, data[7] === 0 ? truth(data[6]) : (FAULTS.get(data[6] ?? 0) ?? '')),
    },
  ],
  [0x0006, { least: CELL_BYTES + 8, read: readFormula }],
  [0x0207, { least: 2, read: readResult }],
  [
    0x005d,
    {
      least: 6,
      read: (state, data) => {
        state.object = data.readUInt16LE(4);
      },
    },
  ],
  [0x01b6, { least: 12, read: readBox }],
  [
    0x01b8,
    {
      least: 8,
      read: (state, data) => {
        const link = linkOf(data);
        if (link !== undefined && takeLink(state.context)) state.links.push(link);
      },
    },
  ],
]);

function putCell(state: SheetState, data: Buffer, text: string): void {
  putAt(state, data.readUInt16LE(0), data.readUInt16LE(2), text);
}

function putAt({ rows, context }: SheetState, rowNumber: number, column: number, text: string): void {
  const shownText = cellText(text);
  if (shownText === '' || !takeCell(context, shownText)) return;
  const row = rows.get(rowNumber) ?? new Map<number, string>();
  rows.set(rowNumber, row);
  row.set(column, shownText);
}

function shown({ context }: SheetState, data: Buffer, value: number): string {
  return context.formats(data.readUInt16LE(4))(value);
}

function truth(value: number | undefined): string {
  return value === 0 ? 'FALSE' : 'TRUE';
}

/** A number in 30 bits: a whole one, or the upper half of a float; perhaps of hundredths (MS-XLS 2.5.218). */
function compact(data: Buffer, at: number): number {
  const bits = data.readInt32LE(at);
  const upper = Buffer.alloc(8);
  upper.writeInt32LE(bits & ~3, 4);
  const value = (bits & 2) !== 0 ? bits >> 2 : upper.readDoubleLE(0);
  return (bits & 1) !== 0 ? value / 100 : value;
}

/** Neighbours of a row, each with its style (MS-XLS 2.4.175). */
function readNumbers(state: SheetState, data: Buffer): void {
  const first = data.readUInt16LE(2);
  const count = Math.floor((data.length - 6) / 6);
  for (let i = 0; i < count; i++) {
    const at = 4 + i * 6;
    const text = state.context.formats(data.readUInt16LE(at))(compact(data, at + 2));
    putAt(state, data.readUInt16LE(0), first + i, text);
  }
}

/** The last result of a formula (MS-XLS 2.5.133). */
function readFormula(state: SheetState, data: Buffer): void {
  state.formula = undefined;
  if (data.readUInt16LE(12) !== 0xffff) {
    putCell(state, data, shown(state, data, data.readDoubleLE(6)));
    return;
  }
  if (data[6] === 0) state.formula = { row: data.readUInt16LE(0), column: data.readUInt16LE(2) };
  if (data[6] === 1) putCell(state, data, truth(data[8]));
  if (data[6] === 2) putCell(state, data, FAULTS.get(data[8] ?? 0) ?? '');
}

function readResult(state: SheetState, _data: Buffer, parts: BiffRecord['parts']): void {
  const { formula, context } = state;
  state.formula = undefined;
  if (formula !== undefined) putAt(state, formula.row, formula.column, context.textOf(parts, 0, 2));
}

/** Text of an object (MS-XLS 2.4.329): its characters stand in the records that continue it. */
function readBox({ object, boxes, context }: SheetState, data: Buffer, [, ...parts]: BiffRecord['parts']): void {
  const [first, ...rest] = parts;
  if (first === undefined || !SHAPES.has(object)) return;
  const count = Buffer.alloc(2);
  count.writeUInt16LE(data.readUInt16LE(10));
  const text = context.textOf([Buffer.concat([count, first]), ...rest], 0, 2);
  for (const line of text.split(/[\r\n]+/).map(cellText)) if (line !== '' && takeCell(context, line)) boxes.push(line);
}

/** An address that a cell leads to; places count from 0. */
type BiffLink = { readonly row: number; readonly column: number; readonly url: string };

/** Parts of the object of a link (MS-OSHARED 2.3.7.1). */
const HAS_MONIKER = 0x01;
const HAS_NAME = 0x10;
const HAS_FRAME = 0x80;
const IS_TEXT = 0x100;
const URL_MONIKER = 'e0c9ea79f9bace118c8200aa004ba90b';
const OBJECT_AT = 24;
const MAX_URL_BYTES = 8_192;

/** The address of a HLINK record (MS-XLS 2.4.140); undefined when it leads to a file or a place of the workbook. */
function linkOf(data: Buffer): BiffLink | undefined {
  if (data.length < OBJECT_AT + 8) return undefined;
  const flags = data.readUInt32LE(OBJECT_AT + 4);
  let at = OBJECT_AT + 8;
  for (const part of [HAS_NAME, HAS_FRAME]) {
    if ((flags & part) === 0) continue;
    if (at + 4 > data.length) return undefined;
    at += 4 + data.readUInt32LE(at) * 2;
  }
  if ((flags & HAS_MONIKER) === 0) return undefined;
  const isText = (flags & IS_TEXT) !== 0;
  if (!isText && data.toString('hex', at, at + 16) !== URL_MONIKER) return undefined;
  const start = at + (isText ? 4 : 20);
  if (start > data.length) return undefined;
  const bytes = data.readUInt32LE(start - 4) * (isText ? 2 : 1);
  const url = data.toString('utf16le', start, start + Math.min(bytes, MAX_URL_BYTES)).replace(/\0.*$/s, '');
  return /^[a-z][a-z0-9+.-]+:/i.test(url)
    ? { row: data.readUInt16LE(0), column: data.readUInt16LE(4), url }
    : undefined;
}

/** A record of a workbook of before 2007, with those that continue it (MS-XLS 2.1.4). */
export type BiffRecord = {
  readonly type: number;
  /** Contents of the record and of each that continues it; never empty. */
  readonly parts: readonly [Buffer, ...Buffer[]];
};

const HEADER_BYTES = 4;
const CONTINUE = 0x003c;

/** Records from a place of the stream on; a record that is cut by the end of the stream is the last one. */
export function* recordsOf(stream: Buffer, start: number): Generator<BiffRecord, void> {
  let at = start;
  while (at + HEADER_BYTES <= stream.length) {
    const type = stream.readUInt16LE(at);
    const parts: [Buffer, ...Buffer[]] = [contentAt(stream, at)];
    at += HEADER_BYTES + stream.readUInt16LE(at + 2);
    while (at + HEADER_BYTES <= stream.length && stream.readUInt16LE(at) === CONTINUE) {
      parts.push(contentAt(stream, at));
      at += HEADER_BYTES + stream.readUInt16LE(at + 2);
    }
    yield { type, parts };
  }
}

function contentAt(stream: Buffer, at: number): Buffer {
  return stream.subarray(at + HEADER_BYTES, at + HEADER_BYTES + stream.readUInt16LE(at + 2));
}

/** What the sheets of a workbook may still give, all together. */
export type SheetBudget = { cellsLeft: number; charsLeft: number; linksLeft: number; isCut: boolean };

export type SheetName = { readonly name: string; readonly isHidden: boolean };

/** Cells of all sheets after which nothing is read (design: formats). */
const MAX_CELLS = 50_000;
/** More than a file may give; cells share their strings. */
const MAX_CHARS = 6 * 1024 * 1024;
/** Sheets after which nothing is read. */
export const MAX_SHEETS = 1_000;

/** Names of sheets alone are no text. */
const EMPTY = { status: 'empty', reason: 'The workbook has no text' } as const;

export function openBudget(): SheetBudget {
  return { cellsLeft: MAX_CELLS, charsLeft: MAX_CHARS, linksLeft: MAX_LINKS, isCut: false };
}

/** Whether there is room for one more cell of this text; the first that finds none cuts the workbook. */
export function takeCell(budget: SheetBudget, text: string): boolean {
  if (budget.cellsLeft <= 0 || budget.charsLeft <= 0) {
    budget.isCut = true;
    return false;
  }
  budget.cellsLeft--;
  budget.charsLeft -= text.length;
  return true;
}

/** Whether there is room for one more link: of sheets that share their records or parts it is the same again and again. */
export function takeLink(budget: SheetBudget): boolean {
  budget.linksLeft--;
  return budget.linksLeft >= 0;
}

/** The name of a sheet as a heading, its rows as a table, its text boxes; nothing of a hidden one is seen. */
export function sheetBlocks(
  { name, isHidden }: SheetName,
  rows: readonly TableRow[],
  texts: readonly string[],
): readonly FileBlock[] {
  const grounding = !isHidden;
  const title = name.trim() === '' ? [] : [{ kind: 'heading' as const, level: 1, text: name.trim(), grounding }];
  const blocks = [...tableBlocksOf(rows, grounding), ...paragraphsOf(texts)];
  return [...title, ...blocks.map((block) => ({ ...block, grounding }))];
}

/** Of a workbook that was cut, the text so far. */
export function workbookFile(
  read: Pick<FileExtraction, 'properties' | 'blocks' | 'links'>,
  { isCut }: Pick<SheetBudget, 'isCut'>,
): FileExtraction {
  const isEmpty = read.blocks.every(({ kind }) => kind === 'heading');
  const file = isEmpty ? { ...fileOf(read, ''), ...EMPTY } : fileOf(read, EMPTY.reason);
  return isCut ? { ...file, status: 'over-limit', reason: 'The workbook has too many cells or too much text' } : file;
}
