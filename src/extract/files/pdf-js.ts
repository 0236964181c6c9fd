import type { FileExtraction } from '../extraction.ts';
import { unreadFile } from './file-status.ts';
import { MAX_PDF_PAGES, pdfBlocks, pdfFile, pdfProperties } from './pdf-text.ts';

// pdf.js asks for these at start; native addons, which would give them, are off in a parser child.
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) {
  if (!(name in globalThis))
    Object.defineProperty(globalThis, name, { value: function Unavailable() {}, writable: true });
}
const { PasswordException, PDFParse } = await import('pdf-parse');

/** Text of a PDF by pdf.js: slower, and without places on the page; it opens some files that PDFium does not. */
export async function readPdfByPdfJs(bytes: Uint8Array): Promise<FileExtraction> {
  const parser = new PDFParse({
    data: Uint8Array.from(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    verbosity: 0,
  });
  try {
    // The default joiner writes "-- 1 of 3 --" into the text.
    const { pages: read, total } = await parser.getText({ first: MAX_PDF_PAGES, pageJoiner: '\n', cellSeparator: ' ' });
    const { info } = await parser.getInfo();
    const pages = read.map(({ text }) => text.split('\n').map((line) => ({ text: line, isHidden: false })));
    const property = (name: string) => (typeof info?.[name] === 'string' ? info[name] : '');
    return pdfFile({ properties: pdfProperties(property, bytes), blocks: pdfBlocks(pages, []), pageCount: total });
  } catch (error) {
    if (error instanceof PasswordException) return unreadFile('encrypted', 'The file needs a password');
    return unreadFile('malformed', 'The file is damaged');
  } finally {
    await parser.destroy();
  }
}
