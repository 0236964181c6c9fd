import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { storeFolderOf } from '../config/store-folder.ts';
import { systemClock } from '../core/clock.ts';
import type { BackupUpkeepDeps } from '../jobs/backup-upkeep.ts';
import type { Log } from '../observability/logger.ts';
import type { ReadProgress } from '../storage/sqlite/backup/backup-archive.ts';
import {
  backupInProcess,
  planRestore,
  type RestorePlan,
  recordBackup,
  restoreBackup,
} from '../storage/sqlite/backup/restore-backup.ts';
import type { BackupProgress, WrittenBackup } from '../storage/sqlite/backup/write-backup.ts';
import type { SystemStore } from '../storage/system-store.ts';
import { productVersion } from './product-files.ts';

export type BackupOrder = {
  readonly dataDir: string;
  readonly file: string;
  readonly withSecrets: boolean;
  readonly onProgress: (progress: BackupProgress) => void;
  readonly signal: AbortSignal;
};

/** One archive of all stores, as `storage/sqlite/backup` writes it; the product may run. The store notes that it was made. */
export async function backupInstallation({ onProgress, signal, ...order }: BackupOrder): Promise<WrittenBackup> {
  const written = await backupInProcess({ ...order, product: productVersion() }, onProgress, signal);
  recordBackup(order.dataDir, { file: written.file, bytes: written.bytes, at: systemClock.now() });
  return written;
}

const HOUR_MS = 3_600_000;

/** Time between two backups of the schedule; 0 is off. Those of a database are its operator's. */
export function backupEveryMs({ BACKUP_EVERY_HOURS: hours, DATABASE_URL: url }: Config): number {
  return url === undefined ? hours * HOUR_MS : 0;
}

/** What the scheduler writes backups with: those of its own go to `BACKUP_FOLDER`. */
export function backupUpkeepOf(config: Config, systemStore: SystemStore, log: Log): BackupUpkeepDeps {
  const dataDir = resolve(config.DATA_DIR);
  const folder = resolve(config.BACKUP_FOLDER ?? join(dataDir, 'backups'));
  return {
    backups: systemStore,
    newFile: async (at) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return join(folder, `fossick-${new Date(at).toISOString().replace(/[:.]/g, '-')}.tar.zst`);
    },
    write: async (file, signal) => {
      storeFolderOf(config);
      return backupInProcess({ dataDir, file, product: productVersion(), withSecrets: false }, () => undefined, signal);
    },
    removeFile: (file) => rm(file, { force: true }),
    installedAt: () => backupsSince(systemStore),
    everyMs: backupEveryMs(config),
    keep: config.BACKUP_KEEP,
    clock: systemClock,
    log,
  };
}

/** From when on the schedule of backups counts: the first time that anybody asked. */
export async function backupsSince(systemStore: Pick<SystemStore, 'rememberOnce'>): Promise<number> {
  return Number(await systemStore.rememberOnce('backups_since', () => String(systemClock.now())));
}

export type RestoreOrder = {
  readonly dataDir: string;
  readonly file: string;
  readonly replace: boolean;
  readonly dryRun: boolean;
  readonly onProgress: (progress: ReadProgress) => void;
};

/** Puts the stores of an archive into the data folder, or says what that would do. */
export function restoreInstallation({ dryRun, ...order }: RestoreOrder): Promise<RestorePlan> {
  const input = { ...order, now: systemClock.now };
  return dryRun ? planRestore(input) : restoreBackup(input);
}
