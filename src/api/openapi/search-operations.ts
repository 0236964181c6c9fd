import { z } from 'zod';
import { PAGE_SETTINGS_RESPONSE } from '../page-settings.ts';
import { ANSWER_RESPONSE, answerRequest, SUMMARY_REQUEST, SUMMARY_RESPONSE } from '../public/answers.ts';
import { AUTOCOMPLETE_QUERY, AUTOCOMPLETE_REQUESTS, AUTOCOMPLETE_RESPONSES } from '../public/autocomplete.ts';
import {
  ANSWER_CLICK,
  ANSWER_FEEDBACK,
  RESULT_FEEDBACK,
  RESULT_FEEDBACK_RESPONSE,
  SUMMARY_FEEDBACK,
} from '../public/feedback.ts';
import { PUBLIC_SETTINGS_RESPONSE } from '../public/settings.ts';
import { CLICK_EVENT, QUERY_EVENT } from '../public/tracking.ts';
import { SEARCH_HTML_RESPONSES } from '../search/html.ts';
import { SEARCH_RESPONSES } from '../search/responses.ts';
import { SEARCH_PARAMETERS } from '../search/routes.ts';
import { type ApiVersion, SEARCH_REQUEST } from '../search/schemas.ts';
import type { Operation, OperationAnswer, Operations } from './operation.ts';

const ENGINE_V3 = '/api/v3/:customerId/:engineId';
const ENGINE_V4 = '/api/v4/:customerId/:engineId';

/** What browsers ask. `maxQuestionChars` is the limit of this installation. */
export function searchOperations(maxQuestionChars: number): Operations {
  return {
    ...versionOperations('v4'),
    ...versionOperations('v3'),
    ...answerOperations(maxQuestionChars),
    ...TRACKING,
    [`GET ${ENGINE_V4}/page-settings`]: {
      id: 'pageSettings',
      tag: 'Public settings',
      summary: 'Language, texts, looks and features of a search page or widget',
      answer: { about: 'The settings of the page', schema: PAGE_SETTINGS_RESPONSE },
      alsoAnswers: [{ status: 304, about: 'Those that the ETag names still hold' }],
    },
    [`GET ${ENGINE_V3}/websites/publicsettings`]: {
      id: 'publicSettings',
      tag: 'Public settings',
      summary: 'What a search page needs before the first search',
      description: 'Kept by browsers for a minute, then asked for by its ETag.',
      answer: { about: 'The public settings of the engine', schema: PUBLIC_SETTINGS_RESPONSE },
      alsoAnswers: [{ status: 304, about: 'Those that the ETag names still hold' }],
    },
  };
}

function versionOperations(version: ApiVersion): Operations {
  const engine = version === 'v4' ? ENGINE_V4 : ENGINE_V3;
  const suffix = version === 'v4' ? '' : 'V3';
  const completions: Omit<Operation, 'id'> = {
    tag: 'Autocomplete',
    summary: 'Completes what was typed',
    description: 'Never counted as a search.',
    answer: { about: 'The completions and the best documents', schema: AUTOCOMPLETE_RESPONSES[version] },
  };
  return {
    [`POST ${engine}/search`]: {
      id: `search${suffix}`,
      tag: 'Search',
      summary: 'Searches an engine',
      query: SEARCH_PARAMETERS,
      body: SEARCH_REQUEST[version],
      answer: {
        about:
          'The hits. With `responseType: JsonHtml` also as HTML, with `casing=camel` with names that start lower case',
        schema: z.union([SEARCH_RESPONSES[version], SEARCH_HTML_RESPONSES[version]]),
      },
      errors: ['search.too-costly', 'search.timeout'],
    },
    [`GET ${engine}/autocomplete`]: { ...completions, id: `autocomplete${suffix}`, query: AUTOCOMPLETE_QUERY },
    [`POST ${engine}/autocomplete`]: {
      ...completions,
      id: `postAutocomplete${suffix}`,
      summary: 'Completes what was typed, sent as a body',
      body: AUTOCOMPLETE_REQUESTS[version],
    },
  };
}

/** Names of headers as an installation sends them unless `STREAM_HEADER_PREFIXES` says otherwise. */
const CONVERSATION_HEADERS = {
  'Service-Conversation-Id': 'The conversation, for questions that go on from this one.',
  'Service-Exchange-Id': 'The question and its answer, for feedback.',
};
const SUMMARY_HEADERS = {
  'Service-Summary-Id': 'The summary, for feedback.',
  'Service-Summary-Request-Id': 'The `conversationId` of questions that go on from the summary.',
};

