import { type FormatOptions, type NumberFormat, numberFormat } from './number-format.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';

/** More than cells are read, because later sheets may name later strings. */
const MAX_STRINGS = 1_000_000;
const MAX_FORMATS = 65_536;

/** Strings that cells name by number; of phonetic guides nothing. */
export function sharedStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  let current: string | undefined;
  let isText = false;
  let phonetic = 0;
  scanXml(xml, {
    isDone: () => strings.length >= MAX_STRINGS,
    open: (name) => {
      const local = localName(name);
      if (local === 'si') current = '';
      if (local === 'rPh') phonetic++;
      isText = local === 't' && phonetic === 0;
    },
    text: (text) => {
      if (isText && current !== undefined) current += text;
    },
    close: (name) => {
      const local = localName(name);
      isText = false;
      if (local === 'rPh') phonetic = Math.max(0, phonetic - 1);
      if (local !== 'si') return;
      strings.push(decodeEscapes(current ?? ''));
      current = undefined;
    },
  });
  return strings;
}

/** `_x000D_` is a character that XML cannot hold. */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Formats of cells by the number of their style; one for every style that is not listed. */
export function cellFormats(xml: string, options: FormatOptions): (style: number) => NumberFormat {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let inCells = false;
  scanXml(xml, {
    isDone: () => ids.length >= MAX_FORMATS,
    open: (name, attributes) => {
      const local = localName(name);
      if (local === 'cellXfs') inCells = true;
      const id = Number(attributeOf(attributes, 'numFmtId') ?? 0);
      if (local === 'numFmt') codes.set(id, attributeOf(attributes, 'formatCode') ?? '');
      if (local === 'xf' && inCells) ids.push(id);
    },
    close: (name) => {
      if (localName(name) === 'cellXfs') inCells = false;
    },
  });
  return formatsOf(ids, codes, options);
}

/** Formats by style, from the numbers of their formats and the codes that the file spells out. */
export function formatsOf(
  ids: readonly number[],
  codes: ReadonlyMap<number, string>,
  options: FormatOptions,
): (style: number) => NumberFormat {
  const formats = new Map<number, NumberFormat>();
  return (style) => {
    const id = ids[style] ?? 0;
    const format = formats.get(id) ?? numberFormat(id, codes.get(id), options);
    formats.set(id, format);
    return format;
  };
}
