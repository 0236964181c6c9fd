import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'liveness.orphans',
    promise: 'No role outlives its supervisor by more than 10 s, at whatever moment that is killed',
    file: 'test/e2e/orphans.test.ts',
  },
];
