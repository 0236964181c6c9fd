import type { NumberFormat } from './number-format.ts';
import { relationIdOf } from './office-relations.ts';
import { decodeEscapes } from './sheet-parts.ts';
import { cellText, MAX_CELL_CHARS, type TableRow } from './table-text.ts';
import { type SheetBudget, takeCell, takeLink } from './workbook-file.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';

/** What the sheets of a workbook share. */
export type SheetContext = SheetBudget & {
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
export function readSheetXml(xml: string, context: SheetContext): SheetText {
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
