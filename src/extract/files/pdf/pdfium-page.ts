import { type PdfiumFunctions, readUtf16, withMemory } from './pdfium-functions.ts';
import { styleOfMost, styleReader, type TextStyle } from './pdfium-styles.ts';

/** In points, from the lower left corner of the page. */
export type TextBox = {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
};

export type PdfLine = {
  readonly text: string;
  /** Of all of its letters, else of most; undefined when the reader does not tell. */
  readonly style?: TextStyle | undefined;
  /** From its first to its last character, the height that of the first; undefined when the reader does not tell. */
  readonly box?: (TextBox & { readonly height: number }) | undefined;
  /** A reader of the page does not see it. */
  readonly isHidden: boolean;
};

export type PdfPage = {
  readonly lines: readonly PdfLine[];
  readonly links: readonly { readonly url: string; readonly text: string }[];
  /** It shows a picture and has no text. */
  readonly isImage: boolean;
};

/** Lines as PDFium orders them, hidden text in lines of its own. */
export function readPdfiumPage(pdfium: PdfiumFunctions, document: number, index: number): PdfPage | undefined {
  const page = pdfium._FPDF_LoadPage(document, index);
  if (page === 0) return undefined;
  const text = pdfium._FPDFText_LoadPage(page);
  try {
    if (text === 0) return undefined;
    return withMemory(pdfium, RECTANGLE_BYTES, (scratch) => {
      const handles = { pdfium, document, page, text, scratch };
      const lines = readLines(handles);
      return {
        lines: isScan(handles, lines) ? lines.map(shown) : lines,
        links: readLinks(handles),
        isImage: lines.every(({ text: own }) => own.trim() === '') && hasImage(handles),
      };
    });
  } finally {
    if (text !== 0) pdfium._FPDFText_ClosePage(text);
    pdfium._FPDF_ClosePage(page);
  }
}

type PageHandles = {
  readonly pdfium: PdfiumFunctions;
  readonly document: number;
  readonly page: number;
  readonly text: number;
  /** Memory for one rectangle. */
  readonly scratch: number;
};

/** Four 32-bit floats: left, top, right, bottom. */
const RECTANGLE_BYTES = 16;
const RETURN = 13;
const LINE_FEED = 10;
/** Above it nothing is kept of a page: no page of text is as long. */
const MAX_PAGE_CHARS = 1_000_000;

function readLines(handles: PageHandles): readonly PdfLine[] {
  const { pdfium, text } = handles;
  const isHidden = hiddenTest(handles);
  const styleOf = styleReader(handles);
  const count = Math.min(MAX_PAGE_CHARS, pdfium._FPDFText_CountChars(text));
  const collector = collectLines(handles);
  let last = 0;
  for (let at = 0; at < count; at++) {
    const code = pdfium._FPDFText_GetUnicode(text, at);
    const object = pdfium._FPDFText_GetTextObject(text, at);
    // Characters of an object follow each other; a line may hold those of several.
    if (object !== last && object !== 0)
      collector.begin({ isHidden: isHidden(object, at), style: styleOf(object, at) });
    if (object !== 0) last = object;
    // What PDFium adds, as ends of lines and blanks between words, belongs to no object.
    if (object !== 0) collector.add(code, at);
    else if (code === LINE_FEED) collector.endLine();
    else if (code !== RETURN) collector.add(code);
  }
  collector.endLine();
  return collector.lines;
}

type OpenLine = { codes: number[]; first: number; last: number; styles: Map<TextStyle, number> };

type TextObject = { readonly isHidden: boolean; readonly style: TextStyle };

/** Keeps seen and hidden characters of a line apart; one without a place goes with the one before it. */
function collectLines(handles: PageHandles) {
  const lines: PdfLine[] = [];
  let [seen, hidden] = [newLine(), newLine()];
  let target = seen;
  let object: TextObject | undefined;
  let chars = 0;
  const endObject = () => {
    if (object !== undefined && chars > 0)
      target.styles.set(object.style, (target.styles.get(object.style) ?? 0) + chars);
    chars = 0;
  };
  return {
    lines,
    begin(next: TextObject) {
      endObject();
      object = next;
      target = next.isHidden ? hidden : seen;
    },
    /** @param at place of a character of the present object */
    add(code: number, at?: number) {
      target.codes.push(code);
      if (at === undefined) return;
      if (target.first < 0) target.first = at;
      target.last = at;
      chars++;
    },
    endLine() {
      endObject();
      if (seen.codes.length > 0) lines.push(closeLine(handles, seen, false));
      if (hidden.codes.length > 0) lines.push(closeLine(handles, hidden, true));
      [seen, hidden] = [newLine(), newLine()];
      target = object?.isHidden === true ? hidden : seen;
    },
  };
}

function newLine(): OpenLine {
  return { codes: [], first: -1, last: -1, styles: new Map() };
}

function closeLine(handles: PageHandles, { codes, first, last, styles }: OpenLine, isHidden: boolean): PdfLine {
  const text = codes.map(characterOf).join('');
  const from = first < 0 ? undefined : charBox(handles, first);
  const to = last < 0 ? undefined : charBox(handles, last);
  if (from === undefined || to === undefined) return { text, isHidden };
  // A word that PDFium joins over a line end makes two lines of the page one: the end is that of the second.
  const box = { left: from.left, right: to.right, top: from.top, bottom: to.bottom, height: from.top - from.bottom };
  return { text, box, style: styleOfMost(styles), isHidden };
}

/** PDFium's mark for a hyphen at which it joins two lines. */
const JOINED = 2;

function characterOf(code: number): string {
  if (code === JOINED) return '\ufffe';
  return code > 0xffff && code <= 0x10ffff ? String.fromCodePoint(code) : String.fromCharCode(code);
}

