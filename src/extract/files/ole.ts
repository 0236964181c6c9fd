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
