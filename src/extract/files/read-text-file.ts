import type { DecodedText } from '../charset.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { FileExtraction, TextKind } from '../extraction.ts';
import { readDelimited } from './delimited.ts';
import { readJsonText } from './json-text.ts';
import { readMarkdown } from './markdown.ts';
import { readPlainText } from './plain-text.ts';

/** All are linear. */
const READERS: Readonly<Record<TextKind, (text: string) => FileExtraction>> = {
  text: readPlainText,
  markdown: readMarkdown,
  delimited: readDelimited,
  json: readJsonText,
};

/** A file of text, by its format: what it holds is decoded already, so its beginning is read in this process. */
export function readTextFile({ text }: DecodedText, kind: TextKind): FileExtraction {
  const file = READERS[kind](text.slice(0, EXTRACT_LIMITS.textFileChars).replaceAll('\0', ''));
  if (text.length <= EXTRACT_LIMITS.textFileChars) return file;
  return { ...file, status: 'over-limit', reason: 'The text is longer than 2,000,000 characters' };
}
