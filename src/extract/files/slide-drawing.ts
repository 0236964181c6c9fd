import type { FileBlock } from '../extraction.ts';
import { type LegacySlideText, slideTexts } from './slide-paragraphs.ts';
import { type SlideBudget, type SlideRecord, slideRecords } from './slide-records.ts';
import { slideBlock, tidyLines } from './slide-text.ts';
import { cellText, type TableRow, tableBlocksOf } from './table-text.ts';

const GROUP = 0xf003;
const SHAPE = 0xf004;
const PROPERTIES = 0xf00b;
const MORE_PROPERTIES = 0xf122;
const TEXT_BOX = 0xf00d;
const CLIENT_DATA = 0xf011;
const CHILD_PLACE = 0xf00f;
const PLACEHOLDER = 0x0bc3;
const TEXT_REFERENCE = 0x0f9e;
const MAX_GROUPS = 16;

/** Places that every slide repeats: dates, numbers, footers, headers and the picture of a slide (MS-PPT 2.13.21). */
const REPEATED = new Set([0x05, 0x07, 0x08, 0x09, 0x0a, 0x0b]);
/** Kinds of texts by the names that newer slides give to their places. */
const PLACES: ReadonlyMap<number, string> = new Map([
  [0, 'title'],
  [1, 'body'],
  [6, 'ctrTitle'],
  [7, 'body'],
  [8, 'body'],
]);

type Shape = {
  readonly texts: LegacySlideText[];
  isRepeated: boolean;
  isHidden: boolean;
  isTable: boolean;
  left: number;
  top: number;
};

export type DrawingContext = {
  readonly budget: SlideBudget;
  /** Texts that stand in the list of slides, which shapes refer to. */
  readonly outline: readonly LegacySlideText[];
};

/** Text of the shapes of a drawing in their order (MS-ODRAW 2.2.13); a table is one block. */
export function drawingBlocks(drawing: Buffer, context: DrawingContext): readonly FileBlock[] {
  return groupBlocks(drawing, context, 0);
}

function groupBlocks(bytes: Buffer, context: DrawingContext, depth: number): readonly FileBlock[] {
  const parts: (readonly FileBlock[])[] = [];
  const cells: Shape[] = [];
  let isTable = false;
  for (const record of slideRecords(bytes, context.budget)) {
    if (record.type === SHAPE) {
      const shape = readShape(record.data, context);
      isTable ||= shape.isTable;
      if (!isTable) parts.push(shapeBlocks(shape));
      // Borders of a table are shapes without text.
      else if (shape.texts.length > 0) cells.push(shape);
    } else if (isHolder(record) && depth < MAX_GROUPS) {
      parts.push(groupBlocks(record.data, context, depth + 1));
    }
  }
  return [...parts.flat(), ...tableOf(cells)];
}

const DRAWING = 0xf002;

function isHolder({ type }: SlideRecord): boolean {
  return type === DRAWING || type === GROUP;
}

function readShape(bytes: Buffer, context: DrawingContext): Shape {
  const shape: Shape = { texts: [], isRepeated: false, isHidden: false, isTable: false, left: 0, top: 0 };
  for (const { type, data, instance } of slideRecords(bytes, context.budget)) {
    if (type === PROPERTIES || type === MORE_PROPERTIES) readProperties(shape, data, instance);
    if (type === CLIENT_DATA) shape.isRepeated = isRepeated(data, context.budget);
    if (type === TEXT_BOX) for (const text of textsOf(data, context)) shape.texts.push(text);
    if (type === CHILD_PLACE && data.length >= 8) {
      shape.left = data.readInt32LE(0);
      shape.top = data.readInt32LE(4);
    }
  }
  return shape;
}

const TABLE = 0x039f;
const GROUP_FLAGS = 0x03bf;
/** The flag of a hidden shape, and the one that says that it counts (MS-ODRAW 2.3.4.44). */
const HIDDEN = 0x00020002;

function readProperties(shape: Shape, data: Buffer, count: number): void {
  for (let i = 0; i < count && (i + 1) * 6 <= data.length; i++) {
    const id = data.readUInt16LE(i * 6) & 0x3fff;
    const value = data.readUInt32LE(i * 6 + 2);
    if (id === TABLE && (value & 1) !== 0) shape.isTable = true;
    if (id === GROUP_FLAGS && (value & HIDDEN) === HIDDEN) shape.isHidden = true;
  }
}

function isRepeated(bytes: Buffer, budget: SlideBudget): boolean {
  for (const { type, data } of slideRecords(bytes, budget))
    if (type === PLACEHOLDER && data.length >= 5) return REPEATED.has(data[4] ?? 0);
  return false;
}

function textsOf(bytes: Buffer, { budget, outline }: DrawingContext): readonly LegacySlideText[] {
  const records = [...slideRecords(bytes, budget)];
  const reference = records.find(({ type, data }) => type === TEXT_REFERENCE && data.length >= 4);
  const referred = reference === undefined ? undefined : outline[reference.data.readUInt32LE(0)];
  if (referred === undefined) return slideTexts(records, budget);
  if (budget.charsLeft <= 0) budget.isCut = true;
  if (budget.isCut) return [];
  // Shapes may share a text.
  budget.charsLeft -= referred.paragraphs.reduce((chars, paragraph) => chars + paragraph.text.length + 1, 0);
  return [referred];
}

function shapeBlocks({ texts, isRepeated: isLeftOut, isHidden }: Shape): readonly FileBlock[] {
  return isLeftOut ? [] : texts.flatMap((text) => textBlocks(text, isHidden));
}

/** Paragraphs of a text, those without words left out. */
export function textBlocks({ kind, paragraphs }: LegacySlideText, isHidden: boolean): readonly FileBlock[] {
  return paragraphs
    .map((paragraph) => ({ ...paragraph, text: tidyLines(paragraph.text) }))
    .filter(({ text }) => text !== '')
    .map((paragraph) => slideBlock(paragraph, { place: PLACES.get(kind) ?? '', isHidden }));
}

/** Cells of a table are shapes: those that begin at a height are a row, those that begin at a left side a column. */
function tableOf(cells: readonly Shape[]): readonly FileBlock[] {
  const lefts = [...new Set(cells.map(({ left }) => left))].sort((a, b) => a - b);
  const columns = new Map(lefts.map((left, column) => [left, column]));
  const byTop = [...Map.groupBy(cells, ({ top }) => top)].sort(([a], [b]) => a - b);
  const rows = byTop.map(([, row]) => rowOf(row, columns));
  return tableBlocksOf(rows, !cells.some(({ isHidden }) => isHidden));
}

function rowOf(cells: readonly Shape[], columns: ReadonlyMap<number, number>): TableRow {
  const row = new Map<number, string>();
  for (const { left, texts } of cells) {
    const text = cellText(texts.flatMap(({ paragraphs }) => paragraphs.map((each) => each.text)).join(' '));
    if (text !== '') row.set(columns.get(left) ?? 0, text);
  }
  return row;
}
