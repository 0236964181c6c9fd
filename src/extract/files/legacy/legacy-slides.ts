import type { FileBlock, FileExtraction } from '../../extraction.ts';
import { fileOf, unreadFile, withMergedLists } from '../file-status.ts';
import { cellText, type TableRow, tableBlocksOf } from '../table-text.ts';
import { openOle, summaryOf } from './ole.ts';
import {
  type LegacySlideText,
  openSlideBudget,
  type SlideBudget,
  type SlideRecord,
  slideRecordAt,
  slideRecords,
  slideTexts,
} from './slide-paragraphs.ts';
import { MAX_SLIDES, notesBlocks, slideBlock, TOO_MANY_SLIDES, tidyLines } from './slide-text.ts';

/** An entry of the list of slides or of notes. */
type Entry = { readonly object: number; readonly id: number; readonly records: SlideRecord[] };

type Show = {
  readonly budget: SlideBudget;
  readonly persists: SlidePersists;
  readonly slides: readonly Entry[];
  readonly notes: ReadonlyMap<number, Entry>;
};

const SLIDE_LIST = 0x0ff0;
const SLIDES = 0;
const NOTES = 2;
const ENTRY = 0x03f3;

/** Text, notes and properties of slides of PowerPoint 97 to 2003 (MS-PPT), in the order of the show; a slide is a page. */
export function readLegacySlides(bytes: Uint8Array): FileExtraction {
  const ole = openOle(bytes);
  if (ole === undefined) return unreadFile('malformed', 'The slides have no directory');
  const { properties } = summaryOf(ole.streamOf('\u0005SummaryInformation'));
  const stream = bufferOf(ole.streamOf('PowerPoint Document'));
  if (stream === undefined) return { ...unreadFile('malformed', 'The file has no slides'), properties };
  const budget = openSlideBudget();
  const persists = readPersists(stream, bufferOf(ole.streamOf('Current User')), budget);
  if (persists.isEncrypted || ole.names.has('EncryptedSummary'))
    return { ...unreadFile('encrypted', 'The file needs a password'), properties };
  if (persists.document === undefined) return { ...unreadFile('malformed', 'The file has no slides'), properties };
  const show = readShow(persists.document, persists, budget);
  const blocks = show.slides.slice(0, MAX_SLIDES).flatMap((entry, index) => readSlide(show, entry, index + 1));
  const links = readLinks(persists.document, budget);
  const read = { properties, blocks: withMergedLists(blocks), pageCount: show.slides.length, links };
  const file = fileOf(read, 'The slides have no text');
  if (show.slides.length > MAX_SLIDES) return { ...file, ...TOO_MANY_SLIDES };
  return budget.isCut ? { ...file, status: 'over-limit', reason: 'The slides have too much text' } : file;
}

function bufferOf(bytes: Uint8Array | undefined): Buffer | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The lists of slides and notes (MS-PPT 2.4.14.3 and 2.4.14.6); an entry is followed by the texts of its places. */
function readShow(document: SlideRecord, persists: SlidePersists, budget: SlideBudget): Show {
  const slides: Entry[] = [];
  const notes = new Map<number, Entry>();
  for (const { type, instance, data } of slideRecords(document.data, budget)) {
    if (type !== SLIDE_LIST) continue;
    const entries = entriesOf(data, budget);
    for (const entry of entries) {
      if (instance === SLIDES) slides.push(entry);
      if (instance === NOTES) notes.set(entry.id, entry);
    }
  }
  return { budget, persists, slides, notes };
}

function entriesOf(list: Buffer, budget: SlideBudget): readonly Entry[] {
  const entries: Entry[] = [];
  for (const record of slideRecords(list, budget)) {
    const { type, data } = record;
    if (type === ENTRY && data.length >= 16)
      entries.push({ object: data.readUInt32LE(0), id: data.readUInt32LE(12), records: [] });
    else entries.at(-1)?.records.push(record);
  }
  return entries;
}

const SLIDE = 0x03ee;
const NOTES_PAGE = 0x03f0;
const SLIDE_ATOM = 0x03ef;
const SHOW_INFO = 0x03f9;
const HIDDEN_SLIDE = 0x0004;
const DRAWING_RECORD = 0x040c;

