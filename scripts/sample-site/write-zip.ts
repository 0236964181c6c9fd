import { crc32 } from 'node:zlib';

/** 1 January 1980 in the date format of ZIP: the same content always gives the same bytes. */
const DATE = 0x21;

/** Names are UTF-8. */
const FLAGS = 0x0800;

/**
 * A ZIP archive of stored entries. Not compressed: compressed bytes differ between versions of zlib, and the committed
 * files are compared byte for byte. Layout: PKWARE APPNOTE 4.3.7, 4.3.12, 4.3.16.
 */
export function writeZip(files: Readonly<Record<string, string>>): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const local = Buffer.concat([u32(0x04034b50), u16(20), describe(name, data), u16(0), Buffer.from(name)]);
    const central = [u32(0x02014b50), u16(20), u16(20), describe(name, data), u16(0), u16(0), u16(0), u16(0), u32(0)];
    directory.push(...central, u32(offset), Buffer.from(name));
    parts.push(local, data);
    offset += local.length + data.length;
  }
  const list = Buffer.concat(directory);
  const count = u16(Object.keys(files).length);
  const end = [u32(0x06054b50), u16(0), u16(0), count, count, u32(list.length), u32(offset), u16(0)];
  return Buffer.concat([...parts, list, ...end]);
}

/** Flags, method 0 (stored), time, date, checksum, both sizes, length of the name. */
function describe(name: string, data: Buffer): Buffer {
  const size = u32(data.length);
  return Buffer.concat([
    u16(FLAGS),
    u16(0),
    u16(0),
    u16(DATE),
    u32(crc32(data)),
    size,
    size,
    u16(Buffer.byteLength(name)),
  ]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}