function answerOperations(maxQuestionChars: number): Operations {
  const question = { tag: 'AI Chat', body: answerRequest(maxQuestionChars) } as const;
  const summary = { tag: 'AI Summary', body: SUMMARY_REQUEST } as const;
  const stream = {
    type: 'text/plain',
    about: 'Plain text, one write per sentence, with its citations inline',
  } as const;
  return {
    [`POST ${ENGINE_V4}/search/answer`]: {
      id: 'answer',
      summary: 'Answers a question from the documents of the engine',
      description: 'A question that the documents do not answer is 200 with `couldAnswer: false`.',
      answer: { about: 'The answer', schema: ANSWER_RESPONSE },
      errors: ['llm.unavailable'],
      ...question,
    },
    [`POST ${ENGINE_V4}/search/answer/stream`]: {
      id: 'answerStream',
      summary: 'Answers a question, sentence by sentence',
      answer: { ...stream, headers: CONVERSATION_HEADERS },
      errors: ['stream.unavailable'],
      ...question,
    },
    [`POST ${ENGINE_V4}/search/summarize`]: {
      id: 'summarize',
      summary: 'Sums up what hits of a search say about its query',
      answer: { about: 'The summary', schema: SUMMARY_RESPONSE },
      errors: ['summary.insufficient-context', 'llm.unavailable'],
      ...summary,
    },
    [`POST ${ENGINE_V4}/search/summarize/stream`]: {
      id: 'summarizeStream',
      summary: 'Sums up hits, sentence by sentence',
      answer: { ...stream, headers: SUMMARY_HEADERS },
      errors: ['summary.insufficient-context', 'stream.unavailable'],
      ...summary,
    },
  };
}

const PUSHSTAT = `${ENGINE_V3}/search/pushstat`;
const STORED_EVENT: OperationAnswer = {
  about: 'The event is on disk',
  schema: z.object({ id: z.string() }).meta({ id: 'StoredEvent' }),
};
const PIXEL: OperationAnswer = { about: 'A transparent pixel, whatever becomes of the event', type: 'image/gif' };
const NOTHING: OperationAnswer = { about: 'It is stored', schema: z.object({}) };

const RATED_FIRST = 'A reason or a comment may follow the rating in calls of their own, with the same ids.';

const TRACKING: Operations = {
  [`POST ${PUSHSTAT}/querylog`]: event('logQuery', 'Logs a search that a visitor committed', { body: QUERY_EVENT }),
  [`POST ${PUSHSTAT}/clicklog`]: event('logClick', 'Logs a click', { body: CLICK_EVENT }),
  [`GET ${PUSHSTAT}/__utm.gif`]: event('logQueryByPixel', 'Logs a search by an image', { query: QUERY_EVENT }),
  [`GET ${PUSHSTAT}/__ctm.gif`]: event('logClickByPixel', 'Logs a click by an image', { query: CLICK_EVENT }),
  [`POST ${ENGINE_V4}/feedback`]: {
    id: 'rateResults',
    tag: 'Tracking and feedback',
    summary: 'Feedback on results: a rating, a reason or a comment',
    body: RESULT_FEEDBACK,
    answer: { about: 'The feedback is stored', schema: RESULT_FEEDBACK_RESPONSE },
  },
  [`POST ${ENGINE_V4}/search/answer/feedback`]: {
    id: 'rateAnswer',
    tag: 'AI Chat',
    summary: 'Feedback on an answer: a rating, a reason or a comment',
    description: RATED_FIRST,
    body: ANSWER_FEEDBACK,
    answer: NOTHING,
  },
  [`POST ${ENGINE_V4}/search/answer/click`]: {
    id: 'logAnswerClick',
    tag: 'AI Chat',
    summary: 'Logs a click on a source of an answer',
    body: ANSWER_CLICK,
    answer: NOTHING,
  },
  [`POST ${ENGINE_V4}/search/summarize/feedback`]: {
    id: 'rateSummary',
    tag: 'AI Summary',
    summary: 'Feedback on a summary: a rating, a reason or a comment',
    description: RATED_FIRST,
    body: SUMMARY_FEEDBACK,
    answer: NOTHING,
  },
};

function event(id: string, summary: string, sent: Pick<Operation, 'query' | 'body'>): Operation {
  const answer = sent.query === undefined ? STORED_EVENT : PIXEL;
  const errors = sent.query === undefined ? (['query-id.unknown'] as const) : [];
  return { id, tag: 'Tracking and feedback', summary, ...sent, answer, errors };
}