function readSlide(show: Show, entry: Entry, page: number): readonly FileBlock[] {
  const { budget, persists, notes } = show;
  const outline = slideTexts(entry.records, budget);
  const slide = persists.objectOf(entry.object);
  const records = slide?.type === SLIDE ? [...slideRecords(slide.data, budget)] : [];
  const atom = records.find(({ type, data }) => type === SLIDE_ATOM && data.length >= 20);
  const info = records.find(({ type, data }) => type === SHOW_INFO && data.length >= 12);
  const isShown = info === undefined || (info.data.readUInt16LE(10) & HIDDEN_SLIDE) === 0;
  const drawn = drawnBlocks(records, outline, budget);
  const spoken = notes.get(atom?.data.readUInt32LE(16) ?? 0);
  const blocks = [...drawn, ...undrawnBlocks(outline, drawn), ...notesBlocks(spokenBlocks(show, spoken))];
  return blocks.map((block) => ({ ...block, page, grounding: block.grounding && isShown }));
}

function drawnBlocks(
  records: readonly SlideRecord[],
  outline: readonly LegacySlideText[],
  budget: SlideBudget,
): readonly FileBlock[] {
  return records
    .filter(({ type }) => type === DRAWING_RECORD)
    .flatMap(({ data }) => drawingBlocks(data, { budget, outline }));
}

/** Texts of the outline that no shape shows. */
function undrawnBlocks(outline: readonly LegacySlideText[], drawn: readonly FileBlock[]): readonly FileBlock[] {
  const shown = new Set(drawn.map(({ text }) => text.trim()));
  return outline.flatMap((text) => textBlocks(text, false)).filter(({ text }) => !shown.has(text.trim()));
}

function spokenBlocks({ persists, budget }: Show, entry: Entry | undefined): readonly FileBlock[] {
  const notes = entry === undefined ? undefined : persists.objectOf(entry.object);
  if (entry === undefined || notes?.type !== NOTES_PAGE) return [];
  return drawnBlocks([...slideRecords(notes.data, budget)], slideTexts(entry.records, budget), budget);
}

const OBJECT_LIST = 0x0409;
const LINK = 0x0fd7;
const TEXT = 0x0fba;
const NAME = 0;
const TARGET = 1;

/** Addresses that slides lead to, with the names that they were given (MS-PPT 2.10.16). */
function readLinks(document: SlideRecord, budget: SlideBudget): FileExtraction['links'] {
  const objects = [...slideRecords(document.data, budget)].find(({ type }) => type === OBJECT_LIST);
  const links =
    objects === undefined ? [] : [...slideRecords(objects.data, budget)].filter(({ type }) => type === LINK);
  return links.flatMap(({ data }) => {
    const texts = [...slideRecords(data, budget)].filter(({ type }) => type === TEXT);
    const part = (wanted: number) =>
      texts
        .find(({ instance }) => instance === wanted)
        ?.data.toString('utf16le')
        .replace(/\0.*$/s, '') ?? '';
    const url = part(TARGET);
    return /^[a-z][a-z0-9+.-]+:/i.test(url) ? [{ url, text: part(NAME) }] : [];
  });
}

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
function drawingBlocks(drawing: Buffer, context: DrawingContext): readonly FileBlock[] {
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

const DRAWING_CONTAINER = 0xf002;

function isHolder({ type }: SlideRecord): boolean {
  return type === DRAWING_CONTAINER || type === GROUP;
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
const HIDDEN_GROUP = 0x00020002;

function readProperties(shape: Shape, data: Buffer, count: number): void {
  for (let i = 0; i < count && (i + 1) * 6 <= data.length; i++) {
    const id = data.readUInt16LE(i * 6) & 0x3fff;
    const value = data.readUInt32LE(i * 6 + 2);
    if (id === TABLE && (value & 1) !== 0) shape.isTable = true;
    if (id === GROUP_FLAGS && (value & HIDDEN_GROUP) === HIDDEN_GROUP) shape.isHidden = true;
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
function textBlocks({ kind, paragraphs }: LegacySlideText, isHidden: boolean): readonly FileBlock[] {
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

/** Objects of a file by their numbers, as they were saved last. */
type SlidePersists = {
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
function readPersists(stream: Buffer, current: Buffer | undefined, budget: SlideBudget): SlidePersists {
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
