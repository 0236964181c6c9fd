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
    id: 'backups.verify-flips',
    promise: 'fossick verify finds most flipped bytes of a store',
    file: 'test/integration/storage/verify.test.ts',
    test: 'finds most flipped bytes',
  },
];
