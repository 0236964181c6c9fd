import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PDFiumModule } from '@hyzyla/pdfium';
import type { Picture } from '../ocr/recognize-picture.ts';
import { hasFunctions, type PdfiumFunctions, readUtf16, withMemory } from './pdfium-functions.ts';
import { type PdfPage, readPdfiumPage } from './pdfium-page.ts';
import { renderPage } from './pdfium-render.ts';

export type OutlineEntry = {
  readonly title: string;
  /** 1 is the highest. */
  readonly level: number;
  /** From 0; -1 when it leads to none. */
  readonly page: number;
};

export type PdfDocument = Disposable & {
  readonly pageCount: number;
  /** Entry of the information dictionary, `''` for none. */
  readonly property: (name: string) => string;
  readonly outline: () => readonly OutlineEntry[];
  /** Text and links of a page, from 0; undefined when it cannot be read. */
  readonly page: (index: number) => PdfPage | undefined;
  /** A page as it looks. */
  readonly picture: (index: number) => Picture | undefined;
};

let loading: Promise<PdfiumFunctions> | undefined;

/** Opens a PDF; the library is started on the first one. Caller closes. Any throw leaves the library unusable. */
export async function openPdf(bytes: Uint8Array): Promise<PdfDocument | 'password' | 'damaged'> {
  loading ??= startLibrary();
  return openDocument(await loading, bytes);
}

/** Gives up a library that has thrown: the next document starts a new one. */
export function dropLibrary(): void {
  loading = undefined;
}

async function startLibrary(): Promise<PdfiumFunctions> {
  const file = fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'));
  const { buffer, byteOffset, byteLength } = await readFile(file);
  const module: unknown = await PDFiumModule({
    wasmBinary: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer,
  });
  if (!hasFunctions(module)) throw new Error('PDFium lacks a function that is called');
  module._FPDF_InitLibrary();
  return module;
}

/** Codes of `FPDF_GetLastError`: a password is wanted, the security scheme is not known. */
const LOCKED: ReadonlySet<number> = new Set([4, 5]);

function openDocument(pdfium: PdfiumFunctions, bytes: Uint8Array): PdfDocument | 'password' | 'damaged' {
  const memory = pdfium._malloc(bytes.length);
  pdfium.HEAPU8.set(bytes, memory);
  const handle = pdfium._FPDF_LoadMemDocument(memory, bytes.length, 0);
  if (handle === 0) {
    const isLocked = LOCKED.has(pdfium._FPDF_GetLastError());
    pdfium._free(memory);
    return isLocked ? 'password' : 'damaged';
  }
  return {
    pageCount: pdfium._FPDF_GetPageCount(handle),
    property: (name) => readProperty(pdfium, handle, name),
    outline: () => readOutline(pdfium, handle),
    page: (index) => readPdfiumPage(pdfium, handle, index),
    picture: (index) => renderPage(pdfium, handle, index),
    [Symbol.dispose]() {
      pdfium._FPDF_CloseDocument(handle);
      pdfium._free(memory);
    },
  };
}

function readProperty(pdfium: PdfiumFunctions, document: number, name: string): string {
  const key = Buffer.from(`${name}\0`, 'latin1');
  return withMemory(pdfium, key.length, (keyPlace) => {
    pdfium.HEAPU8.set(key, keyPlace);
    return readUtf16(pdfium, (position, bytes) => pdfium._FPDF_GetMetaText(document, keyPlace, position, bytes));
  });
}

const MAX_OUTLINE = 2_000;
const MAX_OUTLINE_DEPTH = 8;

/** Document order, without recursion; an entry is visited once, whatever its neighbours say. */
function readOutline(pdfium: PdfiumFunctions, document: number): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  const seen = new Set<number>();
  const open = [{ bookmark: pdfium._FPDFBookmark_GetFirstChild(document, 0), level: 1 }];
  for (let next = open.pop(); next !== undefined && entries.length < MAX_OUTLINE; next = open.pop()) {
    const { bookmark, level } = next;
    if (bookmark === 0 || seen.has(bookmark)) continue;
    seen.add(bookmark);
    const title = readUtf16(pdfium, (position, bytes) =>
      pdfium._FPDFBookmark_GetTitle(bookmark, position, bytes),
    ).trim();
    const target = pdfium._FPDFBookmark_GetDest(document, bookmark);
    const page = target === 0 ? -1 : pdfium._FPDFDest_GetDestPageIndex(document, target);
    if (title !== '') entries.push({ title, level, page });
    open.push({ bookmark: pdfium._FPDFBookmark_GetNextSibling(document, bookmark), level });
    if (level < MAX_OUTLINE_DEPTH)
      open.push({ bookmark: pdfium._FPDFBookmark_GetFirstChild(document, bookmark), level: level + 1 });
  }
  return entries;
}
