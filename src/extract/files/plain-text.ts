import type { DecodedText } from '../charset.ts';
import type { FileExtraction } from '../extraction.ts';
import { fileOf, paragraphsOf } from './file-status.ts';

/** Runs of lines between blank lines. */
export function readPlainText({ text }: DecodedText): FileExtraction {
  const lines = text.replaceAll('\0', '').replace(/\r\n?/g, '\n');
  return fileOf({ blocks: paragraphsOf(lines.split(/\n[^\S\n]*\n/)) }, 'The file has no text');
}
