import { summary } from './office-files.ts';
import { oleOf } from './ole-file.ts';

/** A record of a workbook of before 2007, and those that continue it. */
export function biff(type: number, content: Buffer | readonly number[], ...more: readonly Buffer[]): Buffer {
  const one = (kind: number, bytes: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(kind, 0);
    head.writeUInt16LE(bytes.length, 2);
    return Buffer.concat([head, bytes]);
  };
  return Buffer.concat([one(type, Buffer.from(content)), ...more.map((bytes) => one(0x3c, bytes))]);
}

export const u16 = (...values: readonly number[]) => Buffer.concat(values.map((value) => numberOf(value, 2)));
export const u32 = (...values: readonly number[]) => Buffer.concat(values.map((value) => numberOf(value, 4)));
const numberOf = (value: number, size: number) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntLE(value, 0, size);
  return bytes;
};
const float = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};
const EOF = biff(0x0a, []);

/** Characters of a string with the flag of their width before them. */
export function chars(text: string): Buffer {
  const isWide = /[^\0-\xff]/.test(text);
  return Buffer.concat([Buffer.of(isWide ? 1 : 0), Buffer.from(text, isWide ? 'utf16le' : 'latin1')]);
}
export const longText = (text: string) => Buffer.concat([u16(text.length), chars(text)]);

/** Cells of a sheet by their places, which count from 0; `style` is the number of an XF record. */
export const cells = {
  shared: (row: number, column: number, index: number) => biff(0xfd, Buffer.concat([u16(row, column, 0), u32(index)])),
  label: (row: number, column: number, text: string) =>
    biff(0x204, Buffer.concat([u16(row, column, 0), longText(text)])),
  bytes: (row: number, column: number, bytes: Buffer) =>
    biff(0x204, Buffer.concat([u16(row, column, 0, bytes.length), bytes])),
  number: (row: number, column: number, value: number, style = 0) =>
    biff(0x203, Buffer.concat([u16(row, column, style), float(value)])),
  compact: (row: number, column: number, bits: number, style = 0) =>
    biff(0x27e, Buffer.concat([u16(row, column, style), u32(bits)])),
  compacts: (row: number, column: number, bits: readonly number[]) =>
    biff(
      0xbd,
      Buffer.concat([
        u16(row, column),
        ...bits.map((each) => Buffer.concat([u16(0), u32(each)])),
        u16(column + bits.length - 1),
      ]),
    ),
  truth: (row: number, column: number, value: number, isFault = 0) =>
    biff(0x205, Buffer.concat([u16(row, column, 0), Buffer.of(value, isFault)])),
  /** The last result is a number, or 8 bytes that say what it is. */
  formula: (row: number, column: number, result: number | readonly number[], text?: string) =>
    Buffer.concat([
      biff(
        6,
        Buffer.concat([
          u16(row, column, 0),
          typeof result === 'number' ? float(result) : Buffer.from(result),
          Buffer.alloc(8),
        ]),
      ),
      ...(text === undefined ? [] : [biff(0x207, longText(text))]),
    ]),
};

/** An object of a sheet with text: kind 6 is a text box, 7 a button, 0x19 a remark. */
export function textObject(kind: number, text: string): Buffer {
  const size = Buffer.alloc(18);
  size.writeUInt16LE(text.length, 10);
  return Buffer.concat([
    biff(0x5d, u16(0x15, 0x12, kind, 1, 0, 0, 0, 0, 0, 0, 0)),
    biff(0x1b6, size, chars(text), Buffer.alloc(16)),
  ]);
}

export function link(row: number, column: number, url: string): Buffer {
  const address = Buffer.from(`${url}\0`, 'utf16le');
  const moniker = Buffer.from('e0c9ea79f9bace118c8200aa004ba90b', 'hex');
  return biff(
    0x1b8,
    Buffer.concat([u16(row, row, column, column), Buffer.alloc(16), u32(2, 3), moniker, u32(address.length), address]),
  );
}

export type LegacySheet = {
  readonly name: string;
  readonly records: readonly Buffer[];
  /** 1 is hidden, 2 is very hidden. */
  readonly state?: number;
  /** 0 holds cells, 1 macros, 2 a chart. */
  readonly kind?: number;
};

export type LegacyWorkbook = {
  /** Records before the sheets: strings, formats, styles. */
  readonly globals?: readonly Buffer[];
  /** 8 is Excel 97, 5 is Excel 5 and 95. */
  readonly version?: 8 | 5;
  readonly stream?: string;
  /** Where every sheet is said to be, in place of where it is. */
  readonly at?: number;
};

/** A workbook of before 2007 by the records that a reader of text asks for, too few for Excel. */
export function xlsOf(
  sheets: readonly LegacySheet[],
  { globals = [], version = 8, stream = 'Workbook', at }: LegacyWorkbook = {},
): Buffer {
  const start = (kind: number) => biff(0x809, u16(version === 8 ? 0x600 : 0x500, kind, 0, 0));
  const bodies = sheets.map(({ records }) => Buffer.concat([start(0x10), ...records, EOF]));
  const namesAt = (places: readonly number[]) =>
    sheets.map(({ name, state = 0, kind = 0 }, i) => {
      const text = version === 8 ? chars(name) : Buffer.from(name, 'latin1');
      return biff(0x85, Buffer.concat([u32(places[i] ?? 0), Buffer.of(state, kind, name.length), text]));
    });
  const headOf = (places: readonly number[]) => Buffer.concat([start(5), ...globals, ...namesAt(places), EOF]);
  const places: number[] = [];
  let place = headOf([]).length;
  for (const body of bodies) {
    places.push(at ?? place);
    place += body.length;
  }
  return oleOf([
    { name: stream, content: Buffer.concat([headOf(places), ...bodies]) },
    { name: '\u0005SummaryInformation', content: summary() },
  ]);
}

/** The shared strings, as one record with those that continue it. */
export function sharedStrings(count: number, ...parts: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0), ...more] = parts;
  return biff(0xfc, Buffer.concat([u32(count, count), first]), ...more);
}

export const style = (format: number) => biff(0xe0, u16(0, format, 0));
export const format = (id: number, code: string) => biff(0x41e, Buffer.concat([u16(id), longText(code)]));
