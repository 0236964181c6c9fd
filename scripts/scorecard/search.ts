import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'search.cost-model',
    promise:
      'What each operator of a search is estimated to cost is within a factor of 3 of the processor time it takes.',
    file: 'test/integration/search-index/operator-costs.test.ts',
  },
  {
    id: 'search.costly-filters',
    promise: 'Conditions on long texts within the limits of a request are answered, and never hold the event loop.',
    file: 'test/spec/hostile-searches.test.ts',
    test: 'what is within the limits',
  },
  {
    id: 'search.largest-page',
    promise: 'The largest page is complete, and no turn of the event loop that writes it takes over 50 ms.',
    file: 'test/spec/hostile-searches.test.ts',
    test: 'the largest page',
  },
  {
    id: 'search.hostile',
    promise: '1,000 generated requests at the limits meet no status 5xx and no turn of the event loop over 50 ms.',
    file: 'test/spec/hostile-searches.test.ts',
    test: 'hostile searches',
  },
  {
    id: 'search.stopped-threads',
    promise:
      'A search that nobody waits for ends, and a thread that does not stop is replaced without changing any hits.',
    file: 'test/unit/search-index/embedded/search-threads.test.ts',
    test: 'nobody waits for',
  },
];
