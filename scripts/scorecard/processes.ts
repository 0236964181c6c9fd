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
    id: 'processes.redis-damage',
    promise: 'Whatever is damaged in the folder of the private Redis, it comes up, and no process is left over.',
    file: 'test/integration/workers/private-redis.test.ts',
  },
];
