import { NEW_SITE } from '../../accounts/add-site.ts';
import { ADDED_SITE_BODY, PROBE, PROBE_BODY } from '../admin/sites.ts';
import { section } from './admin-operations.ts';
import type { Operations } from './operation.ts';

const engines = section('Engines');

/** What an operator does with a site from its address on, below the prefix of the admin API. */
export const ADMIN_SITE_OPERATIONS: Operations = {
  'POST /probe': engines.sends('probeSite', 'Looks at an address before a crawler is made for it, and stores nothing', {
    body: PROBE,
    description:
      'With `Accept: text/event-stream` it tells each step as an event `step`, and at last `result` with this answer, or `error`.',
    answer: { about: 'What is there', schema: PROBE_BODY },
    errors: ['feature.disabled', 'rate.exceeded'],
  }),
  'POST /sites': engines.makes(
    'addSite',
    'Makes an engine that answers, and a crawler, for the site at an address, and starts its first run',
    { body: NEW_SITE, record: ADDED_SITE_BODY, errors: ['feature.disabled'] },
  ),
};
