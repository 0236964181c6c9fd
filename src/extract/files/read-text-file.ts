import type { DecodedText } from '../charset.ts';
import type { FileExtraction, TextKind } from '../extraction.ts';
import { readPlainText } from './plain-text.ts';

const READERS: Readonly<Record<TextKind, (decoded: DecodedText) => FileExtraction>> = {
  text: readPlainText,
  markdown: readPlainText,
  delimited: readPlainText,
  json: readPlainText,
};

/** A file of text, by its format: what it holds is decoded already, so it is read in this process. */
export function readTextFile(decoded: DecodedText, kind: TextKind): FileExtraction {
  return READERS[kind](decoded);
}
