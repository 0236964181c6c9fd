/** Functions of PDFium (public/fpdf*.h) that are called; handles and places in its memory are numbers. */
export type PdfiumFunctions = {
  readonly HEAPU8: Uint8Array;
} & Readonly<Record<(typeof FUNCTIONS)[number], (...numbers: number[]) => number>>;

const FUNCTIONS = [
  '_malloc',
  '_free',
  '_FPDF_InitLibrary',
  '_FPDF_LoadMemDocument',
  '_FPDF_GetLastError',
  '_FPDF_CloseDocument',
  '_FPDF_GetPageCount',
  '_FPDF_GetMetaText',
  '_FPDF_LoadPage',
  '_FPDF_ClosePage',
  '_FPDF_GetPageBoundingBox',
  '_FPDF_GetPageWidthF',
  '_FPDF_GetPageHeightF',
  '_FPDF_RenderPageBitmap',
  '_FPDFBitmap_CreateEx',
  '_FPDFBitmap_FillRect',
  '_FPDFBitmap_GetBuffer',
  '_FPDFBitmap_GetStride',
  '_FPDFBitmap_Destroy',
  '_FPDFPage_CountObjects',
  '_FPDFPage_GetObject',
  '_FPDFPageObj_GetType',
  '_FPDFFormObj_CountObjects',
  '_FPDFFormObj_GetObject',
  '_FPDFText_LoadPage',
  '_FPDFText_ClosePage',
  '_FPDFText_CountChars',
  '_FPDFText_GetUnicode',
  '_FPDFText_GetTextObject',
  '_FPDFText_GetLooseCharBox',
  '_FPDFText_GetBoundedText',
  '_FPDFText_GetFontSize',
  '_FPDFText_GetMatrix',
  '_FPDFTextObj_GetTextRenderMode',
  '_FPDFTextObj_GetFont',
  '_FPDFFont_GetFlags',
  '_FPDFFont_GetBaseFontName',
  '_FPDFBookmark_GetFirstChild',
  '_FPDFBookmark_GetNextSibling',
  '_FPDFBookmark_GetTitle',
  '_FPDFBookmark_GetDest',
  '_FPDFDest_GetDestPageIndex',
  '_FPDFLink_Enumerate',
  '_FPDFLink_GetAction',
  '_FPDFLink_GetAnnotRect',
  '_FPDFAction_GetURIPath',
] as const;

/** Whether a module of the package has every function that is called: its own types name few of them. */
export function hasFunctions(module: unknown): module is PdfiumFunctions {
  return FUNCTIONS.every((name) => typeof (module as Readonly<Record<string, unknown>>)[name] === 'function');
}

/** Runs `work` with memory of the library that is free again afterwards. */
export function withMemory<T>(pdfium: PdfiumFunctions, bytes: number, work: (position: number) => T): T {
  const position = pdfium._malloc(Math.max(1, bytes));
  try {
    return work(position);
  } finally {
    pdfium._free(position);
  }
}

const MAX_STRING_BYTES = 16 * 1024;

/** A string that `fill` writes in UTF-16; it answers how many bytes it has or wants, the zero at its end included. */
export function readUtf16(pdfium: PdfiumFunctions, fill: (position: number, bytes: number) => number): string {
  return withMemory(pdfium, MAX_STRING_BYTES, (position) => {
    const bytes = fill(position, MAX_STRING_BYTES);
    if (bytes < 2 || bytes > MAX_STRING_BYTES) return '';
    return Buffer.from(pdfium.HEAPU8.subarray(position, position + bytes - 2)).toString('utf16le');
  });
}
