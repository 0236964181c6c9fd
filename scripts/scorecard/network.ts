import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'network.names-stay-public',
    promise: 'A host name never leads a crawler to an address inside, whatever its name server answers.',
    file: 'test/integration/crawl/private-names.test.ts',
    test: 'reaches nothing inside',
  },
  {
    id: 'network.scope-first',
    promise: 'No name outside of the domains of a crawler is resolved and no server there asked.',
    file: 'test/integration/crawl/out-of-domain.test.ts',
    test: 'no name outside of the domains is resolved',
  },
];
