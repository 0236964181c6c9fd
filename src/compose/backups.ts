import { systemClock } from '../core/clock.ts';
import { backupInProcess } from '../storage/sql/backup/backup-process.ts';
import { planRestore, type RestorePlan, restoreBackup } from '../storage/sql/backup/restore-backup.ts';
import type { BackupProgress, WrittenBackup } from '../storage/sql/backup/write-backup.ts';
import { productVersion } from './product-files.ts';

export type BackupOrder = {
  readonly dataDir: string;
  readonly file: string;
  readonly withSecrets: boolean;
  readonly onProgress: (progress: BackupProgress) => void;
  readonly signal: AbortSignal;
};

/** One archive of all stores, as `storage/sql/backup` writes it; the product may run. */
export function backupInstallation({ onProgress, signal, ...order }: BackupOrder): Promise<WrittenBackup> {
  return backupInProcess({ ...order, product: productVersion() }, onProgress, signal);
}

export type RestoreOrder = {
  readonly dataDir: string;
  readonly file: string;
  readonly replace: boolean;
  readonly dryRun: boolean;
};

/** Puts the stores of an archive into the data folder, or says what that would do. */
export function restoreInstallation({ dryRun, ...order }: RestoreOrder): Promise<RestorePlan> {
  const input = { ...order, now: systemClock.now };
  return dryRun ? planRestore(input) : restoreBackup(input);
}
