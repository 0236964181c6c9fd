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
  {
    id: 'network.cut-bodies',
    promise: 'A page whose body ends early, without a length that would tell, replaces no text.',
    file: 'test/integration/crawl/cut-body.test.ts',
    test: 'a body that ends early without a length',
  },
  {
    id: 'network.queued-maintenance',
    promise: 'Queued URLs that all answer one page remove no document.',
    file: 'test/integration/crawl/queued-maintenance.test.ts',
    test: 'queued URLs that answer one maintenance page',
  },
  {
    id: 'network.hostile-file',
    promise: 'A file that is read without end is given up within 22 s of processor time, its second try included.',
    file: 'test/integration/extract/parser-pool.test.ts',
    test: 'a file that takes too long is killed in its time',
  },
];
