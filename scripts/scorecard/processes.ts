import type { ScorecardRow } from './row.ts';

/** What the supervisor promises for the processes of an installation. */
export const rows: readonly ScorecardRow[] = [
  {
    id: 'processes.first-start',
    promise: 'A role that is killed or stopped while it starts for the first time ends nothing, and comes up later.',
    file: 'test/e2e/supervisor.test.ts',
    test: 'while it starts for the first time',
  },
  {
    id: 'processes.full-disk',
    promise: 'On a disk without a free byte each process that is killed comes back, and a start answers searches.',
    file: 'test/e2e/supervisor.test.ts',
    test: 'on a full disk',
  },
  {
    id: 'processes.read-only-disk',
    promise: 'On a read-only disk a start answers searches, and stores again without a restart when it may.',
    file: 'test/e2e/supervisor.test.ts',
    test: 'on a read-only disk',
  },
  {
    id: 'processes.drain',
    promise:
      'A stop answers every request that was sent, turns readiness to 503 before the listener closes, and ends in 10 s.',
    file: 'test/integration/workers/drain.test.ts',
    test: 'a stop answers every request',
  },
  {
    id: 'processes.redis-damage',
    promise: 'Whatever is damaged in the folder of the private Redis, it comes up, and no process is left over.',
    file: 'test/integration/workers/private-redis.test.ts',
  },
];