function charBox({ pdfium, text, scratch }: PageHandles, at: number): TextBox | undefined {
  return pdfium._FPDFText_GetLooseCharBox(text, at, scratch) === 0 ? undefined : rectangleAt(pdfium, scratch);
}

function rectangleAt({ HEAPU8 }: PdfiumFunctions, position: number): TextBox {
  const floats = new DataView(HEAPU8.buffer, position, RECTANGLE_BYTES);
  return {
    left: floats.getFloat32(0, true),
    top: floats.getFloat32(4, true),
    right: floats.getFloat32(8, true),
    bottom: floats.getFloat32(12, true),
  };
}

/** Render modes of ISO 32000 table 104 that paint nothing: neither fill nor stroke, and only clip. */
const UNPAINTED: ReadonlySet<number> = new Set([3, 7]);
const MIN_POINTS = 1;

/** Whether a text object paints nothing, lies outside of the page, or is smaller than 1 pt; asked once per object. */
function hiddenTest(handles: PageHandles): (object: number, at: number) => boolean {
  const { pdfium, page, scratch } = handles;
  const known = new Map<number, boolean>();
  const edges = pdfium._FPDF_GetPageBoundingBox(page, scratch) === 0 ? undefined : rectangleAt(pdfium, scratch);
  return (object, at) => {
    const answer = known.get(object);
    if (answer !== undefined) return answer;
    const isHidden =
      UNPAINTED.has(pdfium._FPDFTextObj_GetTextRenderMode(object)) || isOutOfSight(charBox(handles, at), edges);
    known.set(object, isHidden);
    return isHidden;
  };
}

function isOutOfSight(box: TextBox | undefined, edges: TextBox | undefined): boolean {
  if (box === undefined) return false;
  const height = Math.abs(box.top - box.bottom);
  const width = Math.abs(box.right - box.left);
  if (height > 0 && height < MIN_POINTS && width < MIN_POINTS) return true;
  if (edges === undefined || edges.right <= edges.left || edges.top <= edges.bottom) return false;
  return box.right < edges.left || box.left > edges.right || box.top < edges.bottom || box.bottom > edges.top;
}

const SCANNED_SHARE = 0.5;
const IMAGE = 3;
const FORM = 5;
/** Objects of a page that are looked at for an image. */
const MAX_OBJECTS = 1_000;

/** A picture with its recognised text behind it: the reader sees the words, though not these. */
function isScan(handles: PageHandles, lines: readonly PdfLine[]): boolean {
  let hidden = 0;
  let all = 0;
  for (const line of lines) {
    all += line.text.length;
    if (line.isHidden) hidden += line.text.length;
  }
  return hidden > 0 && hidden >= all * SCANNED_SHARE && hasImage(handles);
}

function hasImage({ pdfium, page }: PageHandles): boolean {
  const count = Math.min(MAX_OBJECTS, pdfium._FPDFPage_CountObjects(page));
  for (let i = 0; i < count; i++) {
    const object = pdfium._FPDFPage_GetObject(page, i);
    const type = pdfium._FPDFPageObj_GetType(object);
    if (type === IMAGE || (type === FORM && formHasImage(pdfium, object))) return true;
  }
  return false;
}

function formHasImage(pdfium: PdfiumFunctions, form: number): boolean {
  const count = Math.min(MAX_OBJECTS, pdfium._FPDFFormObj_CountObjects(form));
  for (let i = 0; i < count; i++) {
    if (pdfium._FPDFPageObj_GetType(pdfium._FPDFFormObj_GetObject(form, i)) === IMAGE) return true;
  }
  return false;
}

function shown(line: PdfLine): PdfLine {
  return { ...line, isHidden: false };
}

const MAX_PAGE_LINKS = 1_000;
const MAX_URL_BYTES = 4_096;
const MAX_LINK_CHARS = 400;

function readLinks(handles: PageHandles): PdfPage['links'] {
  const { pdfium, document, page } = handles;
  const links: { url: string; text: string }[] = [];
  withMemory(pdfium, 8, (position) => {
    const numbers = () => new DataView(pdfium.HEAPU8.buffer, position, 8);
    numbers().setUint32(0, 0, true);
    for (let i = 0; i < MAX_PAGE_LINKS && pdfium._FPDFLink_Enumerate(page, position, position + 4) !== 0; i++) {
      const link = numbers().getUint32(4, true);
      const action = pdfium._FPDFLink_GetAction(link);
      const url = action === 0 ? '' : urlOf(pdfium, document, action);
      if (url !== '') links.push({ url, text: linkText(handles, link) });
    }
  });
  return links;
}

function urlOf(pdfium: PdfiumFunctions, document: number, action: number): string {
  return withMemory(pdfium, MAX_URL_BYTES, (position) => {
    const bytes = pdfium._FPDFAction_GetURIPath(document, action, position, MAX_URL_BYTES);
    if (bytes < 2 || bytes > MAX_URL_BYTES) return '';
    return Buffer.from(pdfium.HEAPU8.subarray(position, position + bytes - 1)).toString('utf8');
  });
}

function linkText({ pdfium, text, scratch }: PageHandles, link: number): string {
  if (pdfium._FPDFLink_GetAnnotRect(link, scratch) === 0) return '';
  const { left, top, right, bottom } = rectangleAt(pdfium, scratch);
  const found = readUtf16(pdfium, (position) => {
    const units = pdfium._FPDFText_GetBoundedText(text, left, top, right, bottom, position, MAX_LINK_CHARS);
    return Math.min(units, MAX_LINK_CHARS) * 2;
  });
  return found.replace(/\0.*$/s, '').replace(/\s+/g, ' ').trim();
}
