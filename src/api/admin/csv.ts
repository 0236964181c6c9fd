import type { FastifyReply } from 'fastify';
import { z } from 'zod';

/** Member of lists that are also given as CSV, whole. */
export const FORMAT = z.enum(['json', 'csv']).default('json').describe('`csv`: all rows, without pages.');
export const MOST_CSV_ROWS = 100_000;

type Row<Column extends string> = { readonly [Name in Column]: Cell };

/** Sends rows as a file, with the names of the columns before them. */
export function sendCsv<Column extends string>(
  reply: FastifyReply,
  name: string,
  { columns, rows }: { readonly columns: readonly Column[]; readonly rows: readonly Row<Column>[] },
): FastifyReply {
  reply.header('Content-Disposition', `attachment; filename="${name}.csv"`).type('text/csv; charset=utf-8');
  const lines = rows.map((row) => csvRow(columns.map((column) => row[column])));
  return reply.send(csvRow(columns) + lines.join(''));
}

/** The `next` of a list that is counted from its beginning. */
export function nextOffset(
  items: readonly unknown[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): number | null {
  return items.length < limit ? null : offset + items.length;
}

type Cell = string | number | boolean | null | undefined;

/** A row of RFC 4180; a cell that a spreadsheet would take for a formula starts with an apostrophe. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: Cell): string {
  const text = String(value ?? '');
  const isFormula = typeof value === 'string' && /^[=+\-@\t\r]/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
