import type { FileBlock } from '../extraction.ts';
import { type TableRow, tableBlocksOf, tableRow } from './table-text.ts';

/** Blocks of a cell, in order. */
export type WordCell = FileBlock[];

/** Text of a cell of data is short. */
const MAX_CELL_CHARS = 1_000;

/** Rows for a table of data; the blocks of all cells for a table that only places them. */
export function tableBlocks(rows: readonly (readonly WordCell[])[]): readonly FileBlock[] {
  const cells = rows.flat();
  if (isLayout(rows, cells)) return cells.flat();
  return [true, false].flatMap((grounding) =>
    tableBlocksOf(
      rows.map((row) => rowOf(row, grounding)),
      grounding,
    ),
  );
}

function isLayout(rows: readonly (readonly WordCell[])[], cells: readonly WordCell[]): boolean {
  const columns = rows.reduce((most, row) => Math.max(most, row.filter((cell) => cell.length > 0).length), 0);
  const isLong = (cell: WordCell) => cell.reduce((chars, { text }) => chars + text.length, 0) > MAX_CELL_CHARS;
  return columns < 2 || cells.some((cell) => isLong(cell) || cell.some(({ kind }) => kind === 'heading'));
}

function rowOf(row: readonly WordCell[], grounding: boolean): TableRow {
  const own = row.map((cell) => cell.filter((block) => block.grounding === grounding));
  return tableRow(own.map((cell) => cell.map(({ text }) => text).join(' ')));
}
