import type { ScorecardRow } from './row.ts';

const BEGIN = '<!-- scorecard: begin -->';
const END = '<!-- scorecard: end -->';
const HEAD = ['| Promise | Result | Figure |', '| --- | --- | --- |'];

export type Result = { readonly row: ScorecardRow; readonly holds: boolean; readonly figure: string };

export function printTable(results: readonly Result[]): string {
  return [...HEAD, ...results.map(printRow)].join('\n');
}

/**
 * The document with these results in its table, in the order of `rows`. A row that was not run keeps the line that it
 * has; a line whose promise is in no row any more is dropped.
 */
export function withResults(document: string, rows: readonly ScorecardRow[], results: readonly Result[]): string {
  const begin = document.indexOf(BEGIN) + BEGIN.length;
  const end = document.indexOf(END);
  const lineByPromise = new Map(
    document
      .slice(begin, end)
      .split('\n')
      .map((line) => [line.split(' | ')[0], line]),
  );
  for (const result of results) lineByPromise.set(beginningOf(result.row), printRow(result));
  const lines = rows.map((row) => lineByPromise.get(beginningOf(row))).filter((line) => line !== undefined);
  return `${document.slice(0, begin)}\n${[...HEAD, ...lines].join('\n')}\n${document.slice(end)}`;
}

function printRow({ row, holds, figure }: Result): string {
  return `${beginningOf(row)} | ${holds ? 'holds' : 'missed'} | ${figure} |`;
}

function beginningOf({ promise }: ScorecardRow): string {
  return `| ${promise}`;
}
