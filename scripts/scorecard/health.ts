import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'health.told-failures',
    promise:
      'Seven failures of a running product are each told by status, metrics and webhook within 60 s with the command that mends them, and are over within 30 s after their cause',
    file: 'test/e2e/told-failures.test.ts',
  },
  {
    id: 'health.crawler-findings',
    promise:
      'A wrong name, a dead or held host, a seed outside of its own scope, an expired login and held removals are told until they are mended',
    file: 'test/integration/health/crawler-findings.test.ts',
  },
  {
    id: 'health.alerts',
    promise: 'A webhook that never answers harms nothing, and what was left out is counted in the next message',
    file: 'test/integration/health/alerts.test.ts',
  },
  {
    id: 'health.deployed',
    promise: 'The alert rules and the dashboard name only metrics and labels that exist',
    file: 'test/unit/observability/deployed.test.ts',
  },
  {
    id: 'health.doctor',
    promise: 'fossick doctor names each fault with the command that mends it, with and without a running product',
    file: 'test/integration/cli/doctor.test.ts',
  },
];
