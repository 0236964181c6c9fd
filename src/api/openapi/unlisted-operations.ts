import { z } from 'zod';
import { ADMIN_CRAWL_OPERATIONS } from './admin-crawl-operations.ts';
import { ADMIN_OPERATIONS } from './admin-operations.ts';
import { ADMIN_SITE_OPERATIONS } from './admin-site-operations.ts';
import { ADMIN_TOOL_OPERATIONS } from './admin-tool-operations.ts';
import type { Operations } from './operation.ts';
import { PEOPLE_OPERATIONS } from './people-operations.ts';

export const ADMIN_PREFIX = '/admin/v1';

const READINESS = z.object({
  status: z.enum(['ready', 'not ready']),
  checks: z.record(z.string(), z.boolean()).describe('What must hold, by name.'),
});

/** Routes outside of `/api`, but pages, their assets, the widget and the sample site. */
export const UNLISTED_OPERATIONS: Operations = {
  'GET /health/live': {
    id: 'live',
    tag: 'Health',
    summary: 'Tells that the process turns',
    answer: { about: 'It turns', schema: z.object({ status: z.literal('live') }) },
  },
  'GET /health/ready': {
    id: 'ready',
    tag: 'Health',
    summary: 'Tells whether the process takes requests',
    answer: { about: 'It takes requests', schema: READINESS },
    alsoAnswers: [{ status: 503, about: 'It takes none', schema: READINESS }],
  },
  'GET /metrics': {
    id: 'metrics',
    tag: 'Health',
    summary: 'Metrics for Prometheus',
    answer: { about: 'The text that Prometheus reads', type: 'text/plain' },
  },
  'GET /openapi.json': {
    id: 'openApi',
    tag: 'Health',
    summary: 'This description',
    answer: { about: 'An OpenAPI 3.1 document', schema: z.record(z.string(), z.unknown()) },
    alsoAnswers: [{ status: 304, about: 'The one that the ETag names still holds' }],
  },
  'GET /docs': {
    id: 'docs',
    tag: 'Health',
    summary: 'This description as a page',
    answer: { about: 'A page', type: 'text/html' },
  },
  ...belowPrefix(ADMIN_OPERATIONS),
  ...belowPrefix(ADMIN_CRAWL_OPERATIONS),
  ...belowPrefix(ADMIN_SITE_OPERATIONS),
  ...belowPrefix(ADMIN_TOOL_OPERATIONS),
  ...belowPrefix(PEOPLE_OPERATIONS),
};

function belowPrefix(operations: Operations): Operations {
  const entries = Object.entries(operations);
  return Object.fromEntries(entries.map(([key, operation]) => [key.replace(' ', ` ${ADMIN_PREFIX}`), operation]));
}
