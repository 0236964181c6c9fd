import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'backups.instant',
    promise: 'A backup is of one instant over all stores, while they are written as fast as they can be',
    file: 'test/integration/storage/backup.test.ts',
    test: 'is of one instant',
  },
  {
    id: 'backups.acknowledged',
    promise: 'A backup during pushes, restored elsewhere, holds all that was acknowledged before the command',
    file: 'test/integration/storage/backup.test.ts',
    test: 'holds everything that was acknowledged',
  },
  {
    id: 'backups.load',
    promise:
      'Backups beside 2,000 pushed documents a second let the p99 of searches rise by less than 2 ×, and hold up writes by less than 100 ms',
    file: 'test/load/backup.test.ts',
  },
  {
    id: 'backups.verify-flips',
    promise: 'fossick verify finds most flipped bytes of a store',
    file: 'test/integration/storage/verify.test.ts',
    test: 'finds most flipped bytes',
  },
  {
    id: 'backups.restore-killed',
    promise: 'A restore that is killed changes nothing, or leaves a folder that refuses to start until it is run again',
    file: 'test/integration/storage/backup-faults.test.ts',
    test: 'a restore that is killed',
  },
  {
    id: 'backups.full-disk',
    promise: 'A backup or restore without room says so in one line and leaves nothing behind',
    file: 'test/integration/storage/backup-faults.test.ts',
    test: 'on a disk of',
  },
  {
    id: 'backups.migration-full-disk',
    promise: 'An upgrade without room for the copy of a store leaves the store as it was',
    file: 'test/integration/storage/upgrade.test.ts',
    test: 'without room for the copy',
  },
];
