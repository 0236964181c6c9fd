import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'liveness.orphans',
    promise: 'No role outlives its supervisor by more than 10 s, at whatever moment that is killed',
    file: 'test/e2e/orphans.test.ts',
  },
  {
    id: 'liveness.clock',
    promise:
      'After kill -9 of everything and a clock set by an hour or a day, pushes are found and crawling goes on in 15 s',
    file: 'test/e2e/clock-jumps.test.ts',
  },
];
