import {
  BACKUP_STARTERS,
  BACKUP_STATES,
  type BackupEnd,
  type BackupRecord,
  type BackupStarter,
  type BackupStore,
} from '../../installation-store.ts';
import type { SqliteDatabase } from '../sqlite-database.ts';
import { systemSql } from '../statement.ts';
import type { SystemConnection } from '../write-thread.ts';

const RETAINED_RECORDS = 200;

/** Write operation. */
export function askBackup(
  db: SqliteDatabase,
  input: { readonly startedBy: BackupStarter; readonly at: number },
): number {
  const waiting = systemSql.selectFrom('backups').select('id').where('state', '=', 'waiting').compile();
  // A command has written its backup already.
  const known = input.startedBy === 'command' ? undefined : db.first(waiting);
  if (known !== undefined) return known.id;
  const row = { state: 'waiting', started_by: input.startedBy, asked_at: input.at };
  const { lastId } = db.run(systemSql.insertInto('backups').values(row).compile());
  db.run(
    systemSql
      .deleteFrom('backups')
      .where('id', '<=', lastId - RETAINED_RECORDS)
      .compile(),
  );
  return lastId;
}

/** Write operation. */
export function startBackup(db: SqliteDatabase, { id, file }: { readonly id: number; readonly file: string }): void {
  db.run(systemSql.updateTable('backups').set({ state: 'running', file }).where('id', '=', id).compile());
}

/** Write operation. */
export function endBackup(db: SqliteDatabase, end: BackupEnd): void {
  const outcome = 'bytes' in end ? { state: 'done', bytes: end.bytes } : { state: 'failed', problem: end.problem };
  db.run(
    systemSql
      .updateTable('backups')
      .set({ ...outcome, ended_at: end.at })
      .where('id', '=', end.id)
      .compile(),
  );
}

/** Write operation. */
export function forgetBackup(db: SqliteDatabase, { id }: { readonly id: number }): void {
  db.run(systemSql.deleteFrom('backups').where('id', '=', id).compile());
}

export function backupStore({ read, write }: SystemConnection): BackupStore {
  return {
    askBackup: (startedBy, at) => write('askBackup', { startedBy, at }),
    startBackup: (id, file) => write('startBackup', { id, file }),
    endBackup: (end) => write('endBackup', end),
    forgetBackup: (id) => write('forgetBackup', { id }),
    listBackups: async () => {
      const rows = read.all(systemSql.selectFrom('backups').selectAll().orderBy('id', 'desc').compile());
      return rows.map(
        (row): BackupRecord => ({
          id: row.id,
          state: BACKUP_STATES.find((state) => state === row.state) ?? 'failed',
          startedBy: BACKUP_STARTERS.find((starter) => starter === row.started_by) ?? 'command',
          askedAt: row.asked_at,
          endedAt: row.ended_at ?? undefined,
          file: row.file ?? undefined,
          bytes: row.bytes ?? undefined,
          problem: row.problem ?? undefined,
        }),
      );
    },
  };
}
