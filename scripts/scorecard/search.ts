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
  {
    id: 'search.neighbours',
    promise:
      'Beside 50 hostile searches a second of one customer, at the default rates, the p99 of another customer’s searches rises by less than 2 ×, and health is answered in 100 ms.',
    file: 'test/load/neighbours.test.ts',
  },
  {
    id: 'search.largest-pages',
    promise:
      'Four of the largest pages at once take at most 100 MB, and one that is read slowly holds up nobody’s searches.',
    file: 'test/load/largest-pages.test.ts',
    test: 'four of the largest pages',
  },
  {
    id: 'search.two-costly',
    promise:
      'Two searches for 1,000 values in 300 pages of 22 KB are answered in 5 s, and an ordinary one beside them in 0.5 s.',
    file: 'test/load/largest-pages.test.ts',
    test: 'two searches for 1,000 values',
  },
  {
    id: 'search.idle-connections',
    promise: 'Ten thousand idle connections are kept, and let the p99 of searches rise by less than 2 ×.',
    file: 'test/load/idle-connections.test.ts',
  },
];
