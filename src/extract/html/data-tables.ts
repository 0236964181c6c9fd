import { type PageElement, walkTree } from './page-tree.ts';

/** Longer cells hold posts, columns of a page, or other things that are no value of a row. */
const MAX_CELL_CHARS = 600;
/** A single row of longer cells is two columns of a page. */
const MAX_CHARS_IN_SINGLE_ROW = 60;
const NO_DATA_INSIDE = /^(?:table|h[1-6]|article|form|section|main)$/;

type OpenTable = {
  readonly element: PageElement;
  isData: boolean;
  hasHeader: boolean;
  /** Cells with text in the open row. */
  rowCells: number;
  /** Rows with text in more than one cell. */
  rows: number;
  cellChars: number;
  longestCell: number;
};

/**
 * Tables whose rows are values that belong together; all others only lay a page out. A table without header cells and
 * with one column of text, or one row of more than values, is layout, so is one with long cells or with headings, forms and tables inside.
 */
export function findDataTables(tables: readonly PageElement[]): ReadonlySet<PageElement> {
  const found = new Set<PageElement>();
  const seen = new Set<PageElement>();
  for (const table of tables) if (!seen.has(table)) readTable(table, found, seen);
  return found;
}

/** Adds the data tables among a table and those inside to `found`, and all of them to `seen`. */
function readTable(root: PageElement, found: Set<PageElement>, seen: Set<PageElement>): void {
  const open: OpenTable[] = [];
  walkTree(root, {
    enter(element) {
      if (element.name === 'table') seen.add(element);
      enterElement(open, element);
      return undefined;
    },
    text(text) {
      const table = open.at(-1);
      if (table !== undefined) table.cellChars += text.trim().length;
    },
    exit(element) {
      const table = open.at(-1);
      if (table === undefined) return;
      if (element.name === 'td' || element.name === 'th') endCell(table);
      if (table.element !== element) return;
      open.pop();
      if (table.isData && (table.hasHeader || hasRows(table))) found.add(element);
    },
  });
}

function enterElement(open: OpenTable[], element: PageElement): void {
  const { name, attributes } = element;
  const outer = open.at(-1);
  if (outer !== undefined) {
    if (NO_DATA_INSIDE.test(name)) outer.isData = false;
    if (name === 'th') outer.hasHeader = true;
    if (name === 'tr') outer.rowCells = 0;
    if (name === 'td' || name === 'th') outer.cellChars = 0;
  }
  if (name !== 'table') return;
  const isData = attributes['role'] !== 'presentation' && attributes['role'] !== 'none';
  open.push({ element, isData, hasHeader: false, rowCells: 0, rows: 0, cellChars: 0, longestCell: 0 });
}

function endCell(table: OpenTable): void {
  if (table.cellChars > MAX_CELL_CHARS) table.isData = false;
  if (table.cellChars === 0) return;
  table.longestCell = Math.max(table.longestCell, table.cellChars);
  table.rowCells++;
  if (table.rowCells === 2) table.rows++;
}

function hasRows({ rows, longestCell }: OpenTable): boolean {
  return rows > 1 || (rows === 1 && longestCell <= MAX_CHARS_IN_SINGLE_ROW);
}
