import type { FileExtraction } from '../extraction.ts';
import { fileOf, unreadFile } from './file-status.ts';

/** Reliability: file parsers. */
export const MAX_PDF_PAGES = 2_000;

/** What was read of a PDF, with its status. */
export function pdfFile(read: Partial<FileExtraction> & { readonly pageCount: number }): FileExtraction {
  if (read.pageCount <= MAX_PDF_PAGES) return fileOf(read, 'The pages have no text');
  return { ...unreadFile('over-limit', `The file has more than ${MAX_PDF_PAGES} pages`), ...read };
}
