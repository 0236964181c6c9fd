import { engineSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

export const outlinkStatements = {
  of: statement<{ urlId: number }, { targets: Uint8Array }>((p) =>
    engineSql.selectFrom('outlinks').select('targets').where('url_id', '=', p.urlId),
  ),
};

/** Ids of the URLs that a page linked to when it was last read. O(links). */
export function linkedIds(db: SqliteDatabase, urlId: number): ReadonlySet<number> {
  const row = db.firstOf(outlinkStatements.of, { urlId });
  return new Set(row === undefined ? [] : unpackIds(row.targets));
}

/** Row ids as ascending, variable-length differences (7 bits a byte, lowest first); repeated ids once. */
export function packIds(ids: readonly number[]): Uint8Array {
  const sorted = new Float64Array(ids).sort();
  // A difference below 2^53 takes at most 8 bytes.
  const packed = new Uint8Array(sorted.length * 8);
  let size = 0;
  let last = -1;
  for (const id of sorted) {
    if (id === last) continue;
    let difference = id - Math.max(last, 0);
    last = id;
    while (difference > 127) {
      packed[size++] = (difference % 128) | 128;
      difference = Math.floor(difference / 128);
    }
    packed[size++] = difference;
  }
  return packed.slice(0, size);
}

export function unpackIds(packed: Uint8Array): readonly number[] {
  const ids: number[] = [];
  let last = 0;
  let difference = 0;
  let weight = 1;
  for (const byte of packed) {
    difference += (byte & 127) * weight;
    weight *= 128;
    if (byte > 127) continue;
    last += difference;
    ids.push(last);
    difference = 0;
    weight = 1;
  }
  return ids;
}

/** Whether packed ids hold one; stops behind it. */
export function hasPackedId(packed: Uint8Array, id: number): boolean {
  let last = 0;
  let difference = 0;
  let weight = 1;
  for (const byte of packed) {
    difference += (byte & 127) * weight;
    weight *= 128;
    if (byte > 127) continue;
    last += difference;
    if (last >= id) return last === id;
    difference = 0;
    weight = 1;
  }
  return false;
}
