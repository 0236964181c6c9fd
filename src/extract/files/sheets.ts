import type { FileBlock, FileExtraction } from '../extraction.ts';
import { paragraphsIn, unreadFile } from './file-status.ts';
import {
  MAX_SHEETS,
  openBudget,
  type SheetBudget,
  type SheetName,
  sheetBlocks,
  takeCell,
  takeLink,
  workbookFile,
} from './legacy/biff-sheet.ts';
import {
  mainPartOf,
  type OfficeRelation,
  partsOfType,
  readOfficeProperties,
  relationIdOf,
  relationsOf,
} from './office-relations.ts';
import { cellFormats, decodeEscapes, type NumberFormat, sharedStrings } from './sheet-parts.ts';
import { cellText, MAX_CELL_CHARS, type TableRow } from './table-text.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';
import { openZip, type ZipArchive } from './zip.ts';

type Sheet = SheetName & { readonly part: string };

/** Sheets of a workbook (XLSX and its kin): the name of each as a heading, its rows as a table, its text boxes. */
export function readSheets(bytes: Uint8Array): FileExtraction {
  const archive = openZip(bytes);
  if (archive.status !== 'ok') return unreadFile(archive.status, archive.reason);
  const main = mainPartOf(archive, 'xl/workbook.xml');
  if (main === undefined) return unreadFile('malformed', 'The file has no workbook');
  const relations = relationsOf(archive, main);
  const { sheets, from1904 } = readWorkbook(archive.textOf(main), relations);
  const partText = (type: string) => archive.textOf(partsOfType(relations, type)[0] ?? '');
  const context: SheetContext = {
    strings: sharedStrings(partText('sharedStrings')),
    formats: cellFormats(partText('styles'), { from1904 }),
    ...openBudget(),
  };
  const blocks: FileBlock[] = [];
  const links: { url: string; text: string }[] = [];
  for (const sheet of sheets.slice(0, MAX_SHEETS)) {
    const read = readSheet(archive, sheet, context);
    blocks.push(...read.blocks);
    links.push(...read.links);
  }
  const isCut = context.isCut || sheets.length > MAX_SHEETS;
  return workbookFile({ properties: readOfficeProperties(archive), blocks, links }, { isCut });
}

function readWorkbook(xml: string, relations: ReadonlyMap<string, OfficeRelation>) {
  const sheets: Sheet[] = [];
  let from1904 = false;
  scanXml(xml, {
    open: (name, attributes) => {
      const local = localName(name);
      if (local === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributeOf(attributes, 'date1904') ?? '');
      const relation = local === 'sheet' ? relations.get(relationIdOf(attributes) ?? '') : undefined;
      if (relation?.type !== 'worksheet') return;
      const state = attributeOf(attributes, 'state') ?? 'visible';
      const title = attributeOf(attributes, 'name') ?? '';
      sheets.push({ name: title, part: relation.target, isHidden: state !== 'visible' });
    },
  });
  return { sheets, from1904 };
}

function readSheet(archive: ZipArchive, sheet: Sheet, context: SheetContext) {
  const { part } = sheet;
  const relations = relationsOf(archive, part);
  const { rows, links } = readSheetXml(archive.textOf(part), context);
  const drawings = context.isCut ? [] : partsOfType(relations, 'drawing');
  // Sheets may share a drawing.
  const texts = drawings
    .flatMap((drawing) => paragraphsIn(archive.textOf(drawing)))
    .filter((text) => takeCell(context, text));
  return {
    blocks: sheetBlocks(sheet, rows, texts),
    links: links.flatMap(({ relationId, text }) => {
      const relation = relations.get(relationId);
      return relation?.isExternal === true ? [{ url: relation.target, text }] : [];
    }),
  };
}

/** What the sheets of a workbook share. */
type SheetContext = SheetBudget & {
  readonly strings: readonly string[];
  readonly formats: (style: number) => NumberFormat;
};

type Cell = { readonly column: number; readonly type: string; readonly style: number; value: string; inline: string };

export type SheetText = {
  readonly rows: readonly TableRow[];
  readonly links: readonly { readonly relationId: string; readonly text: string }[];
};

