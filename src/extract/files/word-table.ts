import type { FileBlock } from '../extraction.ts';

/** Blocks of a cell, in order. */
export type WordCell = FileBlock[];

/** Text of a cell of data is short. */
const MAX_CELL_CHARS = 1_000;

/** One block of rows for a table of data; the blocks of all cells for a table that only places them. */
export function tableBlocks(rows: readonly (readonly WordCell[])[]): readonly FileBlock[] {
  const cells = rows.flat();
  if (isLayout(rows, cells)) return cells.flat();
  const blocks: FileBlock[] = [];
  for (const grounding of [true, false]) {
    const lines = rows.map((row) => rowText(row, grounding)).filter((line) => line !== '');
    if (lines.length > 0) blocks.push({ kind: 'table', level: 0, text: lines.join('\n'), grounding });
  }
  return blocks;
}

function isLayout(rows: readonly (readonly WordCell[])[], cells: readonly WordCell[]): boolean {
  const columns = rows.reduce((most, row) => Math.max(most, row.filter((cell) => cell.length > 0).length), 0);
  const isLong = (cell: WordCell) => cell.reduce((chars, { text }) => chars + text.length, 0) > MAX_CELL_CHARS;
  return columns < 2 || cells.some((cell) => isLong(cell) || cell.some(({ kind }) => kind === 'heading'));
}

function rowText(row: readonly WordCell[], grounding: boolean): string {
  return row
    .map((cell) =>
      cell.filter((block) => block.grounding === grounding).map(({ text }) => text.replace(/\s+/g, ' ').trim()),
    )
    .map((texts) => texts.join(' '))
    .filter((text) => text !== '')
    .join(' | ');
}
