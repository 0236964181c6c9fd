import { VISIT_BODY } from '../admin/crawl-responses.ts';
import {
  NEW_QUESTION,
  QUESTION_BODY,
  QUESTION_LIST,
  QUESTION_STATE_BODY,
  QUESTION_STATES,
} from '../admin/golden-questions.ts';
import { HOST_BODY, HOST_LIST, HOST_ORIGIN } from '../admin/hosts.ts';
import { DUPLICATE_LIST, DUPLICATES_BODY, PATTERN_BODY, PATTERN_LIST } from '../admin/patterns.ts';
import {
  DECIDED_REMOVALS_BODY,
  REMOVAL_BODY,
  REMOVAL_CHOICE,
  REMOVAL_GROUPS,
  REMOVAL_GROUPS_BODY,
  REMOVAL_LIST,
} from '../admin/removals.ts';
import { RUN_VISITS } from '../admin/runs.ts';
import {
  GAP_RANGE,
  GAPS_BODY,
  QUERIES_BODY,
  QUERY_RANGE,
  STATISTICS_BODY,
  STATISTICS_RANGE,
  USAGE_BODY,
  USAGE_RANGE,
} from '../admin/statistics.ts';
import { URL_EXPLANATION_BODY } from '../admin/url-explanation.ts';
import { URL_EXPLANATION, URL_FILTER, URL_LIST, URLS_BODY } from '../admin/urls.ts';
import { section } from './admin-operations.ts';
import type { Operations } from './operation.ts';

const runs = section('Runs');
const urls = section('URLs');
const removals = section('Removals');
const statistics = section('Statistics');
const questions = section('Golden questions');

/** What was crawled, searched and asked, below the prefix of the admin API. */
export const ADMIN_CRAWL_OPERATIONS: Operations = {
  'GET /crawlers/:crawlerId/runs/:runId/events': runs.sends('watchRun', 'Tells how a run gets on', {
    answer: { about: 'Events as long as the run lives', type: 'text/event-stream' },
    description: 'Events `progress`, once a second when something has changed, and at last `end`.',
    errors: ['rate.exceeded'],
  }),
  'GET /crawlers/:crawlerId/runs/:runId/visits': runs.lists('listVisitsOfRun', 'Lists the visits of a run', {
    query: RUN_VISITS,
    record: VISIT_BODY,
  }),

  'GET /crawlers/:crawlerId/urls': urls.shows(
    'listUrls',
    'Lists what the crawler knows of URLs, or counts them by group',
    {
      query: URL_LIST,
      record: URLS_BODY,
    },
  ),
  'GET /crawlers/:crawlerId/urls.csv': urls.sends('exportUrls', 'Gives what the crawler knows of URLs as CSV', {
    query: URL_FILTER,
    answer: { about: 'Rows of RFC 4180', type: 'text/csv' },
  }),
  'GET /crawlers/:crawlerId/explain': urls.shows('explainUrl', 'Tells all about one URL', {
    query: URL_EXPLANATION,
    record: URL_EXPLANATION_BODY,
  }),
  'GET /crawlers/:crawlerId/hosts': urls.lists('listHosts', 'Lists hosts and why they are left alone', {
    query: HOST_LIST,
    record: HOST_BODY,
  }),
  'POST /crawlers/:crawlerId/hosts/release': urls.removes('releaseHost', 'Ends the holds of a host', {
    body: HOST_ORIGIN,
  }),
  'POST /crawlers/:crawlerId/hosts/refresh-robots': urls.removes(
    'refreshRobots',
    'Has robots.txt of a host fetched anew',
    {
      body: HOST_ORIGIN,
    },
  ),
  'GET /crawlers/:crawlerId/patterns': urls.lists('listPatterns', 'Lists families of URLs', {
    query: PATTERN_LIST,
    record: PATTERN_BODY,
  }),
  'POST /crawlers/:crawlerId/patterns/:patternId/open': urls.shows('openPattern', 'Has a family of URLs visited', {
    record: PATTERN_BODY,
  }),
  'POST /crawlers/:crawlerId/patterns/:patternId/close': urls.shows('closePattern', 'Leaves a family of URLs alone', {
    record: PATTERN_BODY,
  }),
  'GET /crawlers/:crawlerId/duplicates': urls.shows('listDuplicates', 'Lists pages with the same content', {
    query: DUPLICATE_LIST,
    record: DUPLICATES_BODY,
  }),

  'GET /crawlers/:crawlerId/removals': removals.lists('listRemovals', 'Lists documents that left or wait to leave', {
    query: REMOVAL_LIST,
    record: REMOVAL_BODY,
  }),
  'GET /crawlers/:crawlerId/removals/groups': removals.shows(
    'groupRemovals',
    'Counts them by class, cause and family',
    {
      query: REMOVAL_GROUPS,
      record: REMOVAL_GROUPS_BODY,
    },
  ),
  'POST /crawlers/:crawlerId/approve-removals': removals.shows('approveRemovals', 'Lets documents leave', {
    body: REMOVAL_CHOICE,
    record: DECIDED_REMOVALS_BODY,
  }),
  'POST /crawlers/:crawlerId/undo-removals': removals.shows('undoRemovals', 'Brings documents back', {
    body: REMOVAL_CHOICE,
    record: DECIDED_REMOVALS_BODY,
  }),

  'GET /engines/:engineId/statistics': statistics.shows(
    'showStatistics',
    'Counts searches and clicks by day and device',
    {
      query: STATISTICS_RANGE,
      record: STATISTICS_BODY,
    },
  ),
  'GET /engines/:engineId/statistics/queries': statistics.shows('listQueries', 'Counts searches and clicks by query', {
    query: QUERY_RANGE,
    record: QUERIES_BODY,
  }),
  'GET /engines/:engineId/statistics/answers': statistics.shows(
    'showAnswerUsage',
    'Counts answers and what they cost',
    {
      query: USAGE_RANGE,
      record: USAGE_BODY,
    },
  ),
  'GET /engines/:engineId/statistics/gaps': statistics.shows('listGaps', 'Lists questions that the documents lack', {
    query: GAP_RANGE,
    record: GAPS_BODY,
    errors: ['search.timeout'],
  }),

  'GET /engines/:engineId/statistics/golden': questions.lists(
    'listQuestionStates',
    'Tells how each was answered last',
    {
      query: QUESTION_STATES,
      record: QUESTION_STATE_BODY,
    },
  ),
  'GET /engines/:engineId/golden-questions': questions.lists('listQuestions', 'Lists golden questions', {
    query: QUESTION_LIST,
    record: QUESTION_BODY,
  }),
  'POST /engines/:engineId/golden-questions': questions.makes('addQuestion', 'Makes a golden question', {
    body: NEW_QUESTION,
    record: QUESTION_BODY,
  }),
  'DELETE /engines/:engineId/golden-questions/:questionId': questions.removes(
    'removeQuestion',
    'Removes a golden question',
  ),
  'POST /engines/:engineId/golden-questions/ask': questions.lists('askQuestions', 'Asks all of them now', {
    record: QUESTION_STATE_BODY,
  }),
};
