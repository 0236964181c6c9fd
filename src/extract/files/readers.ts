import type { FileExtraction, FileKind } from '../extraction.ts';

/** Reads the bytes of one format in a parser child. What it throws is a malformed file. */
export type FileReader = (bytes: Uint8Array) => FileExtraction | Promise<FileExtraction>;

export type FileReaders = {
  /** Loads the reader with its packages: in a child, on the first file of the format. */
  readonly first: () => Promise<FileReader>;
  /** Another reader, for a file whose first one was killed or died. */
  readonly fallback?: () => Promise<FileReader>;
};

export const READERS: Readonly<Record<FileKind, FileReaders>> = {
  pdf: {
    first: async () => (await import('./pdf.ts')).readPdf,
    fallback: async () => (await import('./pdf-js.ts')).readPdfByPdfJs,
  },
  docx: {
    first: async () => (await import('./word.ts')).readWord,
    fallback: async () => (await import('./word-parts.ts')).readWordParts,
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
