import { NEW_SITE } from '../../accounts/add-site.ts';
import { CRAWLER_BODY } from '../admin/crawl-responses.ts';
import { CRAWLER_CHANGE } from '../admin/crawlers.ts';
import { DOCUMENT_URL, EXTRACTION_BODY, WHOLE_DOCUMENT_BODY } from '../admin/documents.ts';
import { QUERY_EXPLANATION, QUERY_EXPLANATION_BODY, URL_OWNER_BODY, URL_QUESTION } from '../admin/explain.ts';
import { ENGINE_BODY } from '../admin/responses.ts';
import { ENTRY_BODY, HISTORY, PAST_RECORD_BODY } from '../admin/settings/history.ts';
import { SCHEDULE, SCHEDULE_BODY, SCHEDULE_QUERY } from '../admin/settings/schedule.ts';
import { SETTINGS_SCHEMA_BODY } from '../admin/settings/schemas.ts';
import { ADDED_SITE_BODY, PROBE, PROBE_BODY } from '../admin/sites.ts';
import { LOG_BODY, LOG_LIST, PROCESSES_BODY, QUEUE_BODY, QUEUE_LIST, RETRIED_BODY, RETRY } from '../admin/system.ts';
import {
  CLICK_LIST,
  CLICK_SUM_BODY,
  EXCHANGE_BODY,
  EXCHANGE_LIST,
  FEEDBACK_BODY,
  FEEDBACK_LIST,
  PAGE_CLICKS,
  PAGE_CLICKS_BODY,
  QUERY_REPORT,
  QUERY_REPORT_BODY,
} from '../admin/visitor-reports.ts';
import { section } from './admin-operations.ts';
import type { Operations } from './operation.ts';

const engines = section('Engines');
const crawlers = section('Crawlers');
const statistics = section('Statistics');
const installation = section('Installation');
const customers = section('Customers');
const RELEASED = 'Takes it out of the hands of its provision file, as it is';
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

  'GET /engines/:engineId/statistics/query': statistics.shows(
    'showQuery',
    'Tells all about the searches of one query',
    {
      query: QUERY_REPORT,
      record: QUERY_REPORT_BODY,
    },
  ),
  'GET /engines/:engineId/statistics/pages': statistics.lists('listClickedPages', 'Lists clicked results', {
    query: CLICK_LIST,
    record: CLICK_SUM_BODY,
  }),
  'GET /engines/:engineId/statistics/banners': statistics.lists('listClickedBanners', 'Lists clicked banners', {
    query: CLICK_LIST,
    record: CLICK_SUM_BODY,
  }),
  'GET /engines/:engineId/statistics/quicklinks': statistics.lists(
    'listClickedQuicklinks',
    'Lists clicked quicklinks',
    {
      query: CLICK_LIST,
      record: CLICK_SUM_BODY,
    },
  ),
  'GET /engines/:engineId/statistics/page': statistics.shows('showClickedPage', 'Tells the clicks on one page', {
    query: PAGE_CLICKS,
    record: PAGE_CLICKS_BODY,
  }),
  'GET /engines/:engineId/statistics/feedback': statistics.lists(
    'listFeedback',
    'Lists what visitors said, newest first',
    {
      query: FEEDBACK_LIST,
      record: FEEDBACK_BODY,
    },
  ),
  'GET /engines/:engineId/statistics/exchanges': statistics.lists(
    'listExchanges',
    'Lists questions with their answers and the pages that they cite, newest first',
    { query: EXCHANGE_LIST, record: EXCHANGE_BODY },
  ),

  'GET /engines/:engineId/documents/by-url': engines.shows('findDocumentByUrl', 'Shows the stored document of a URL', {
    query: DOCUMENT_URL,
    record: WHOLE_DOCUMENT_BODY,
  }),
  'POST /engines/:engineId/documents/:rid/extraction': engines.shows(
    'extractDocument',
    'Fetches the page of a document anew and tells what is read from it, and why',
    { record: EXTRACTION_BODY, errors: ['record.conflict', 'feature.disabled', 'rate.exceeded'] },
  ),

  'GET /logs': installation.shows('readLog', 'Tells the last lines of the log of all processes', {
    query: LOG_LIST,
    record: LOG_BODY,
  }),
  'GET /processes': installation.shows('listProcesses', 'Tells what processes and parts of the data folder take', {
    record: PROCESSES_BODY,
  }),
  'GET /queues': installation.lists('listQueues', 'Lists what waits and what failed, by crawler', {
    query: QUEUE_LIST,
    record: QUEUE_BODY,
  }),
  'POST /crawlers/:crawlerId/retry': crawlers.starts('retryFailed', 'Has URLs visited again whose last visit failed', {
    body: RETRY,
    record: RETRIED_BODY,
    errors: ['record.conflict'],
  }),

  'POST /customers/:customerId/release': customers.removes('releaseCustomer', RELEASED),
  'POST /engines/:engineId/release': engines.removes('releaseEngine', RELEASED),
  'POST /crawlers/:crawlerId/release': crawlers.removes('releaseCrawler', RELEASED),
};
