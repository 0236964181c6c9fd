import type { SqliteDatabase } from './sqlite-database.ts';

/** A write that waits: one synchronous function over the store. */
export type PendingWrite = {
  readonly work: (db: SqliteDatabase) => unknown;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
};

/**
 * Applies writes that waited together in one transaction with one fsync. Each is a savepoint, so a write that
 * fails leaves its neighbours alone; one whose failure ended the transaction (disk full) fails them all with its
 * error. A write without neighbours is the transaction: a savepoint copies each page that it changes into a file.
 * Nobody hears of success before the commit is on disk.
 */
export function commitGroup(db: SqliteDatabase, writes: readonly PendingWrite[]): void {
  let outcomes: readonly (() => void)[];
  const apply = writes.length === 1 ? applyAlone : applyOne;
  try {
    outcomes = inTransaction(db, () => writes.map((write) => apply(db, write)));
  } catch (error) {
    outcomes = writes.map((write) => () => write.failed(error));
  }
  for (const report of outcomes) report();
}

function applyAlone(db: SqliteDatabase, write: PendingWrite): () => void {
  const result = write.work(db);
  return () => write.done(result);
}

function applyOne(db: SqliteDatabase, write: PendingWrite): () => void {
  db.execute('SAVEPOINT write');
  try {
    const result = write.work(db);
    db.execute('RELEASE write');
    return () => write.done(result);
  } catch (error) {
    if (!db.isInTransaction()) throw error;
    db.execute('ROLLBACK TO write');
    db.execute('RELEASE write');
    return () => write.failed(error);
  }
}

/**
 * Runs the work in one transaction that holds the write lock from its start; a throw undoes it. SQLite may have ended
 * the transaction by itself (disk full, I/O error), so an error never hides behind a ROLLBACK that has nothing to end.
 */
export function inTransaction<T>(db: SqliteDatabase, work: () => T): T {
  db.execute('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.execute('COMMIT');
    return result;
  } catch (error) {
    if (db.isInTransaction()) db.execute('ROLLBACK');
    throw error;
  }
}
