import type { Config } from '../config/config.ts';
import { holdProcessLock, isProcessAlive, lockDataFolder } from '../storage/sqlite/process-locks.ts';
import type { RoleContext } from './role.ts';

/** The right to run everything on a data folder, until it is disposed. @throws Error that says what to do */
export function lockInstallation(dataDir: string): Disposable {
  const lock = lockDataFolder(dataDir);
  if (lock !== undefined) return lock;
  throw new Error(
    `another fossick runs on ${dataDir}: stop it, or set DATA_DIR to another folder; to add a site to it: fossick site add <url>`,
  );
}

/**
 * Shows the other processes that this role lives, until it is disposed: whoever has a lease needs it.
 * @throws Error when a living process has the name, or the folder cannot be written.
 */
export function lockProcess({ config, name }: RoleContext): Promise<Disposable> {
  return holdProcessLock(config.DATA_DIR, name);
}

/** Whether the process of an instance name lives; what cannot be decided counts as alive. */
export function livenessOf({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): (instance: string) => boolean {
  return (instance) => isProcessAlive(DATA_DIR, instance);
}
