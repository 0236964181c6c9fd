/** Who asked for a backup: the schedule, an operator through the admin API, or the command `fossick backup`. */
export const BACKUP_STARTERS = ['schedule', 'operator', 'command'] as const;
export type BackupStarter = (typeof BACKUP_STARTERS)[number];

export const BACKUP_STATES = ['waiting', 'running', 'done', 'failed'] as const;
export type BackupState = (typeof BACKUP_STATES)[number];

/** One backup of the installation, whatever became of it. */
export type BackupRecord = {
  readonly id: number;
  readonly state: BackupState;
  readonly startedBy: BackupStarter;
  readonly askedAt: number;
  readonly endedAt: number | undefined;
  readonly file: string | undefined;
  readonly bytes: number | undefined;
  /** Why it failed, for the operator. */
  readonly problem: string | undefined;
};

export type BackupEnd = { readonly id: number; readonly at: number } & (
  | { readonly bytes: number }
  | { readonly problem: string }
);

/**
 * Port: which backups were asked for and what became of them. Promises:
 * - `askBackup` answers with the one that waits already, if one does;
 * - `listBackups` lists newest first; the last 200 are kept;
 * - a backup whose file was removed by retention is forgotten.
 */
export interface BackupStore {
  askBackup(startedBy: BackupStarter, at: number): Promise<number>;
  startBackup(id: number, file: string): Promise<void>;
  endBackup(end: BackupEnd): Promise<void>;
  forgetBackup(id: number): Promise<void>;
  listBackups(): Promise<readonly BackupRecord[]>;
}
