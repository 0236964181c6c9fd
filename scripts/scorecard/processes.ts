import type { ScorecardRow } from './row.ts';

const LOADED = 'test/e2e/loaded-product.test.ts';

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
  {
    id: 'processes.stop-under-load',
    promise:
      'Of requests that were sent before the whole product is stopped none fails, streams of answers among them.',
    file: LOADED,
    test: 'a stop under load',
  },
  {
    id: 'processes.api-back',
    promise: 'An api that is killed again as soon as it answers is back within 5 s each time.',
    file: LOADED,
    test: 'killed as soon as it answers',
  },
  {
    id: 'processes.slow-indexer',
    promise: 'An indexer with a tenth of a core keeps its role and is not killed.',
    file: LOADED,
    test: 'a tenth of a core',
  },
  {
    id: 'processes.idle-memory',
    promise: 'The idle product holds at most 350 MB, fresh and after a crawl of 3,000 pages.',
    file: LOADED,
    test: 'an idle product is small',
  },
  {
    id: 'processes.redis-orphan',
    promise: 'A private Redis ends when its supervisor is killed.',
    file: 'test/integration/workers/private-redis.test.ts',
    test: 'ends by itself when the process that runs it is killed',
  },
  {
    id: 'processes.redis-of-other-stores',
    promise: 'What Redis holds for a store that was restored or replaced is made again.',
    file: 'test/integration/jobs/sweep-recovery.test.ts',
    test: 'for an earlier store',
  },
];
