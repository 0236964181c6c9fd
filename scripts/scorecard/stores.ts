import type { ScorecardRow } from './row.ts';

const FOREIGN = 'test/integration/search-index/foreign-store.test.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'stores.foreign-index',
    promise:
      'An older store, one without its WAL, a deleted one or that of another engine beside the index that was there: no search returns a document that does not match, and in the end every term is found as the store says.',
    file: FOREIGN,
    test: 'beside the index that was there',
  },
  {
    id: 'stores.missing-index',
    promise: 'A missing index is an error until its first generation, never zero hits.',
    file: FOREIGN,
    test: 'never with nothing',
  },
];
