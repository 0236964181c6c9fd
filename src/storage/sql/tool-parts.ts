import { systemSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** A term or pin of a tool: text of the term, or JSON of the pin. */
export type PartRow = { readonly id: number; readonly value: string };

export type PartTable = 'banner_terms' | 'ranking_terms' | 'ranking_pages' | 'quicklink_terms';

type WantedParts = {
  readonly parentId: number;
  /** In order. `wish` is kept when the parent has a part of that id; each id is given once. */
  readonly parts: readonly { readonly wantedId: number | undefined; readonly value: string }[];
};

/** Makes the parts of one tool exactly these, inside the caller's transaction. */
export function writeParts(db: SqliteDatabase, name: PartTable, { parentId, parts }: WantedParts): void {
  // The four tables have the same columns, so the builder is typed with one of them.
  const table = name as 'banner_terms';
  const owned = systemSql.selectFrom(table).select('id').where('parent_id', '=', parentId);
  const free = new Set(db.all(owned.compile()).map(({ id }) => id));
  for (const [position, { wantedId, value }] of parts.entries()) {
    if (wantedId !== undefined && free.delete(wantedId)) {
      db.run(systemSql.updateTable(table).set({ position, value }).where('id', '=', wantedId).compile());
    } else {
      db.run(systemSql.insertInto(table).values({ parent_id: parentId, position, value }).compile());
    }
  }
  for (const id of free) db.run(systemSql.deleteFrom(table).where('id', '=', id).compile());
}
