import type { DecodedText } from '../charset.ts';
import type { FileExtraction } from '../extraction.ts';

/** A text file: it has nothing to parse, so it is read where it is. */
export function readPlainText({ text }: DecodedText): FileExtraction {
  const page = text.replaceAll('\0', '').replace(/\r\n?/g, '\n').trim();
  const isEmpty = page === '';
  return {
    status: isEmpty ? 'empty' : 'ok',
    reason: isEmpty ? 'The file has no text' : '',
    properties: {},
    pages: [page],
    paged: false,
  };
}
