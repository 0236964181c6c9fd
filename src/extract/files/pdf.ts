import type { FileExtraction } from '../extraction.ts';
import { unreadFile } from './file-status.ts';
import { MAX_PDF_PAGES, pdfBlocks, pdfFile, pdfProperties } from './pdf-text.ts';
import { dropLibrary, openPdf, type PdfDocument } from './pdfium.ts';
import type { PdfPage } from './pdfium-page.ts';

/** Characters after which pages are not read: the text that leaves a parser is shorter. */
const MAX_CHARS = 6 * 1024 * 1024;
/** Share of characters without meaning from which another reader is asked. */
const UNMAPPED_SHARE = 0.15;

/** Text of a PDF by PDFium; by pdf.js when that fails or finds no characters behind the glyphs. */
export async function readPdf(bytes: Uint8Array): Promise<FileExtraction> {
  const file = await readByPdfium(bytes);
  if (file?.status === 'encrypted') return file;
  const unmapped = file === undefined ? 1 : unmappedShare(file);
  if (file !== undefined && unmapped <= UNMAPPED_SHARE) return file;
  const { readPdfByPdfJs } = await import('./pdf-js.ts');
  const other = await readPdfByPdfJs(bytes);
  if (file === undefined) return { ...other, notes: [...other.notes, 'read by pdf.js'] };
  const isBetter = other.blocks.length > 0 && unmappedShare(other) < unmapped;
  return isBetter ? { ...other, notes: [...other.notes, 'read by pdf.js'] } : file;
}

/** Undefined when PDFium cannot open or read it. */
async function readByPdfium(bytes: Uint8Array): Promise<FileExtraction | undefined> {
  try {
    const opened = await openPdf(bytes);
    if (opened === 'password') return unreadFile('encrypted', 'The file needs a password');
    if (opened === 'damaged') return undefined;
    using document = opened;
    return readDocument(document, bytes);
  } catch {
    dropLibrary();
    return undefined;
  }
}

function readDocument(document: PdfDocument, bytes: Uint8Array): FileExtraction | undefined {
  const { pageCount } = document;
  if (pageCount === 0) return undefined;
  const pages: PdfPage[] = [];
  let chars = 0;
  let unread = 0;
  for (let index = 0; index < Math.min(pageCount, MAX_PDF_PAGES) && chars < MAX_CHARS; index++) {
    const page = document.page(index);
    if (page === undefined) unread++;
    for (const { text } of page?.lines ?? []) chars += text.length;
    pages.push(page ?? { lines: [], links: [], isImage: false });
  }
  if (unread === pages.length) return undefined;
  const outline = document.outline();
  const blocks = pdfBlocks(
    pages.map(({ lines }) => lines),
    outline,
  );
  const properties = { ...pdfProperties(document.property, bytes), outline: outline[0]?.title };
  const images = pages.filter(({ isImage }) => isImage).length;
  const notes = [
    ...(unread === 0 ? [] : [`${unread} pages could not be read`]),
    ...(images === 0 ? [] : [`${images} of ${pages.length} pages are images without text`]),
  ];
  const read = { properties, blocks, pageCount, links: pages.flatMap(({ links }) => links), notes };
  return images === 0 ? pdfFile(read) : pdfFile(read, 'The pages are images without text');
}

/** Share of characters that a font does not map: replacement, private use. 0 without text. */
function unmappedShare({ blocks }: FileExtraction): number {
  let chars = 0;
  let unmapped = 0;
  for (const { text } of blocks) {
    chars += text.length;
    unmapped += text.match(/[\ufffd\ue000-\uf8ff]/g)?.length ?? 0;
  }
  return chars === 0 ? 0 : unmapped / chars;
}
