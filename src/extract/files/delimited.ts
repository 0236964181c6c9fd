import type { FileExtraction } from '../extraction.ts';
import { fileOf } from './file-status.ts';
import { type TableRow, tableBlocksOf, tableRow } from './table-text.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
const MAX_ROWS = 5_000;
const MAX_COLUMNS = 200;
/** Lines by which the separator is told. */
const SAMPLE_LINES = 20;
const SAMPLE_CHARS = 20_000;
const MAX_CELL_CHARS = 32_768;

/** Rows of comma separated values and their kin (RFC 4180) as one table; the separator is told by the first lines. */
export function readDelimited(text: string): FileExtraction {
  const { rows, isCut } = rowsOf(text, separatorOf(text));
  const file = fileOf({ blocks: tableBlocksOf(rows) }, 'The file has no text');
  return isCut ? { ...file, status: 'over-limit', reason: 'The table has too many rows' } : file;
}

/** The one that stands equally often in most lines; Excel may name it in the first. */
function separatorOf(text: string): string {
  const named = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (named !== undefined) return named;
  const lines = text
    .slice(0, SAMPLE_CHARS)
    .replace(/"[^"]*"/g, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLE_LINES);
  const scored = SEPARATORS.map((separator) => ({ separator, score: evenness(lines, separator) }));
  return scored.reduce((best, other) => (other.score > best.score ? other : best)).separator;
}

/** Lines with the most usual count, then the count. */
function evenness(lines: readonly string[], separator: string): number {
  const lineCounts = new Map<number, number>();
  for (const line of lines) {
    const count = line.split(separator).length - 1;
    if (count > 0) lineCounts.set(count, (lineCounts.get(count) ?? 0) + 1);
  }
  let best = 0;
  for (const [count, share] of lineCounts) best = Math.max(best, share + Math.min(count, MAX_COLUMNS) / 1_000);
  return best;
}

function rowsOf(text: string, separator: string): { readonly rows: readonly TableRow[]; readonly isCut: boolean } {
  const rows: TableRow[] = [];
  let cells: string[] = [];
  let at = /^sep=.\r?\n/i.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    if (rows.length >= MAX_ROWS) return { rows, isCut: true };
    const { value, end } = text[at] === '"' ? quotedCell(text, at, separator) : plainCell(text, at, separator);
    if (cells.length < MAX_COLUMNS) cells.push(value.slice(0, MAX_CELL_CHARS));
    at = end;
    if (text[at] === separator) {
      at++;
      continue;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    const row = tableRow(cells);
    if (row.size > 0) rows.push(row);
    cells = [];
  }
  const last = tableRow(cells);
  if (last.size > 0) rows.push(last);
  return { rows, isCut: false };
}

type Cell = { readonly value: string; readonly end: number };

/** Up to the separator or the end of the line. */
function plainCell(text: string, at: number, separator: string): Cell {
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(at, end), end };
}

/** `""` within quotes is one of them. What stands behind the quotes belongs to the cell. */
function quotedCell(text: string, at: number, separator: string): Cell {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) return plainCell(text, at, separator);
  const rest = plainCell(text, end + 1, separator);
  return { value: text.slice(at + 1, end).replaceAll('""', '"') + rest.value, end: rest.end };
}
