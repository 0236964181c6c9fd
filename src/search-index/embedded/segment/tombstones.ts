import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { bitWords, countBits, sharedBits } from '../bytes/bitset.ts';
import { INDEX_FORMAT_VERSION } from '../format-version.ts';
import { writeNewFile } from '../new-file.ts';
import { corrupt } from './segment-file.ts';

const MAGIC = 'FOSSKDEL';
const HEADER_BYTES = 64;
const CRC_AT = 28;

/** Live bits of a segment at one generation: bit 1 = live. */
export type LiveBits = { readonly uid: string; readonly documents: number; readonly bits: Uint32Array };

/** Writes a `.del` file; whole and synced when it resolves. */
export async function writeTombstones(path: string, { uid, documents, bits }: LiveBits): Promise<void> {
  const file = Buffer.alloc(HEADER_BYTES + bits.byteLength);
  file.write(MAGIC, 0, 'latin1');
  file.writeUInt32LE(INDEX_FORMAT_VERSION, 8);
  file.writeUInt32LE(documents, 12);
  file.writeUInt32LE(countBits(bits), 16);
  file.writeBigUInt64LE(BigInt(`0x${uid}`), 20);
  file.set(new Uint8Array(bits.buffer, bits.byteOffset, bits.byteLength), HEADER_BYTES);
  file.writeUInt32LE(crcOf(file), CRC_AT);
  await writeNewFile(path, (handle) => handle.writeFile(file));
}

/** Reads live bits into shared memory. @throws AppError `index.corrupt` when they are not those of the segment */
export async function readTombstones(path: string, uid: string, documents: number): Promise<Uint32Array> {
  const file = await readFile(path);
  const bits = sharedBits(bitWords(documents) * 32);
  const fits =
    file.length === HEADER_BYTES + bits.byteLength &&
    file.toString('latin1', 0, 8) === MAGIC &&
    file.readUInt32LE(12) === documents &&
    file.readBigUInt64LE(20) === BigInt(`0x${uid}`) &&
    file.readUInt32LE(CRC_AT) === crcOf(file);
  if (!fits) throw corrupt('tombstones');
  new Uint8Array(bits.buffer).set(file.subarray(HEADER_BYTES));
  return bits;
}

function crcOf(file: Buffer): number {
  return crc32(file.subarray(HEADER_BYTES), crc32(file.subarray(0, CRC_AT)));
}
