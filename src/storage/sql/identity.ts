import { randomBytes } from 'node:crypto';
import { AppError } from '../../core/errors.ts';
import type { StoreIdentity } from '../../core/store-identity.ts';
import { readMeta, writeMeta } from './meta.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

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
