import type { SqliteDatabase } from './sqlite-database.ts';

/** A write that waits: one synchronous function over the store. */
export type PendingWrite = {
  readonly work: (db: SqliteDatabase) => unknown;
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
};

/**
 * Applies writes that waited together in one transaction with one fsync. Each is a savepoint, so a write that
 * fails leaves its neighbours alone. Nobody hears of success before the commit is on disk.
 */
export function commitGroup(db: SqliteDatabase, writes: readonly PendingWrite[]): void {
  const outcomes: (() => void)[] = [];
  try {
    db.execute('BEGIN IMMEDIATE');
    for (const write of writes) outcomes.push(applyOne(db, write));
    db.execute('COMMIT');
  } catch (error) {
    rollBack(db);
    for (const write of writes) write.failed(error);
    return;
  }
  for (const report of outcomes) report();
}

function applyOne(db: SqliteDatabase, write: PendingWrite): () => void {
  db.execute('SAVEPOINT write');
  try {
    const result = write.work(db);
    db.execute('RELEASE write');
    return () => write.done(result);
  } catch (error) {
    // A full disk may have ended the whole transaction: then this throws and the group fails as one.
    db.execute('ROLLBACK TO write');
    db.execute('RELEASE write');
    return () => write.failed(error);
  }
}

function rollBack(db: SqliteDatabase): void {
  try {
    db.execute('ROLLBACK');
  } catch {
    // SQLite has rolled back by itself (disk full, I/O error): there is no transaction to end.
  }
}
