import type { FileProperties } from '../../extraction.ts';
import { charsetOfPage } from './code-pages.ts';

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const DIFAT_IN_HEADER = 109;
const MAX_NAME_BYTES = 64;
/** Of a number of a sector in a table. */
const NUMBER_BYTES = 4;
const NONE = 0xffffffff;
/** Chains end, and sectors are free, from this number on. */
const LAST_SECTOR = 0xfffffffa;
const MAX_ENTRIES = 10_000;
const STREAM = 2;
const ROOT = 5;

export type OleFile = {
  /** Names of the streams and storages that lie in the root, not in other storages. */
  readonly names: ReadonlySet<string>;
  /** A stream of the root; undefined when there is none, or it is damaged. */
  readonly streamOf: (name: string) => Uint8Array | undefined;
};

type Entry = {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly bytes: number;
};

type Layout = {
  readonly buffer: Buffer;
  readonly sectorBytes: number;
  readonly miniBytes: number;
  /** Streams that are shorter lie in the mini stream. */
  readonly miniBelow: number;
  readonly table: readonly number[];
  readonly miniTable: readonly number[];
  readonly entries: readonly Entry[];
};

/** Opens a compound file (MS-CFB); undefined when its header or directory is damaged. O(bytes) at most, no recursion. */
export function openOle(bytes: Uint8Array): OleFile | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const layout = readLayout(buffer);
  const root = layout?.entries[0];
  if (layout === undefined || root?.type !== ROOT) return undefined;
  const children = childrenOf(layout.entries, root);
  return {
    names: new Set(children.keys()),
    streamOf: (name) => {
      const entry = children.get(name);
      return entry?.type === STREAM ? readStream(layout, root, entry) : undefined;
    },
  };
}

function readLayout(buffer: Buffer): Layout | undefined {
  if (buffer.length < HEADER_BYTES || buffer.toString('hex', 0, 8) !== 'd0cf11e0a1b11ae1') return undefined;
  const sectorShift = buffer.readUInt16LE(30);
  const miniShift = buffer.readUInt16LE(32);
  if ((sectorShift !== 9 && sectorShift !== 12) || miniShift !== 6) return undefined;
  const sectorBytes = 1 << sectorShift;
  const table = numbersOf(buffer, tableSectors(buffer, sectorBytes), sectorBytes);
  const miniBytes = 1 << miniShift;
  const chain = (start: number, bytes: number) => chainOf(table, start, Math.ceil(bytes / sectorBytes));
  const directory = chain(buffer.readUInt32LE(48), MAX_ENTRIES * ENTRY_BYTES);
  const miniTable = chain(buffer.readUInt32LE(60), (buffer.length / miniBytes) * NUMBER_BYTES);
  return {
    buffer,
    sectorBytes,
    miniBytes,
    miniBelow: buffer.readUInt32LE(56),
    table,
    miniTable: numbersOf(buffer, miniTable, sectorBytes),
    entries: entriesOf(sectorsOf(buffer, directory, sectorBytes)),
  };
}

/**
 * Sectors that hold the allocation table, no more than tell of every sector of the file: 109 stand in the header, the
 * rest in a chain of their own.
 */
function tableSectors(buffer: Buffer, sectorBytes: number): readonly number[] {
  const most = Math.ceil((buffer.length / sectorBytes) * (NUMBER_BYTES / sectorBytes));
  const sectors: number[] = [];
  const add = (number: number) => {
    if (number < LAST_SECTOR && sectors.length < most) sectors.push(number);
  };
  for (let i = 0; i < DIFAT_IN_HEADER; i++) add(buffer.readUInt32LE(76 + i * 4));
  let next = buffer.readUInt32LE(68);
  for (let steps = 0; next < LAST_SECTOR && steps < most && sectors.length < most; steps++) {
    const numbers = numbersOf(buffer, [next], sectorBytes);
    for (const number of numbers.slice(0, -1)) add(number);
    next = numbers.at(-1) ?? NONE;
  }
  return sectors;
}

/** Numbers of the first sectors of a chain, as many as are asked for: a cycle ends there. */
function chainOf(table: readonly number[], start: number, most: number): readonly number[] {
  const chain: number[] = [];
  for (let at = start; at < LAST_SECTOR && chain.length < most; at = table[at] ?? NONE) chain.push(at);
  return chain;
}

function sectorsOf(buffer: Buffer, sectors: readonly number[], sectorBytes: number): Buffer {
  return Buffer.concat(
    sectors.map((number) => buffer.subarray((number + 1) * sectorBytes, (number + 2) * sectorBytes)),
  );
}

function numbersOf(buffer: Buffer, sectors: readonly number[], sectorBytes: number): readonly number[] {
  const bytes = sectorsOf(buffer, sectors, sectorBytes);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readUInt32LE(i * 4));
}

function entriesOf(directory: Buffer): readonly Entry[] {
  const count = Math.min(MAX_ENTRIES, Math.floor(directory.length / ENTRY_BYTES));
  return Array.from({ length: count }, (_, i) => {
    const at = i * ENTRY_BYTES;
    const nameBytes = Math.min(MAX_NAME_BYTES, directory.readUInt16LE(at + 64));
    return {
      name: directory.toString('utf16le', at, at + Math.max(0, nameBytes - 2)),
      type: directory.readUInt8(at + 66),
      left: directory.readUInt32LE(at + 68),
      right: directory.readUInt32LE(at + 72),
      child: directory.readUInt32LE(at + 76),
      start: directory.readUInt32LE(at + 116),
      bytes: directory.readUInt32LE(at + 120),
    };
  });
}

/** The entries of a storage are a tree of siblings below its child; each is visited once. */
function childrenOf(entries: readonly Entry[], storage: Entry): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  const seen = new Set<number>();
  const open = [storage.child];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    const entry = entries[index];
    if (entry === undefined || seen.has(index)) continue;
    seen.add(index);
    found.set(entry.name, entry);
    open.push(entry.left, entry.right);
  }
  return found;
}

function readStream(layout: Layout, root: Entry, { start, bytes }: Entry): Uint8Array | undefined {
  const { buffer, table, sectorBytes, miniBytes, miniTable, miniBelow } = layout;
  if (bytes > buffer.length) return undefined;
  const read = (from: number, size: number) =>
    sectorsOf(buffer, chainOf(table, from, Math.ceil(size / sectorBytes)), sectorBytes);
  const content =
    bytes >= miniBelow
      ? read(start, bytes)
      : miniSectors(
          read(root.start, buffer.length),
          chainOf(miniTable, start, Math.ceil(bytes / miniBytes)),
          miniBytes,
        );
  return content.length < bytes ? undefined : content.subarray(0, bytes);
}

function miniSectors(stream: Buffer, sectors: readonly number[], miniBytes: number): Buffer {
  return Buffer.concat(sectors.map((number) => stream.subarray(number * miniBytes, (number + 1) * miniBytes)));
}

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
