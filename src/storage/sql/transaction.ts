import type { SqliteDatabase } from './sqlite-database.ts';

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
