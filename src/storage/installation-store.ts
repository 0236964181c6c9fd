/**
 * Part of the port `SystemStore`: exclusive rights on a role. Promises:
 * - at most one holder has a lease at any moment; `takeLease` is true for the holder that has it afterwards;
 * - a free lease goes to who asks first, and its holder renews it at any time: each renewal is one more beat;
 * - another takes it only `over` the beat that it names as the last of a holder that is gone: never over a later one;
 * - `giveLease` ends it at once and only for its holder.
 * No times are compared: whether a holder is gone is judged by `createHolderWatch`.
 */
export interface LeaseStore {
  takeLease(input: TakeLease): Promise<boolean>;
  giveLease(name: string, holder: string): Promise<void>;
  findLease(name: string): Promise<Lease | undefined>;
}

export type Lease = {
  readonly holder: string;
  readonly beats: number;
  /** For people: wall time of the holder at its last renewal. */
  readonly renewedAt: number;
};

export type TakeLease = {
  readonly name: string;
  readonly holder: string;
  readonly at: number;
  readonly over?: Pick<Lease, 'holder' | 'beats'> | undefined;
};

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

/**
 * Part of the port `SystemStore`: what the wall clock of the installation did. Promises:
 * - `noteTime` keeps the time, and records a jump of more than 30 s against the time that was noted before, together;
 * - what has passed is `elapsedMs` by a clock that only grows. Without it, at the first note of a process, only a clock
 *   that was set back is a jump: forward, nobody can tell it from a pause;
 * - jumps are numbered upwards, and the last 100 are kept.
 */
export interface ClockStore {
  noteTime(input: NoteTime): Promise<ClockJump | undefined>;
  /** Newest first. */
  clockJumps(): Promise<readonly ClockJump[]>;
}

export type NoteTime = { readonly at: number; readonly elapsedMs: number | undefined };

export type ClockJump = {
  readonly id: number;
  /** Wall time when it was seen, by the clock as it is since. */
  readonly seenAt: number;
  /** Below 0: the clock was set back. */
  readonly byMs: number;
};
