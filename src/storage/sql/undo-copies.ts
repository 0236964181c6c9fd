import { deserialize, serialize } from 'node:v8';
import { type DocumentRow, isDamaged, rowHash } from './document-rows.ts';
import { type DocumentKey, findKnown, findRow, removeRow, save, startNumbering } from './documents.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/**
 * Inside a write: deletes a live document; its row as bytes that `putBack` understands. A damaged one is not worth
 * keeping: its bytes are empty. Undefined when there is none.
 */
export function takeAway(db: SqliteDatabase, key: DocumentKey, at: number): Uint8Array | undefined {
  const row = db.firstOf(findRow, key);
  const known = db.firstOf(findKnown, key);
  if (row === undefined || known === undefined) return undefined;
  const numbering = startNumbering(db);
  removeRow(db, { key, known, seq: numbering.next(), at });
  numbering.end();
  return isDamaged(row) ? new Uint8Array(0) : serialize(row);
}

/** Inside a write: a kept document comes back as it was, under a new `seq`. False when a newer one is there. */
export function putBack(db: SqliteDatabase, kept: Uint8Array): boolean {
  if (kept.length === 0) return false;
  const row = deserialize(kept) as DocumentRow;
  const key = { crawlerId: row.crawler_id, id: row.id };
  if (isDamaged(row) || db.firstOf(findRow, key) !== undefined) return false;
  const numbering = startNumbering(db);
  const seq = numbering.next();
  db.runOf(save, { ...row, seq, write_seq: seq, row_hash: rowHash({ ...row, seq }), deleted: 0 });
  numbering.end();
  return true;
}
