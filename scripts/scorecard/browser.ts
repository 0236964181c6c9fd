import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'browser.memory',
    promise: 'A page that takes memory without end is ended before Chromium has 1 GiB of its own.',
    file: 'test/contract/renderer.test.ts',
    test: 'a page that takes memory without end is ended',
  },
  {
    id: 'browser.late-text',
    promise: 'Text that comes by timers of 3 s and fetches of 6 s is found, and timers cost no waiting.',
    file: 'test/contract/renderer.test.ts',
    test: 'text that comes by',
  },
];
