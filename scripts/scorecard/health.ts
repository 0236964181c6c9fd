import type { ScorecardRow } from './row.ts';

export const rows: readonly ScorecardRow[] = [
  {
    id: 'health.told-failures',
    promise:
      'Eleven failures of a running product (a dead host, a wrong name, a seed outside of its scope, a refused login, held removals, shared titles, no backup for a day, no indexer, no Redis, no model, a full disk) are each told by status, metrics and webhook within 60 s with the command that mends them, and are over within 30 s after their cause',
    file: 'test/e2e/told-failures.test.ts',
  },
  {
    id: 'health.crawler-findings',
    promise:
      'A wrong name, a dead or held host, a seed outside of its own scope, an expired login, held removals, a closed site and a run at its limit are told until they are mended',
    file: 'test/integration/health/crawler-findings.test.ts',
  },
  {
    id: 'health.alerts',
    promise:
      'Every finding is told to each alert target once and when it is over, also over restarts; a receiver that never answers harms nothing and is a finding',
    file: 'test/integration/alerts/tell-targets.test.ts',
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
  {
    id: 'health.ready',
    promise: 'The index of one engine that is being made takes no other engine out of a load balancer',
    file: 'test/integration/workers/readiness.test.ts',
  },
];
