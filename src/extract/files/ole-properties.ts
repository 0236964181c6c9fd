import type { FileProperties } from '../extraction.ts';
import { charsetOfPage } from './code-pages.ts';

const MAX_PROPERTIES = 200;
const MAX_TEXT_BYTES = 8_000;
const TEXT = 0x1e;
const WIDE_TEXT = 0x1f;
const SHORT = 2;
const LONG = 3;
const TIME = 0x40;
/** From 1601 to 1970. */
const EPOCH_SHIFT_MS = 11_644_473_600_000n;

/** Number of a property → value (MS-OLEPS). Damaged ones are left out. */
export function readPropertySet(bytes: Uint8Array | undefined): ReadonlyMap<number, string | number> {
  const values = new Map<number, string | number>();
  if (bytes === undefined || bytes.length < 48) return values;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = buffer.readUInt32LE(44);
  if (start + 8 > buffer.length) return values;
  const positions = placesOf(buffer, start);
  const page = Number(valueAt(buffer, positions.get(1), 'windows-1252') ?? 1252);
  const charset = charsetOfPage(page < 0 ? page + 0x10000 : page) ?? 'windows-1252';
  for (const [id, at] of positions) {
    const value = valueAt(buffer, at, charset);
    if (value !== undefined) values.set(id, value);
  }
  return values;
}

/** Of `\x05SummaryInformation`. */
export function summaryOf(bytes: Uint8Array | undefined): { properties: FileProperties; pages: number | undefined } {
  const values = readPropertySet(bytes);
  const text = (id: number) => {
    const value = values.get(id);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const pages = values.get(14);
  return {
    pages: typeof pages === 'number' && pages > 0 ? pages : undefined,
    properties: {
      title: text(2),
      subject: text(3),
      author: text(4),
      keywords: text(5),
      created: text(12),
      modified: text(13),
    },
  };
}

function placesOf(buffer: Buffer, start: number): ReadonlyMap<number, number> {
  const positions = new Map<number, number>();
  const count = Math.min(MAX_PROPERTIES, buffer.readUInt32LE(start + 4));
  for (let i = 0; i < count && start + 16 + i * 8 <= buffer.length; i++) {
    const at = start + 8 + i * 8;
    positions.set(buffer.readUInt32LE(at), start + buffer.readUInt32LE(at + 4));
  }
  return positions;
}

function valueAt(buffer: Buffer, at: number | undefined, charset: string): string | number | undefined {
  if (at === undefined || at + 8 > buffer.length) return undefined;
  const type = buffer.readUInt16LE(at);
  switch (type) {
    case SHORT:
      return buffer.readInt16LE(at + 4);
    case LONG:
      return buffer.readInt32LE(at + 4);
    case TEXT:
    case WIDE_TEXT: {
      const size = buffer.readUInt32LE(at + 4) * (type === TEXT ? 1 : 2);
      const bytes = buffer.subarray(at + 8, at + 8 + Math.min(size, MAX_TEXT_BYTES));
      return new TextDecoder(type === TEXT ? charset : 'utf-16le').decode(bytes).replace(/\0.*$/s, '');
    }
    case TIME:
      return at + 12 > buffer.length ? undefined : dateOf(buffer.readBigUInt64LE(at + 4));
    default:
      return undefined;
  }
}

/** Units of 100 ns since 1601; spans of time and times of before 1980 are no dates. */
function dateOf(time: bigint): string | undefined {
  const at = Number(time / 10_000n - EPOCH_SHIFT_MS);
  const isDate = at > Date.UTC(1980, 0, 1) && at < Date.UTC(2200, 0, 1);
  return isDate ? new Date(at).toISOString() : undefined;
}
