import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { AppError } from '../../core/errors.ts';
import { engineSql } from '../sql/statement.ts';
import { damagedStore, type SqliteDatabase } from './sqlite-database.ts';

/** Up to here the write thread checks a store when it opens it: some 50 ms. Larger ones are checked on another thread. */
export const CHECKED_INLINE_BYTES = 2 ** 24;
/** Up to here a store is used only after its check, some 3 s; a larger one is checked while it is used. */
const WAIT_UP_TO_BYTES = 2 ** 30;

const quickCheck = sql<{ quick_check: string }>`PRAGMA quick_check(1)`.compile(engineSql);

/** Whether the structure of a store is whole; reads the file from one end to the other. @throws AppError `storage.damaged` */
export function requireWhole(db: SqliteDatabase, path: string): void {
  const found = db.first(quickCheck)?.quick_check ?? 'no answer';
  if (found !== 'ok') throw damagedStore(path, found);
}

/**
 * The same for a store that is too large for the write thread; resolves at once for a smaller one. That of a store
 * above 1 GiB goes on as `rest`.
 *
 * @throws AppError `storage.damaged`
 */
export async function checkLargeStore(path: string): Promise<{ readonly rest: Promise<void> }> {
  const bytes = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  const checking = bytes <= CHECKED_INLINE_BYTES ? Promise.resolve() : runCheckThread(path);
  if (bytes > WAIT_UP_TO_BYTES) return { rest: checking };
  await checking;
  return { rest: Promise.resolve() };
}

function runCheckThread(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./check-store-thread.ts', import.meta.url), { workerData: path });
    thread.once('message', (why: string | null) => (why === null ? resolve() : reject(damagedStore(path, why))));
    thread.once('error', reject);
    thread.once('exit', () => reject(new AppError('internal', 'The check of a store ended early')));
  });
}
