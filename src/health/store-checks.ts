import type { Clock } from '../core/clock.ts';
import { type Check, type Finding, finding } from './health.ts';

/** Below this share of free space an operator has to make room. */
const LOW_RATIO = 0.05;
/** Below this a write may be refused at any moment. */
const FULL_BYTES = 16 * 2 ** 20;
const BYTES_PER_MB = 1e6;

export type DiskDeps = {
  /** Of the file system that holds the data folder. */
  readonly diskSpace: () => Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
  readonly dataDir: string;
};

export function checkDisk({ diskSpace, dataDir }: DiskDeps): Check {
  return {
    name: 'disk',
    look: async () => {
      const { freeBytes, totalBytes } = await diskSpace();
      const told = { subject: dataDir, command: `du -xh --max-depth=2 ${dataDir} (and make room)` };
      if (isDiskFull({ freeBytes })) return [diskFull(freeBytes, told)];
      if (freeBytes >= totalBytes * LOW_RATIO) return [];
      const sentence = `Less than 5 % of the disk is free (${megabytes(freeBytes)}): when it is full, pushes and tracking are refused and crawling waits`;
      return [finding('disk-low', { ...told, sentence })];
    },
  };
}

export function isDiskFull({ freeBytes }: { readonly freeBytes: number }): boolean {
  return freeBytes < FULL_BYTES;
}

function diskFull(freeBytes: number, told: Pick<Finding, 'subject' | 'command'>): Finding {
  const sentence = `The disk is full (${megabytes(freeBytes)} are free): pushes, tracking and crawling are refused, searches go on`;
  return finding('disk-full', { ...told, sentence });
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / BYTES_PER_MB)} MB`;
}

/** What became of a backup. */
export type PastBackup = {
  readonly state: string;
  readonly endedAt: number | undefined;
  readonly problem: string | undefined;
};

export type DatabaseDeps = {
  /** Why it takes no reads, or no writes, in words. */
  readonly databaseFault: () => Promise<string | undefined>;
};

export function checkDatabase({ databaseFault }: DatabaseDeps): Check {
  return checkServer('database', { faultOf: databaseFault, down: databaseDown });
}

type ServerFaults = {
  readonly faultOf: () => Promise<string | undefined>;
  readonly down: (fault: string) => Finding;
};

function checkServer(name: string, { faultOf, down }: ServerFaults): Check {
  return {
    name,
    look: async () => {
      const fault = await faultOf();
      return fault === undefined ? [] : [down(fault)];
    },
  };
}

/** Of a database that cannot be used as stores are. */
export function databaseDown(fault: string): Finding {
  const command = 'psql "$DATABASE_URL" -c "SHOW transaction_read_only" (and the log of the server)';
  return finding('database-down', { subject: 'PostgreSQL', sentence: fault, command });
}

export type IndexServerDeps = {
  /** Why they answer no searches, in words. */
  readonly indexFault: () => Promise<string | undefined>;
};

export function checkIndexServers({ indexFault }: IndexServerDeps): Check {
  return checkServer('index servers', { faultOf: indexFault, down: indexDown });
}

/** Of servers that cannot be searched. */
export function indexDown(fault: string): Finding {
  const command = 'curl "$OPENSEARCH_URL/_cluster/health?pretty" (each server of it alone; and their logs)';
  return finding('index-down', { subject: 'OpenSearch', sentence: fault, command });
}

export type BackupDeps = {
  /** Newest first. */
  readonly listBackups: () => Promise<readonly PastBackup[]>;
  /** Time between two backups of the schedule; 0 = there is no schedule. */
  readonly everyMs: number;
  /** From when on the schedule counts: an installation without any backup is late by this. */
  readonly installedAt: () => Promise<number>;
  readonly clock: Clock;
};

const HOUR_MS = 3_600_000;
/** A schedule by the hour may miss some; nothing is late before a day is over. */
const DAY_MS = 24 * HOUR_MS;
/** A backup may take a while, and one that failed is tried again within this time. */
const GRACE_MS = 2 * HOUR_MS;

export function checkBackups({ listBackups, everyMs, installedAt, clock }: BackupDeps): Check {
  return {
    name: 'backups',
    look: async () => {
      const records = await listBackups();
      const told = { subject: 'backup', command: 'fossick backup list (then fossick backup start)' };
      const last = records.find(({ endedAt }) => endedAt !== undefined);
      if (last?.state === 'failed') {
        const sentence = `The last backup could not be written: ${last.problem ?? 'its log line says why'}`;
        return [finding('backup-failed', { ...told, sentence })];
      }
      if (everyMs === 0) return [];
      const at = backupAt(records);
      const ageMs = clock.now() - (at ?? (await installedAt()));
      if (ageMs <= Math.max(everyMs, DAY_MS) + GRACE_MS) return [];
      const hours = Math.floor(ageMs / HOUR_MS);
      const sentence =
        at === undefined
          ? `There is no backup after ${hours} hours: everything is lost with the disk`
          : `The last backup is ${hours} hours old: what came since is lost with the disk`;
      return [finding('backup-late', { ...told, sentence })];
    },
  };
}

/** When the last whole backup was written; undefined when there is none. */
export function backupAt(records: readonly PastBackup[]): number | undefined {
  return records.find(({ state }) => state === 'done')?.endedAt;
}
