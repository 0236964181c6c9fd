import { type Finding, finding } from './finding.ts';
import type { Check } from './health.ts';

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
      if (freeBytes < FULL_BYTES) return [diskFull(freeBytes, told)];
      if (freeBytes >= totalBytes * LOW_RATIO) return [];
      const sentence = `Less than 5 % of the disk is free (${megabytes(freeBytes)}): when it is full, pushes and tracking are refused and crawling waits`;
      return [finding('disk-low', { ...told, sentence })];
    },
  };
}

function diskFull(freeBytes: number, told: Pick<Finding, 'subject' | 'command'>): Finding {
  const sentence = `The disk is full (${megabytes(freeBytes)} are free): pushes, tracking and crawling are refused, searches go on`;
  return finding('disk-full', { ...told, sentence });
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / BYTES_PER_MB)} MB`;
}
