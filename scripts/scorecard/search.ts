import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'search.cost-model',
    promise:
      'What each operator of a search is estimated to cost is within a factor of 3 of the processor time it takes.',
    file: 'test/integration/search-index/operator-costs.test.ts',
  },
];
