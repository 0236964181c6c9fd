import { type PageElement, type PageTree, walkTree } from './page-tree.ts';

/** Longer cells hold posts, columns of a page, or other things that are no value of a row. */
const MAX_CELL_CHARS = 600;
const NO_DATA_INSIDE = /^(?:table|h[1-6]|article|form|section|main)$/;

type OpenTable = {
  readonly element: PageElement;
  isData: boolean;
  hasHeader: boolean;
  /** Cells with text in the open row, and the most of any row. */
  rowCells: number;
  columns: number;
  cellChars: number;
};

/**
 * Tables whose rows are values that belong together; all others only lay a page out. A table without header cells and
 * with one column of text is layout, so is one with long cells or with headings, forms and tables inside.
 */
export function findDataTables(tree: PageTree): ReadonlySet<PageElement> {
  const found = new Set<PageElement>();
  const open: OpenTable[] = [];
  walkTree(tree.root, {
    enter(element) {
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
      if (table.isData && (table.hasHeader || table.columns > 1)) found.add(element);
    },
  });
  return found;
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
  open.push({ element, isData, hasHeader: false, rowCells: 0, columns: 0, cellChars: 0 });
}

function endCell(table: OpenTable): void {
  if (table.cellChars > MAX_CELL_CHARS) table.isData = false;
  if (table.cellChars > 0) table.rowCells++;
  table.columns = Math.max(table.columns, table.rowCells);
}
