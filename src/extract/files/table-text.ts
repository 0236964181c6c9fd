import type { FileBlock } from '../extraction.ts';

/** Cells of a row by their columns from 0; empty ones are left out. */
export type TableRow = ReadonlyMap<number, string>;

/** The limit of `Content` leaves whole blocks out: a long table comes in several, each below the same header. */
const MAX_BLOCK_CHARS = 100_000;
/** A longer first row is not repeated. */
const MAX_HEADER_CHARS = 10_000;
/** `Content` holds no more. */
export const MAX_CELL_CHARS = 1_000_000;
/** Below this share of filled places, borders of empty cells are most of the text. */
const MIN_FILLED_RATIO = 0.25;

/**
 * Blocks of a table: a line per row, ` | ` between columns. Empty cells keep their place, so that a value stands
 * below its header; columns and rows without any text are left out.
 */
export function tableBlocksOf(rows: readonly TableRow[], grounding = true): readonly FileBlock[] {
  const columns = usedColumns(rows);
  const filled = rows.reduce((cells, row) => cells + row.size, 0);
  const isSparse = filled < rows.length * columns.length * MIN_FILLED_RATIO;
  const blocks: FileBlock[] = [];
  let lines: string[] = [];
  let chars = 0;
  let header: string | undefined;
  const flush = () => {
    if (lines.length > 0) blocks.push({ kind: 'table', level: 0, text: lines.join('\n'), grounding });
    lines = [];
    chars = 0;
  };
  for (const row of rows) {
    const line = lineOf(row, isSparse ? [...row.keys()] : columns);
    if (line === '') continue;
    header ??= line;
    if (lines.length > 0 && chars + line.length > MAX_BLOCK_CHARS) {
      flush();
      if (header.length <= MAX_HEADER_CHARS) lines.push(header);
    }
    lines.push(line);
    chars += line.length + 1;
  }
  flush();
  return blocks;
}

/** A row from the texts of its cells in order. */
export function tableRow(cells: readonly string[]): TableRow {
  const row = new Map<number, string>();
  for (const [column, cell] of cells.entries()) {
    const text = cellText(cell);
    if (text !== '') row.set(column, text);
  }
  return row;
}

/** One line, of a bounded length. */
export function cellText(text: string): string {
  return text.slice(0, MAX_CELL_CHARS).replace(/\s+/g, ' ').trim();
}

function usedColumns(rows: readonly TableRow[]): readonly number[] {
  const used = new Set<number>();
  for (const row of rows) for (const column of row.keys()) used.add(column);
  return [...used].sort((a, b) => a - b);
}

function lineOf(row: TableRow, columns: readonly number[]): string {
  if (row.size === 0) return '';
  const last = [...row.keys()].reduce((most, column) => Math.max(most, column), 0);
  return columns
    .filter((column) => column <= last)
    .map((column) => row.get(column) ?? '')
    .join(' | ');
}
