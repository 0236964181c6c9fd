import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../core/errors.ts';
import { storePath } from '../store-path.ts';

const SQLITE_BUSY = 5;
const UNREADABLE = [11, 26];

/**
 * The right to be the only one that has `system.db` open, which every process of an installation has, also one that
 * runs without a supervisor. A store that is missing or damaged keeps nobody off.
 *
 * @throws AppError `record.conflict` when another process has it open
 */
export function lockStores(dataDir: string): Disposable {
  const path = storePath(dataDir, { kind: 'system' });
  if (!existsSync(path)) return { [Symbol.dispose]: () => undefined };
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN IMMEDIATE');
  } catch (cause) {
    db.close();
    const { errcode = 0 } = cause as { readonly errcode?: number };
    if (UNREADABLE.includes(errcode & 0xff)) return { [Symbol.dispose]: () => undefined };
    if ((errcode & 0xff) !== SQLITE_BUSY) throw cause;
    const message = `A process of Fossick, or a backup, works on ${dataDir}: stop it before a restore`;
    throw new AppError('record.conflict', message, { cause });
  }
  return {
    [Symbol.dispose]: () => {
      if (db.isOpen) db.close();
    },
  };
}
