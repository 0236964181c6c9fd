import { hash } from 'node:crypto';
import { z } from 'zod';
import type { MovedColumn, MovedRow, MovedValue } from './store-tables.ts';

const TABLE_DIGEST = z.object({ rows: z.int(), hash: z.string(), withHidden: z.boolean() });

/** Count of the rows of a table, and what their values come to; `withHidden`: with the column that SQLite hides. */
export type TableDigest = z.infer<typeof TABLE_DIGEST>;

/** By name of table. */
export type StoreDigest = Readonly<Record<string, TableDigest>>;

export const STORE_DIGEST: z.ZodType<StoreDigest> = z.record(z.string(), TABLE_DIGEST);

export type DigestOfTable = {
  add(rows: readonly MovedRow[]): void;
  result(): TableDigest;
};

const HASH_BITS = 128;
const HEX_CHARS = HASH_BITS / 4;

/**
 * The sum of the hashes of all rows, modulo 2^128: the same for the same rows in whatever order, and whatever database
 * gives them. Some 3 µs a row of ten columns.
 */
export function digestOfTable(columns: readonly MovedColumn[]): DigestOfTable {
  const writer = createRowWriter();
  const withHidden = columns.some(({ name }) => name === 'rowid');
  let sum = 0n;
  let count = 0;
  return {
    add: (rows) => {
      for (const row of rows) {
        const digest = hash('sha256', writer.write(columns, row), 'hex');
        sum = BigInt.asUintN(HASH_BITS, sum + BigInt(`0x${digest.slice(0, HEX_CHARS)}`));
        count++;
      }
    },
    result: () => ({ rows: count, hash: sum.toString(16).padStart(HEX_CHARS, '0'), withHidden }),
  };
}

const FIRST_BYTES = 64 * 1024;
const NUMBER_BYTES = 8;
const LENGTH_BYTES = 4;
/** Of one UTF-16 unit in UTF-8. */
const MOST_UTF8_BYTES = 3;
const NULL = 0;
const PRESENT = 1;

/** Bytes of a row that no other row has: a mark, then numbers of a fixed width, or a length and what it counts. */
function createRowWriter() {
  let bytes = Buffer.allocUnsafe(FIRST_BYTES);
  let used = 0;

  const reserve = (more: number) => {
    if (used + more <= bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, used + more));
    bytes.copy(larger, 0, 0, used);
    bytes = larger;
  };
  const writeText = (text: string) => {
    reserve(LENGTH_BYTES + text.length * MOST_UTF8_BYTES);
    const length = bytes.write(text, used + LENGTH_BYTES);
    bytes.writeUInt32LE(length, used);
    used += LENGTH_BYTES + length;
  };
  const writeBytes = (value: Uint8Array) => {
    reserve(LENGTH_BYTES + value.length);
    bytes.writeUInt32LE(value.length, used);
    bytes.set(value, used + LENGTH_BYTES);
    used += LENGTH_BYTES + value.length;
  };
  const writeNumber = (type: MovedColumn['type'], value: number | bigint) => {
    reserve(NUMBER_BYTES);
    // SQLite knows no minus zero.
    if (type === 'real') bytes.writeDoubleLE(Number(value) + 0, used);
    else bytes.writeBigInt64LE(BigInt(value), used);
    used += NUMBER_BYTES;
  };
  const writeValue = (type: MovedColumn['type'], value: MovedValue) => {
    reserve(1);
    bytes[used++] = value === null ? NULL : PRESENT;
    if (value === null) return;
    if (typeof value === 'string') writeText(value);
    else if (value instanceof Uint8Array) writeBytes(value);
    else writeNumber(type, value);
  };
  return {
    write: (columns: readonly MovedColumn[], row: MovedRow): Uint8Array => {
      used = 0;
      for (const [at, { type }] of columns.entries()) writeValue(type, row[at] ?? null);
      return bytes.subarray(0, used);
    },
  };
}
