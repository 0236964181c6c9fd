import type { ScorecardRow } from './row.ts';

const FOREIGN = 'test/integration/search-index/foreign-store.test.ts';

const DAMAGED = 'test/integration/storage/damaged-store.test.ts';

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
  {
    id: 'stores.damaged-engine',
    promise:
      'A store that is cut in half, overwritten or of a newer version takes no push, is named with its cause, and costs no other engine anything.',
    file: DAMAGED,
    test: 'costs no other engine anything',
  },
  {
    id: 'stores.flipped-byte',
    promise: 'One flipped byte anywhere in a store: the status answers, and the other engine takes pushes.',
    file: DAMAGED,
    test: 'one flipped byte',
  },
  {
    id: 'stores.damaged-document',
    promise: 'A damaged row of a document costs its own hit only, is shown by lists, logged and counted.',
    file: 'test/integration/storage/damaged-document.test.ts',
  },
];
