import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'network.names-stay-public',
    promise: 'A host name never leads a crawler to an address inside, whatever its name server answers.',
    file: 'test/integration/crawl/private-names.test.ts',
    test: 'reaches nothing inside',
  },
];
