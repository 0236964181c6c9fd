import type { FileExtraction } from '../extraction.ts';
import { type BiffLink, linkOf } from './biff-links.ts';
import { type BiffRecord, recordsOf } from './biff-records.ts';
import type { NumberFormat } from './number-format.ts';
import { cellText, type TableRow } from './table-text.ts';
import { type SheetBudget, takeCell, takeLink } from './workbook-file.ts';

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

/** Rectangles, ovals, arcs, text boxes, polygons and newer shapes: not the labels of controls, and no remarks. */
const SHAPES = new Set([0x02, 0x03, 0x04, 0x06, 0x09, 0x1e]);

/** Text of an object (MS-XLS 2.4.329): its characters stand in the records that continue it. */
function readBox({ object, boxes, context }: SheetState, data: Buffer, [, ...parts]: BiffRecord['parts']): void {
  const [first, ...rest] = parts;
  if (first === undefined || !SHAPES.has(object)) return;
  const count = Buffer.alloc(2);
  count.writeUInt16LE(data.readUInt16LE(10));
  const text = context.textOf([Buffer.concat([count, first]), ...rest], 0, 2);
  for (const line of text.split(/[\r\n]+/).map(cellText)) if (line !== '' && takeCell(context, line)) boxes.push(line);
}
