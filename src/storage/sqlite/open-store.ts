import { AppError } from '../../core/errors.ts';
import { requirePresentVersion } from './migrate-with-copy.ts';
import { openForReading, type SqliteDatabase } from './sqlite-database.ts';
import { type StoreTarget, storePath } from './write-messages.ts';
import type { WriteThread } from './write-thread.ts';

/**
 * The reading connection of a store, which is made and migrated first. One that cannot be written now, because the disk
 * is full or read-only, is read all the same; each write tries again, and works as soon as the disk takes it.
 * @throws AppError `storage.full` when it cannot be written and is not there, or is of an older version
 */
export async function openStoreFile(
  { dataDir, writeThread }: { readonly dataDir: string; readonly writeThread: WriteThread },
  target: StoreTarget,
  onDamage?: (error: AppError) => void,
): Promise<SqliteDatabase> {
  const path = storePath(dataDir, target);
  let refusal: unknown;
  await writeThread.open(target).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'storage.full') throw error;
    refusal = error;
  });
  const read = openForReading(path, onDamage);
  if (refusal === undefined) return read;
  try {
    requirePresentVersion(read, target.kind);
    return read;
  } catch {
    read.close();
    throw refusal;
  }
}
