import { engineSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** The value stored under a name of `meta`. Both kinds of store have that table. */
export function readMeta(db: SqliteDatabase, name: string): string | undefined {
  return db.first(engineSql.selectFrom('meta').select('value').where('name', '=', name).compile())?.value;
}

export function writeMeta(db: SqliteDatabase, name: string, value: string): void {
  const row = engineSql.insertInto('meta').values({ name, value });
  db.run(row.onConflict((conflict) => conflict.column('name').doUpdateSet({ value })).compile());
}

/** Write operation: keeps the first value that anybody gave. */
export function rememberOnce(db: SqliteDatabase, { name, value }: { name: string; value: string }): string {
  const known = readMeta(db, name);
  if (known !== undefined) return known;
  writeMeta(db, name, value);
  return value;
}
