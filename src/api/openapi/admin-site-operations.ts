import { NEW_SITE } from '../../accounts/add-site.ts';
import { CRAWLER_BODY } from '../admin/crawl-responses.ts';
import { CRAWLER_CHANGE } from '../admin/crawlers.ts';
import { QUERY_EXPLANATION, QUERY_EXPLANATION_BODY, URL_OWNER_BODY, URL_QUESTION } from '../admin/explain.ts';
import { ENGINE_BODY } from '../admin/responses.ts';
import { ENTRY_BODY, HISTORY, PAST_RECORD_BODY } from '../admin/settings/history.ts';
import { SCHEDULE, SCHEDULE_BODY, SCHEDULE_QUERY } from '../admin/settings/schedule.ts';
import { SETTINGS_SCHEMA_BODY } from '../admin/settings/schemas.ts';
import { ADDED_SITE_BODY, PROBE, PROBE_BODY } from '../admin/sites.ts';
import { section } from './admin-operations.ts';
import type { Operations } from './operation.ts';

const engines = section('Engines');
const crawlers = section('Crawlers');
const RESTORED = 'Brings settings back as they were after a change; secrets stay as they are';

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

  'GET /schemas/crawler': crawlers.shows('findCrawlerSchema', 'Describes the settings of crawlers', {
    record: SETTINGS_SCHEMA_BODY,
  }),
  'GET /schemas/engine': engines.shows('findEngineSchema', 'Describes the settings of engines', {
    record: SETTINGS_SCHEMA_BODY,
  }),
  'GET /crawlers/:crawlerId/schedule': crawlers.shows('planRuns', 'Tells when the next runs begin by themselves', {
    query: SCHEDULE_QUERY,
    record: SCHEDULE_BODY,
  }),
  'POST /crawlers/:crawlerId/schedule': crawlers.shows(
    'planRunsOf',
    'Tells when runs would begin by a schedule that is not saved',
    { body: SCHEDULE, record: SCHEDULE_BODY },
  ),
  'GET /crawlers/:crawlerId/history': crawlers.lists(
    'listCrawlerHistory',
    'Lists changes of its settings, newest first',
    {
      query: HISTORY,
      record: ENTRY_BODY,
    },
  ),
  'GET /crawlers/:crawlerId/history/:entryId': crawlers.shows(
    'findPastCrawler',
    'Shows the settings as they were after a change',
    { record: PAST_RECORD_BODY },
  ),
  'POST /crawlers/:crawlerId/history/:entryId/restore': crawlers.shows('restoreCrawler', RESTORED, {
    query: CRAWLER_CHANGE,
    record: CRAWLER_BODY,
  }),
  'GET /engines/:engineId/history': engines.lists('listEngineHistory', 'Lists changes of its settings, newest first', {
    query: HISTORY,
    record: ENTRY_BODY,
  }),
  'GET /engines/:engineId/history/:entryId': engines.shows(
    'findPastEngine',
    'Shows the settings as they were after a change',
    { record: PAST_RECORD_BODY },
  ),
  'POST /engines/:engineId/history/:entryId/restore': engines.shows('restoreEngine', RESTORED, { record: ENGINE_BODY }),

  'GET /engines/:engineId/explain': engines.shows(
    'explainUrlOfEngine',
    'Tells all about one URL by the crawler of the engine that it is a matter of',
    { query: URL_QUESTION, record: URL_OWNER_BODY },
  ),
  'POST /engines/:engineId/explain-query': engines.shows(
    'explainQuery',
    'Tells the hits of a search with the parts of their scores, and why a page is not among them',
    { body: QUERY_EXPLANATION, record: QUERY_EXPLANATION_BODY },
  ),
};
