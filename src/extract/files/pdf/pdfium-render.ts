import { OCR_DPI } from '../ocr/ocr-command.ts';
import type { Picture } from '../ocr/recognize-picture.ts';
import type { PdfiumFunctions } from './pdfium-functions.ts';

const POINTS_PER_INCH = 72;
/** Of the longer side: A3 at 200 dpi. */
const MAX_PIXELS = 3_400;
/** `FPDFBitmap_Gray` and `FPDF_GRAYSCALE` (fpdfview.h). */
const GRAY = 1;
const GRAYSCALE = 0x08;
const WHITE = 0xffffffff;

/** A page as it looks, at most 3,400 pixels long; undefined when it cannot be drawn. */
export function renderPage(pdfium: PdfiumFunctions, document: number, index: number): Picture | undefined {
  const page = pdfium._FPDF_LoadPage(document, index);
  if (page === 0) return undefined;
  try {
    const points = { width: pdfium._FPDF_GetPageWidthF(page), height: pdfium._FPDF_GetPageHeightF(page) };
    const longest = Math.max(points.width, points.height);
    if (!(Math.min(points.width, points.height) >= 1)) return undefined;
    const scale = Math.min(OCR_DPI / POINTS_PER_INCH, MAX_PIXELS / longest);
    const width = Math.max(1, Math.round(points.width * scale));
    const height = Math.max(1, Math.round(points.height * scale));
    return draw(pdfium, page, { width, height });
  } finally {
    pdfium._FPDF_ClosePage(page);
  }
}

function draw(
  pdfium: PdfiumFunctions,
  page: number,
  { width, height }: { readonly width: number; readonly height: number },
): Picture | undefined {
  const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, GRAY, 0, 0);
  if (bitmap === 0) return undefined;
  try {
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, GRAYSCALE);
    const from = pdfium._FPDFBitmap_GetBuffer(bitmap);
    const stride = pdfium._FPDFBitmap_GetStride(bitmap);
    const pixels = new Uint8Array(width * height);
    for (let row = 0; row < height; row++) {
      const start = from + row * stride;
      pixels.set(pdfium.HEAPU8.subarray(start, start + width), row * width);
    }
    return { width, height, pixels };
  } finally {
    pdfium._FPDFBitmap_Destroy(bitmap);
  }
}
