import type { FileExtraction } from '../extraction.ts';
import { fileOf, paragraphsOf } from './file-status.ts';

/** Runs of lines between blank lines. */
export function readPlainText(text: string): FileExtraction {
  const lines = text.replace(/\r\n?/g, '\n');
  return fileOf({ blocks: paragraphsOf(lines.split(/\n[^\S\n]*\n/)) }, 'The file has no text');
}
