import { engineSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

const find = statement<{ name: string }, { value: string }>(({ name }) =>
  engineSql.selectFrom('meta').select('value').where('name', '=', name),
);
const put = statement<{ name: string; value: string }>(({ name, value }) =>
  engineSql
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value })),
);

/** The value stored under a name of `meta`. Both kinds of store have that table. */
export function readMeta(db: SqliteDatabase, name: string): string | undefined {
  return db.firstOf(find, { name })?.value;
}

export function writeMeta(db: SqliteDatabase, name: string, value: string): void {
  db.runOf(put, { name, value });
}

/** Write operation: keeps the first value that anybody gave. */
export function rememberOnce(db: SqliteDatabase, { name, value }: { name: string; value: string }): string {
  const known = readMeta(db, name);
  if (known !== undefined) return known;
  writeMeta(db, name, value);
  return value;
}
