import type { DamagedDocuments } from '../document-store.ts';
import { engineSql } from './dialects.ts';
import { type DocumentRow, isDamaged } from './document-rows.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

/** Rows that are remembered: a store with more is to be restored. */
const MAX_NOTED = 1_000;
const FIRST = 10;

const note = statement<{ rid: number }>(({ rid }) =>
  engineSql
    .insertInto('damaged_documents')
    .values({ rid })
    .onConflict((conflict) => conflict.doNothing()),
);
const forget = statement<{ rid: number }>(({ rid }) =>
  engineSql.deleteFrom('damaged_documents').where('rid', '=', rid).$castTo<never>(),
);
const noted = statement<{ limit: number }, { rid: number }>(({ limit }) =>
  engineSql.selectFrom('damaged_documents').select('rid').orderBy('rid').limit(limit),
);
const rowOf = statement<{ rid: number }, DocumentRow>(({ rid }) =>
  engineSql.selectFrom('documents').selectAll().where('rid', '=', rid).where('deleted', '=', 0).$castTo<DocumentRow>(),
);

/** Write operation: remembers a damaged row, and forgets those that are whole again or gone. */
export function noteDamaged(db: SqliteDatabase, { rid }: { readonly rid: number }): void {
  const all = db.allOf(noted, { limit: MAX_NOTED });
  const damaged = new Set(damagedRows(db).map((row) => row.rid));
  for (const known of all) if (!damaged.has(known.rid)) db.runOf(forget, { rid: known.rid });
  if (damaged.size < MAX_NOTED) db.runOf(note, { rid });
}

export function damagedDocuments(db: SqliteDatabase): DamagedDocuments {
  const rows = damagedRows(db);
  const first = rows.slice(0, FIRST).map(({ rid, crawler_id: crawlerId, id }) => ({ rid, crawlerId, id }));
  return { count: rows.length, first };
}

/** Of those that are remembered; a row that was written again since is whole. */
function damagedRows(db: SqliteDatabase): readonly DocumentRow[] {
  return db.allOf(noted, { limit: MAX_NOTED }).flatMap(({ rid }) => {
    const row = db.firstOf(rowOf, { rid });
    return row !== undefined && isDamaged(row) ? [row] : [];
  });
}
