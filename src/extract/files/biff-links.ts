/** An address that a cell leads to; places count from 0. */
export type BiffLink = { readonly row: number; readonly column: number; readonly url: string };

/** Parts of the object of a link (MS-OSHARED 2.3.7.1). */
const HAS_MONIKER = 0x01;
const HAS_NAME = 0x10;
const HAS_FRAME = 0x80;
const IS_TEXT = 0x100;
const URL_MONIKER = 'e0c9ea79f9bace118c8200aa004ba90b';
const OBJECT_AT = 24;
const MAX_URL_BYTES = 8_192;

/** The address of a HLINK record (MS-XLS 2.4.140); undefined when it leads to a file or a place of the workbook. */
export function linkOf(data: Buffer): BiffLink | undefined {
  if (data.length < OBJECT_AT + 8) return undefined;
  const flags = data.readUInt32LE(OBJECT_AT + 4);
  let at = OBJECT_AT + 8;
  for (const part of [HAS_NAME, HAS_FRAME]) {
    if ((flags & part) === 0) continue;
    if (at + 4 > data.length) return undefined;
    at += 4 + data.readUInt32LE(at) * 2;
  }
  if ((flags & HAS_MONIKER) === 0) return undefined;
  const isText = (flags & IS_TEXT) !== 0;
  if (!isText && data.toString('hex', at, at + 16) !== URL_MONIKER) return undefined;
  const start = at + (isText ? 4 : 20);
  if (start > data.length) return undefined;
  const bytes = data.readUInt32LE(start - 4) * (isText ? 2 : 1);
  const url = data.toString('utf16le', start, start + Math.min(bytes, MAX_URL_BYTES)).replace(/\0.*$/s, '');
  return /^[a-z][a-z0-9+.-]+:/i.test(url)
    ? { row: data.readUInt16LE(0), column: data.readUInt16LE(4), url }
    : undefined;
}
