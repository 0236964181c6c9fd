import type { Clock } from '../core/clock.ts';
import { repeat } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { BackupRecord, BackupStore } from '../storage/system/installation.ts';

export type BackupUpkeepDeps = {
  readonly backups: BackupStore;
  /** Where the archive of a backup that begins now is to lie. */
  readonly newFile: (at: number) => Promise<string>;
  /** Writes it whole, or leaves nothing behind. */
  readonly write: (file: string, signal: AbortSignal) => Promise<{ readonly bytes: number }>;
  readonly removeFile: (file: string) => Promise<void>;
  /** The time of the first start: the first backup is due one period later. */
  readonly installedAt: () => Promise<number>;
  /** 0 = only those that are asked for. */
  readonly everyMs: number;
  /** Backups of the schedule and of the admin API that stay. */
  readonly keep: number;
  readonly clock: Clock;
  readonly log: Log;
};

const BACKUP_PAUSE_MS = 5_000;
/** A failed backup is tried again after this time, or after a period when that is shorter. */
const RETRY_MS = 3_600_000;

/** The backup part of the scheduler role: writes what is asked for and what is due, one at a time, and removes old ones. */
export function startBackupUpkeep(deps: BackupUpkeepDeps): AsyncDisposable {
  const stop = new AbortController();
  const { signal } = stop;
  const running = repeat({ log: deps.log, name: 'backups', pauseMs: BACKUP_PAUSE_MS, signal }, () =>
    upkeep(deps, signal),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}

async function upkeep(deps: BackupUpkeepDeps, signal: AbortSignal): Promise<void> {
  const { backups, clock } = deps;
  const records = await backups.listBackups();
  // Nobody else writes them: what is still running was ended with its process.
  for (const { id } of records.filter(({ state }) => state === 'running')) {
    await backups.endBackup({ id, at: clock.now(), problem: 'It was broken off: the process that wrote it ended' });
  }
  const waiting = records.findLast(({ state }) => state === 'waiting');
  if (waiting !== undefined) await writeOne(deps, waiting.id, signal);
  else if (await isDue(deps, records)) await writeOne(deps, await backups.askBackup('schedule', clock.now()), signal);
}

/** Times in the future are of a clock that was set back since: they hold nothing up. */
async function isDue(
  { everyMs, clock, installedAt }: BackupUpkeepDeps,
  records: readonly BackupRecord[],
): Promise<boolean> {
  if (everyMs === 0) return false;
  const [last] = records;
  const since = last?.endedAt ?? (await installedAt());
  // Not before: the first start would lie in the future, and a backup be due at once.
  const now = clock.now();
  const pauseMs = last?.state === 'failed' ? Math.min(RETRY_MS, everyMs) : everyMs;
  return now - since >= pauseMs || since > now;
}

async function writeOne(deps: BackupUpkeepDeps, id: number, signal: AbortSignal): Promise<void> {
  const { backups, clock, log } = deps;
  let file = '';
  try {
    file = await deps.newFile(clock.now());
    await backups.startBackup(id, file);
    const { bytes } = await deps.write(file, signal);
    await backups.endBackup({ id, at: clock.now(), bytes });
    log.info({ file, bytes }, 'backup written');
  } catch (err) {
    const problem = err instanceof Error ? err.message : String(err);
    await backups.endBackup({ id, at: clock.now(), problem });
    log.error({ err, file }, 'backup failed');
    return;
  }
  await dropOld(deps);
}

async function dropOld({ backups, keep, removeFile, log }: BackupUpkeepDeps): Promise<void> {
  const own = (await backups.listBackups()).filter(
    ({ state, startedBy }) => state === 'done' && startedBy !== 'command',
  );
  for (const { id, file } of own.slice(keep)) {
    if (file !== undefined) await removeFile(file);
    await backups.forgetBackup(id);
    log.info({ file }, 'old backup removed');
  }
}
