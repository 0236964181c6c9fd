import { askBackup, endBackup, startBackup } from '../backups.ts';
import { schemaVersion, targetVersion } from '../migrate.ts';
import { openForWriting } from '../sqlite-database.ts';
import { storePath } from '../store-path.ts';
import { inTransaction } from '../transaction.ts';

/**
 * Notes a backup that the command has written, so that nobody is told that there is none. A store of another version,
 * or one that cannot be written, stays as it is: the archive is whole all the same.
 */
export function recordBackup(
  dataDir: string,
  { file, bytes, at }: { readonly file: string; readonly bytes: number; readonly at: number },
): void {
  try {
    const db = openForWriting(storePath(dataDir, { kind: 'system' }));
    try {
      if (schemaVersion(db) !== targetVersion('system')) return;
      inTransaction(db, () => {
        const id = askBackup(db, { startedBy: 'command', at });
        startBackup(db, { id, file });
        endBackup(db, { id, at, bytes });
      });
    } finally {
      db.close();
    }
  } catch {
    // A full disk, for example.
  }
}
