import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'edge.generated-paths',
    promise: 'No generated request to pages, assets, health, metrics or the admin API is a server error.',
    file: 'test/spec/generated-paths.test.ts',
  },
];
