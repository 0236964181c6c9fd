import type { FileBlock, FileExtraction } from '../extraction.ts';
import { fileOf, MAX_LINKS, paragraphsOf } from './file-status.ts';
import { type TableRow, tableBlocksOf } from './table-text.ts';

/** What the sheets of a workbook may still give, all together. */
export type SheetBudget = { cellsLeft: number; charsLeft: number; linksLeft: number; isCut: boolean };

export type SheetName = { readonly name: string; readonly isHidden: boolean };

/** Cells of all sheets after which nothing is read (design: formats). */
const MAX_CELLS = 50_000;
/** More than a file may give; cells share their strings. */
const MAX_CHARS = 6 * 1024 * 1024;
/** Sheets after which nothing is read. */
export const MAX_SHEETS = 1_000;

/** Names of sheets alone are no text. */
const EMPTY = { status: 'empty', reason: 'The workbook has no text' } as const;

export function openBudget(): SheetBudget {
  return { cellsLeft: MAX_CELLS, charsLeft: MAX_CHARS, linksLeft: MAX_LINKS, isCut: false };
}

/** Whether there is room for one more cell of this text; the first that finds none cuts the workbook. */
export function takeCell(budget: SheetBudget, text: string): boolean {
  if (budget.cellsLeft <= 0 || budget.charsLeft <= 0) {
    budget.isCut = true;
    return false;
  }
  budget.cellsLeft--;
  budget.charsLeft -= text.length;
  return true;
}

/** Whether there is room for one more link: of sheets that share their records or parts it is the same again and again. */
export function takeLink(budget: SheetBudget): boolean {
  budget.linksLeft--;
  return budget.linksLeft >= 0;
}

/** The name of a sheet as a heading, its rows as a table, its text boxes; nothing of a hidden one is seen. */
export function sheetBlocks(
  { name, isHidden }: SheetName,
  rows: readonly TableRow[],
  texts: readonly string[],
): readonly FileBlock[] {
  const grounding = !isHidden;
  const title = name.trim() === '' ? [] : [{ kind: 'heading' as const, level: 1, text: name.trim(), grounding }];
  const blocks = [...tableBlocksOf(rows, grounding), ...paragraphsOf(texts)];
  return [...title, ...blocks.map((block) => ({ ...block, grounding }))];
}

/** Of a workbook that was cut, the text so far. */
export function workbookFile(
  read: Pick<FileExtraction, 'properties' | 'blocks' | 'links'>,
  { isCut }: Pick<SheetBudget, 'isCut'>,
): FileExtraction {
  const isEmpty = read.blocks.every(({ kind }) => kind === 'heading');
  const file = isEmpty ? { ...fileOf(read, ''), ...EMPTY } : fileOf(read, EMPTY.reason);
  return isCut ? { ...file, status: 'over-limit', reason: 'The workbook has too many cells or too much text' } : file;
}
