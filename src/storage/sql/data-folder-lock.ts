import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * The right to run the whole product on a data folder: undefined when another process has it. Ends with the
 * process, however that ends, because the lock is the operating system's.
 */
export function lockDataFolder(dataDir: string): Disposable | undefined {
  const db = new DatabaseSync(join(dataDir, 'lock.db'));
  try {
    db.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (/locked/.test(String(error))) return undefined;
    throw error;
  }
  return { [Symbol.dispose]: () => db.close() };
}
