import type { FileExtraction } from '../../extraction.ts';
import { unreadFile } from '../file-status.ts';
import type { ReadingProgress } from '../readers.ts';
import { pdfProperties } from './pdf-properties.ts';
import { MAX_PDF_PAGES, pageByPage, pdfBlocks, pdfFile, unreadNotes } from './pdf-text.ts';
import { dropLibrary, openPdf, type PdfDocument } from './pdfium.ts';
import type { PdfPage } from './pdfium-page.ts';

/** Characters after which pages are not read: the text that leaves a parser is shorter. */
const MAX_CHARS = 6 * 1024 * 1024;
/** Share of characters without meaning from which another reader is asked. */
const UNMAPPED_SHARE = 0.15;

/** Text of a PDF by PDFium; by pdf.js when that fails or finds no characters behind the glyphs. */
export async function readPdf(bytes: Uint8Array, progress: ReadingProgress): Promise<FileExtraction> {
  const { report, reported } = reportedOnce(progress);
  const file = await readByPdfium(bytes, { ...progress, report });
  if (file?.status === 'encrypted') return file;
  const unmapped = file === undefined ? 1 : unmappedShare(file);
  if (file !== undefined && unmapped <= UNMAPPED_SHARE) return file;
  const { readPdfByPdfJs } = await import('./pdf-js.ts');
  const other = await readPdfByPdfJs(bytes, { ...progress, pagesBefore: 0, report: reported });
  if (file === undefined) return { ...other, notes: [...other.notes, 'read by pdf.js'] };
  const isBetter = other.blocks.length > 0 && unmappedShare(other) < unmapped;
  return isBetter ? { ...other, notes: [...other.notes, 'read by pdf.js'] } : file;
}

type Report = ReadingProgress['report'];

/** The second of two readers reports no page that the first one has reported. */
function reportedOnce({ report }: ReadingProgress): { readonly report: Report; readonly reported: Report } {
  let last = 0;
  const send: Report = (part) => {
    last = Math.max(last, part.page);
    return report(part);
  };
  return { report: send, reported: async (part) => (part.page > last ? send(part) : undefined) };
}

/** Undefined when PDFium cannot open or read it. */
async function readByPdfium(bytes: Uint8Array, progress: ReadingProgress): Promise<FileExtraction | undefined> {
  try {
    const opened = await openPdf(bytes);
    if (opened === 'password') return unreadFile('encrypted', 'The file needs a password');
    if (opened === 'damaged') return undefined;
    using document = opened;
    return await readDocument(document, bytes, progress);
  } catch {
    dropLibrary();
    return undefined;
  }
}

async function readDocument(
  document: PdfDocument,
  bytes: Uint8Array,
  progress: ReadingProgress,
): Promise<FileExtraction | undefined> {
  const { pageCount } = document;
  if (pageCount === 0) return undefined;
  const outline = document.outline();
  const properties = { ...pdfProperties(document.property, bytes), outline: outline[0]?.title };
  const report: Report = ({ page, ...part }) =>
    progress.report(page === 1 ? { ...part, page, properties, pageCount } : { ...part, page });
  const pages = await readPages(document, { ...progress, report });
  const unread = pages.filter((page) => page === undefined).length;
  if (unread === pages.length) return undefined;
  const blocks = pdfBlocks(
    pages.map((page) => page?.lines ?? []),
    outline,
  );
  const pictures = pages.flatMap((page) => page?.picture ?? []);
  const count = (picture: PictureOutcome) => pictures.filter((each) => each === picture).length;
  const images = pictures.length - count('recognized');
  const read = {
    properties,
    blocks,
    pageCount,
    links: pages.flatMap((page) => page?.links ?? []),
    notes: [...unreadNotes(unread), ...pictureNotes({ images, failed: count('failed'), pages: pages.length })],
    cuts: leftPictures(count('left'), progress),
    recognizedPages: count('recognized'),
  };
  return images === 0 ? pdfFile(read) : pdfFile(read, 'The pages are images without text');
}

function pictureNotes({ images, failed, pages }: Readonly<Record<'images' | 'failed' | 'pages', number>>) {
  return [
    ...(images === 0 ? [] : [`${images} of ${pages} pages are images without text`]),
    ...(failed === 0 ? [] : [`OCR read nothing on ${failed} pages`]),
  ];
}

/** Nothing is cut where nothing reads pictures. */
function leftPictures(left: number, { picturePages }: ReadingProgress): readonly string[] {
  return left === 0 || picturePages === 0
    ? []
    : [`${left} scanned pages were not read: OCR reads ${picturePages} of a file`];
}

/** What became of a page that is a picture. */
type PictureOutcome = 'recognized' | 'failed' | 'left';
type ReadPage = PdfPage & { readonly picture?: PictureOutcome };

/** Undefined for a page that cannot be read. Each is reported as it is read. */
async function readPages(document: PdfDocument, progress: ReadingProgress): Promise<readonly (ReadPage | undefined)[]> {
  const pages: (ReadPage | undefined)[] = [];
  const blocksOf = pageByPage();
  let chars = 0;
  let picturesLeft = progress.picturePages;
  for (let index = 0; index < Math.min(document.pageCount, MAX_PDF_PAGES) && chars < MAX_CHARS; index++) {
    const read = document.page(index);
    const page =
      read?.isImage === true ? await readPicture(document, { index, page: read, picturesLeft }, progress) : read;
    if (read?.isImage === true) picturesLeft--;
    pages.push(page);
    const { lines = [], links = [] } = page ?? {};
    for (const { text } of lines) chars += text.length;
    await progress.report({ page: index + 1, blocks: blocksOf(lines, index + 1), links });
  }
  return pages;
}

async function readPicture(
  document: PdfDocument,
  { index, page, picturesLeft }: { readonly index: number; readonly page: PdfPage; readonly picturesLeft: number },
  { recognize }: ReadingProgress,
): Promise<ReadPage> {
  if (picturesLeft <= 0) return { ...page, picture: 'left' };
  const picture = document.picture(index);
  const lines = picture === undefined ? [] : ((await recognize(picture)) ?? []);
  if (lines.every((line) => line.trim() === '')) return { ...page, picture: 'failed' };
  return { ...page, lines: lines.map((text) => ({ text, isHidden: false })), picture: 'recognized' };
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
