import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [];
