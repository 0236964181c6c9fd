import { lockDataFolder } from '../storage/sqlite/process-locks.ts';

/** The right to run everything on a data folder, until it is disposed. @throws Error that says what to do */
export function lockInstallation(dataDir: string): Disposable {
  const lock = lockDataFolder(dataDir);
  if (lock !== undefined) return lock;
  throw new Error(
    `another fossick runs on ${dataDir}: stop it, or set DATA_DIR to another folder; to add a site to it: fossick site add <url>`,
  );
}
