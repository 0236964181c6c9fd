import { randomBytes } from 'node:crypto';
import { AppError } from '../../core/errors.ts';
import type { StoreIdentity } from '../../core/store-identity.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { engineSql, statement } from './statement.ts';

const EPOCH_BYTES = 16;

/** Both kinds of store have one, given by their migrations. @throws AppError `internal` when it was taken out */
export function readIdentity(db: SqliteDatabase): StoreIdentity {
  const storeId = readMeta(db, 'store_id');
  const epoch = readMeta(db, 'epoch');
  if (storeId === undefined || epoch === undefined) {
    throw new AppError('internal', 'The store does not say which one it is: restore a backup');
  }
  return { storeId, epoch };
}

/** Write operation: what was made of the store before does not belong to it any more. */
export function startEpoch(db: SqliteDatabase): StoreIdentity {
  writeMeta(db, 'epoch', randomBytes(EPOCH_BYTES).toString('hex'));
  return readIdentity(db);
}

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
