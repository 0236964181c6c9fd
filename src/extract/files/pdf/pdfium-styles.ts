import { type PdfiumFunctions, withMemory } from './pdfium-functions.ts';

export type TextStyle = {
  /** Of the letters, in points as they stand on the page. */
  readonly size: number;
  readonly isBold: boolean;
};

type TextHandles = { readonly pdfium: PdfiumFunctions; readonly text: number };

/** Bold only when all of it is: a line that begins with a bold word is text. */
export function styleOfMost(styles: ReadonlyMap<TextStyle, number>): TextStyle | undefined {
  const chars = new Map<number, number>();
  for (const [{ size }, count] of styles) chars.set(size, (chars.get(size) ?? 0) + count);
  const [most] = [...chars].sort((a, b) => b[1] - a[1]);
  return most && { size: most[0], isBold: [...styles.keys()].every(({ isBold }) => isBold) };
}

/** Bit of the flags of a font (ISO 32000 table 123) that asks for bold letters. */
const FORCE_BOLD = 1 << 18;
/**
 * Bold fonts by their names, those of TeX among them (`CMBX12`, `SFBX1000`). The weight that PDFium tells is made of the
 * width of stems, which regular fonts state as they like.
 */
const BOLD_NAME = /bold|black|heavy|demi|-medi(?:ital)?$|(?:^|\+)(?:CM|SF|EC)(?:BX|SSBX|B(?=\d))/i;
/** Six 32-bit floats: a, b, c, d, e, f (ISO 32000, 8.3.3). */
const MATRIX_BYTES = 24;

/** Size and weight of the letters of a text object; asked once per object. */
export function styleReader({ pdfium, text }: TextHandles): (object: number, at: number) => TextStyle {
  const known = new Map<number, TextStyle>();
  const isBoldByFont = new Map<number, boolean>();
  const isBold = (font: number): boolean => {
    const answer = isBoldByFont.get(font) ?? (font !== 0 && isBoldFont(pdfium, font));
    isBoldByFont.set(font, answer);
    return answer;
  };
  return (object, at) => {
    const style = known.get(object) ?? {
      size: Math.round(pdfium._FPDFText_GetFontSize(text, at) * heightScale(pdfium, text, at) * 4) / 4,
      isBold: isBold(pdfium._FPDFTextObj_GetFont(object)),
    };
    known.set(object, style);
    return style;
  };
}

function isBoldFont(pdfium: PdfiumFunctions, font: number): boolean {
  if ((pdfium._FPDFFont_GetFlags(font) & FORCE_BOLD) !== 0) return true;
  const name = withMemory(pdfium, MAX_NAME_BYTES, (position) => {
    const bytes = Math.min(MAX_NAME_BYTES, pdfium._FPDFFont_GetBaseFontName(font, position, MAX_NAME_BYTES));
    return Buffer.from(pdfium.HEAPU8.subarray(position, position + Math.max(0, bytes - 1))).toString('latin1');
  });
  return BOLD_NAME.test(name);
}

/** How much the matrix of a character stretches its height. */
function heightScale(pdfium: PdfiumFunctions, text: number, at: number): number {
  return withMemory(pdfium, MATRIX_BYTES, (position) => {
    if (pdfium._FPDFText_GetMatrix(text, at, position) === 0) return 1;
    const floats = new DataView(pdfium.HEAPU8.buffer, position, MATRIX_BYTES);
    return Math.hypot(floats.getFloat32(8, true), floats.getFloat32(12, true)) || 1;
  });
}

const MAX_NAME_BYTES = 256;
