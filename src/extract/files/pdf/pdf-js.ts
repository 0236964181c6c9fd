import type { FileExtraction, FileProperties } from '../../extraction.ts';
import { unreadFile } from '../file-status.ts';
import type { ReadingProgress } from '../readers.ts';
import { pdfProperties } from './pdf-properties.ts';
import { MAX_PDF_PAGES, pageByPage, pdfBlocks, pdfFile, unreadNotes } from './pdf-text.ts';
import type { PdfLine } from './pdfium-page.ts';

// pdf.js asks for these at start; native addons, which would give them, are off in a parser child.
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) {
  if (!(name in globalThis))
    Object.defineProperty(globalThis, name, { value: function Unavailable() {}, writable: true });
}
const { PasswordException, PDFParse } = await import('pdf-parse');

/** Text of a PDF by pdf.js: slower, and without places on the page; it opens some files that PDFium does not. */
export async function readPdfByPdfJs(bytes: Uint8Array, progress: ReadingProgress): Promise<FileExtraction> {
  const parser = new PDFParse({
    data: Uint8Array.from(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    verbosity: 0,
  });
  try {
    const { info, total } = await parser.getInfo();
    const property = (name: string) => (typeof info?.[name] === 'string' ? info[name] : '');
    const properties = pdfProperties(property, bytes);
    const { pagesBefore } = progress;
    const pages = await readPages(parser, { total, properties }, progress);
    const unread = pages.filter((page) => page === undefined).length;
    if (unread > 0 && unread === pages.length) return unreadFile('malformed', 'The file is damaged');
    const own = pdfBlocks(
      pages.map((page) => page ?? []),
      [],
    );
    const blocks = own.map((block) => ({ ...block, page: (block.page ?? 1) + pagesBefore }));
    return pdfFile({ properties, blocks, pageCount: total, notes: unreadNotes(unread) });
  } catch (error) {
    if (error instanceof PasswordException) return unreadFile('encrypted', 'The file needs a password');
    return unreadFile('malformed', 'The file is damaged');
  } finally {
    await parser.destroy();
  }
}

/** Pages behind those that are read already, each reported as it is read; undefined for one that cannot be read. */
async function readPages(
  parser: InstanceType<typeof PDFParse>,
  { total: pageCount, properties }: { readonly total: number; readonly properties: FileProperties },
  { pagesBefore, report }: ReadingProgress,
): Promise<readonly (readonly PdfLine[] | undefined)[]> {
  const pages: (readonly PdfLine[] | undefined)[] = [];
  const blocksOf = pageByPage();
  for (let page = pagesBefore + 1; page <= Math.min(pageCount, MAX_PDF_PAGES); page++) {
    // The default joiner writes "-- 1 of 3 --" into the text.
    const reading = parser.getText({ partial: [page], pageJoiner: '\n', cellSeparator: ' ' });
    const text = await reading.then(({ pages: read }) => read[0]?.text ?? '').catch(() => undefined);
    const lines = text?.split('\n').map((line) => ({ text: line, isHidden: false }));
    pages.push(lines);
    await report({ page, blocks: blocksOf(lines ?? [], page), links: [], properties, pageCount });
  }
  return pages;
}