type SheetState = {
  readonly context: SheetContext;
  readonly rows: TableRow[];
  readonly links: { relationId: string; text: string }[];
  /** Places of rows by their number in the sheet, for links. */
  readonly rowByNumber: Map<number, ReadonlyMap<number, string>>;
  row: Map<number, string>;
  rowNumber: number;
  column: number;
  cell: Cell | undefined;
  target: 'value' | 'inline' | undefined;
  phonetic: number;
};

/** What the format allows (ECMA-376 part 1, 18.3.1.4). */
const MAX_COLUMNS = 16_384;

/** Rows of a sheet as they are shown (ECMA-376 part 1, 18.3), those without text left out; formulas by their last result. */
function readSheetXml(xml: string, context: SheetContext): SheetText {
  const state: SheetState = {
    context,
    rows: [],
    links: [],
    rowByNumber: new Map(),
    row: new Map(),
    rowNumber: 0,
    column: -1,
    cell: undefined,
    target: undefined,
    phonetic: 0,
  };
  scanXml(xml, {
    isDone: () => context.isCut,
    open: (name, attributes) => OPENED[localName(name)]?.(state, attributes),
    close: (name) => CLOSED[localName(name)]?.(state, ''),
    text: (text) => addText(state, text),
  });
  return { rows: state.rows, links: state.links };
}

type Step = (state: SheetState, attributes: string) => void;

const OPENED: Readonly<Record<string, Step>> = {
  row: (state, attributes) => {
    state.rowNumber = Number(attributeOf(attributes, 'r') ?? state.rowNumber + 1) || state.rowNumber + 1;
    state.row = new Map();
    state.column = -1;
  },
  c: (state, attributes) => {
    state.column = columnOf(attributeOf(attributes, 'r')) ?? state.column + 1;
    state.cell = {
      column: state.column,
      type: attributeOf(attributes, 't') ?? 'n',
      style: Number(attributeOf(attributes, 's') ?? 0) || 0,
      value: '',
      inline: '',
    };
  },
  v: (state) => {
    state.target = 'value';
  },
  t: (state) => {
    if (state.phonetic === 0) state.target = 'inline';
  },
  rPh: (state) => {
    state.phonetic++;
  },
  hyperlink: (state, attributes) => {
    const relationId = relationIdOf(attributes);
    const [, column = '', row = ''] = /^\$?([A-Z]{1,3})\$?(\d+)/i.exec(attributeOf(attributes, 'ref') ?? '') ?? [];
    const text = state.rowByNumber.get(Number(row))?.get(columnOf(column) ?? -1) ?? '';
    if (relationId !== undefined && takeLink(state.context)) state.links.push({ relationId, text });
  },
};

const CLOSED: Readonly<Record<string, Step>> = {
  v: stopText,
  t: stopText,
  rPh: (state) => {
    state.phonetic = Math.max(0, state.phonetic - 1);
  },
  c: closeCell,
  row: (state) => {
    if (state.row.size === 0) return;
    state.rows.push(state.row);
    state.rowByNumber.set(state.rowNumber, state.row);
  },
};

function stopText(state: SheetState): void {
  state.target = undefined;
}

function addText({ cell, target }: SheetState, text: string): void {
  if (cell === undefined || target === undefined || cell[target].length > MAX_CELL_CHARS) return;
  cell[target] += text;
}

function closeCell(state: SheetState): void {
  const { cell, context, row } = state;
  state.cell = undefined;
  state.target = undefined;
  if (cell === undefined || cell.column >= MAX_COLUMNS) return;
  const text = cellText(shownText(cell, context));
  if (text === '') return;
  if (takeCell(context, text)) row.set(cell.column, text);
  else if (row.size > 0) state.rows.push(row);
}

function shownText({ type, style, value, inline }: Cell, { strings, formats }: SheetContext): string {
  switch (type) {
    case 's':
      return value === '' ? '' : (strings[Number(value)] ?? '');
    case 'inlineStr':
      return decodeEscapes(inline === '' ? value : inline);
    case 'str':
      return decodeEscapes(value);
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE';
    case 'e':
    case 'd':
      return value;
    default: {
      const number = Number(value);
      return value === '' || Number.isNaN(number) ? value : formats(style)(number);
    }
  }
}

/** `B3` or `B` → 1. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})/i.exec(reference ?? '')?.[1]?.toUpperCase();
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
