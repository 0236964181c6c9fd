import type { DecodedText } from '../charset.ts';
import { withoutControls } from '../control-characters.ts';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { FileExtraction } from '../extraction.ts';
import type { FileKind, TextKind } from '../formats.ts';
import type { Picture } from './ocr/recognize-picture.ts';

/** What was read of a file behind the part before; the first one has the properties. */
export type FilePart = Pick<FileExtraction, 'blocks' | 'links'> &
  Partial<Pick<FileExtraction, 'properties' | 'pageCount'>> & {
    /** Last page that was read, from 1. */
    readonly page: number;
  };

export type ReadingProgress = {
  /** Pages that need not be read: another reader has done so. */
  readonly pagesBefore: number;
  /** Takes what is kept of the file when its reader is stopped; the reader goes on when it resolves. */
  readonly report: (part: FilePart) => Promise<void>;
  /** Pages without text that may be read by `recognize`; 0 when nothing reads pictures here. */
  readonly picturePages: number;
  /** Lines of text on a picture; undefined when it cannot be read. */
  readonly recognize: (picture: Picture) => Promise<readonly string[] | undefined>;
};

/**
 * Reads the bytes of one format in a parser child. What it throws is a malformed file. One that knows pages reports
 * them as they are read; the result has all of them.
 */
export type FileReader = (bytes: Uint8Array, progress: ReadingProgress) => FileExtraction | Promise<FileExtraction>;

export type FileReaders = {
  /** Loads the reader with its packages: in a child, on the first file of the format. */
  readonly first: () => Promise<FileReader>;
  /** Another reader, for a file whose first one was killed or died. */
  readonly fallback?: () => Promise<FileReader>;
};

export const READERS: Readonly<Record<FileKind, FileReaders>> = {
  pdf: {
    first: async () => (await import('./pdf/pdf.ts')).readPdf,
    fallback: async () => (await import('./pdf/pdf-js.ts')).readPdfByPdfJs,
  },
  docx: {
    first: async () => (await import('./word.ts')).readWord,
    fallback: async () => (await import('./word-by-mammoth.ts')).readWordByMammoth,
  },
  pptx: { first: async () => (await import('./slides.ts')).readSlides },
  xlsx: { first: async () => (await import('./sheets.ts')).readSheets },
  xls: { first: async () => (await import('./legacy/legacy-sheets.ts')).readLegacySheets },
  ppt: { first: async () => (await import('./legacy/legacy-slides.ts')).readLegacySlides },
  odt: { first: async () => (await import('./open-document.ts')).readOpenDocument },
  ods: { first: async () => (await import('./open-document.ts')).readOpenDocument },
  odp: { first: async () => (await import('./open-document.ts')).readOpenDocument },
  epub: { first: async () => (await import('./epub.ts')).readEpub },
  rtf: { first: async () => (await import('./rtf.ts')).readRtf },
  doc: {
    first: async () => (await import('./legacy/legacy-word.ts')).readLegacyWord,
    fallback: async () => (await import('./legacy/legacy-word.ts')).readLegacyWordPieces,
  },
};

/** Reads the text of one format. Linear in its length, and never throws: it runs in the process that crawls. */
type TextReader = (text: string) => FileExtraction;

/** Loaded with the first file of the format. */
const TEXT_READERS: Readonly<Record<TextKind, () => Promise<TextReader>>> = {
  text: async () => (await import('./plain-formats.ts')).readPlainText,
  markdown: async () => (await import('./markdown.ts')).readMarkdown,
  asciidoc: async () => (await import('./asciidoc.ts')).readAsciiDoc,
  org: async () => (await import('./org.ts')).readOrg,
  delimited: async () => (await import('./plain-formats.ts')).readDelimited,
  json: async () => (await import('./plain-formats.ts')).readJsonText,
};

/** A file of text, by its format: what it holds is decoded already, so its beginning is read in this process. */
export async function readTextFile({ text }: DecodedText, kind: TextKind): Promise<FileExtraction> {
  const read = await TEXT_READERS[kind]();
  const file = read(withoutControls(text.slice(0, EXTRACT_LIMITS.textFileChars)));
  if (text.length <= EXTRACT_LIMITS.textFileChars) return file;
  return { ...file, status: 'over-limit', reason: 'The text is longer than 2,000,000 characters' };
}
