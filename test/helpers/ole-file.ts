const SECTOR = 512;
const END = 0xfffffffe;
const FREE = 0xffffffff;

export type OleEntry = {
  readonly name: string;
  readonly content?: Buffer;
  readonly left?: number;
  readonly right?: number;
  readonly child?: number;
};

/**
 * A compound file (MS-CFB). Entry 0 of its directory is the root, `entries` follow from 1 and are siblings in a row
 * unless they say otherwise. Contents of under 4,096 bytes lie in the mini stream; all together at most 6 MB.
 */
export function oleOf(entries: readonly OleEntry[]): Buffer {
  const sectors: Buffer[] = [];
  const table: number[] = [];
  const put = (bytes: Buffer): number => {
    if (bytes.length === 0) return END;
    const first = sectors.length;
    for (let at = 0; at < bytes.length; at += SECTOR) {
      const sector = Buffer.alloc(SECTOR);
      bytes.copy(sector, 0, at, at + SECTOR);
      sectors.push(sector);
      table.push(at + SECTOR < bytes.length ? sectors.length : END);
    }
    return first;
  };
  const mini: Buffer[] = [];
  const miniTable: number[] = [];
  const places = entries.map(({ content = Buffer.alloc(0) }) => {
    if (content.length === 0) return END;
    if (content.length >= 4_096) return put(content);
    const first = miniTable.length;
    for (let at = 0; at < content.length; at += 64) {
      const sector = Buffer.alloc(64);
      content.copy(sector, 0, at, at + 64);
      mini.push(sector);
      miniTable.push(at + 64 < content.length ? miniTable.length + 1 : END);
    }
    return first;
  });
  const miniStream = Buffer.concat(mini);
  const miniStart = put(miniStream);
  const miniNumbers = numbers(miniTable);
  const miniTableStart = put(miniNumbers);
  const rows = [
    row({ name: 'Root Entry', child: entries.length > 0 ? 1 : FREE }, 5, miniStart, miniStream.length),
    ...entries.map((entry, i) =>
      row({ right: i + 2 <= entries.length ? i + 2 : FREE, ...entry }, 2, places[i] ?? END, entry.content?.length ?? 0),
    ),
  ];
  const directoryStart = put(Buffer.concat(rows));
  const tableStart = sectors.length;
  const tableSectors = Math.ceil((table.length + 1) / (SECTOR / 4 - 1));
  for (let i = 0; i < tableSectors; i++) table.push(0xfffffffd);
  sectors.push(numbers(table));
  const header = Buffer.alloc(SECTOR);
  header.write('d0cf11e0a1b11ae1', 'hex');
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(tableSectors, 44);
  header.writeUInt32LE(directoryStart, 48);
  header.writeUInt32LE(4_096, 56);
  header.writeUInt32LE(miniTableStart, 60);
  header.writeUInt32LE(miniNumbers.length / SECTOR, 64);
  header.writeUInt32LE(END, 68);
  header.fill(0xff, 76);
  for (let i = 0; i < tableSectors; i++) header.writeUInt32LE(tableStart + i, 76 + i * 4);
  return Buffer.concat([header, ...sectors]);
}

/** A compound file of a root alone, whose table is one sector again and again, and whose chains all go round for ever. */
export function loopingOle(sectorCount: number): Buffer {
  const bytes = Buffer.alloc((sectorCount + 1) * SECTOR);
  oleOf([]).copy(bytes, 0, 0, 48);
  for (const [place, number] of [
    [48, 1],
    [56, 4_096],
    [60, END],
    [68, 2],
  ] as const)
    bytes.writeUInt32LE(number, place);
  for (let i = 0; i < 128; i++) bytes.writeUInt32LE(1, SECTOR + i * 4);
  row({ name: 'Root Entry' }, 5, END, 0).copy(bytes, 2 * SECTOR);
  for (let i = 2; i < sectorCount; i++) bytes.writeUInt32LE(i + 1, (i + 2) * SECTOR - 4);
  return bytes;
}

function numbers(list: readonly number[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(Math.max(1, list.length) / 128) * SECTOR, 0xff);
  for (const [i, number] of list.entries()) bytes.writeUInt32LE(number, i * 4);
  return bytes;
}

function row({ name, left = FREE, right = FREE, child = FREE }: OleEntry, type: number, start: number, size: number) {
  const bytes = Buffer.alloc(128);
  bytes.write(name, 0, 'utf16le');
  bytes.writeUInt16LE(name.length * 2 + 2, 64);
  bytes.writeUInt8(type, 66);
  bytes.writeUInt32LE(left, 68);
  bytes.writeUInt32LE(right, 72);
  bytes.writeUInt32LE(child, 76);
  bytes.writeUInt32LE(start, 116);
  bytes.writeUInt32LE(size, 120);
  return bytes;
}
