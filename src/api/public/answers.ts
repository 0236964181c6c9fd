import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AnswerDeps, answerQuestion } from '../../ai/answer.ts';
import {
  type CollectedAnswer,
  citationsOf,
  collectAnswer,
  mainUrl,
  printAnswer,
  printLinked,
  printNumbered,
  printPlain,
} from '../../ai/answer-event.ts';
import type { DeliveryForm } from '../../ai/deliver-answer.ts';
import { type SummaryDeps, summarizeSources } from '../../ai/summarize.ts';
import { yieldBriefly } from '../../core/yield.ts';
import { bind, boolean, integer, listOf, members, oneOf, text, textLike } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { FILTERS, VALUE_BOOST } from '../search/schemas.ts';
import { sendTextStream, setFallback, setStreamIds } from '../stream-text.ts';
import { presentTexts, visitorMembers } from './feedback.ts';

export type AnswerRouteDeps = GuardDeps & AnswerDeps & { readonly newId: () => string };

const ANSWER_PATH = '/api/v4/:customerId/:engineId/search/answer';

/** AI Chat. Contract: 4. */
export function answerRoutes(deps: AnswerRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'any', rate: 'ai', feature: 'ai-chat' });
    const schema = answerRequest(deps.settings.maxQuestionChars);
    const { streamHeaderPrefixes: prefixes, answerDeadlineMs } = deps.settings;
    const ask = (request: FastifyRequest, reply: FastifyReply, form: DeliveryForm) => {
      const { engine, hasKey } = access.of(request);
      const { conversationId: sentId, includeCitations, ...sent } = bind(schema, request.body);
      const ids = { conversationId: sentId ?? deps.newId(), exchangeId: deps.newId() };
      const isConversationNew = sentId === undefined;
      const signal = requestSignal(reply, answerDeadlineMs);
      const events = answerQuestion(deps, { engine, hasKey, form, ...sent, ...ids, isConversationNew, signal });
      return { ids, includeCitations, events };
    };
    app.post(ANSWER_PATH, { onRequest: [yieldBriefly, access.check] }, async (request, reply) => {
      const { ids, includeCitations, events } = ask(request, reply, 'whole');
      const answer = await collectAnswer(events);
      if (answer.isFallback) setFallback(reply, prefixes);
      return answerResponse(answer, ids, { includeCitations });
    });
    app.post(
      `${ANSWER_PATH}/stream`,
      { onRequest: [yieldBriefly, access.check], compress: false },
      async (request, reply) => {
        const { ids, events } = ask(request, reply, 'stream');
        setStreamIds(reply, prefixes, { 'Conversation-Id': ids.conversationId, 'Exchange-Id': ids.exchangeId });
        return sendTextStream(deps, reply, { events, print: printLinked });
      },
    );
  };
}

const MAX_PROMPT_CHARS = 4_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LANGUAGE = /^[a-z]{2,3}([-_][a-z0-9]{2,8})?$/i;
/** What answers are made of unless the caller names other fields. Contract: 4.1. */
const DEFAULT_FIELDS: readonly string[] = ['Title', 'Description', 'Content'];
/** As many as a document may have. Contract: 1.9. */
const MAX_SOURCE_FIELDS = 1_000;

const LENGTH = oneOf(['comprehensive', 'concise']);
const SOURCE_FIELD_NAMES = listOf(text({ min: 1 }), { max: MAX_SOURCE_FIELDS }).transform((names): readonly string[] =>
  names.length === 0 ? DEFAULT_FIELDS : [...new Set(names)],
);

/** Members that questions and summaries share. Contract: 4.1, 5.1. */
const composerMembers = {
  language: textLike(LANGUAGE, 'must be a language code like en or en-GB').optional(),
  answerLength: LENGTH.optional(),
  customPrompt: text({ max: MAX_PROMPT_CHARS }).optional(),
  includeCitations: boolean().default(false),
  ...visitorMembers,
};

/** What a question needs. Contract: 4.1. */
export function questionMembers(maxQuestionChars: number) {
  return {
    question: text({ min: 1, max: maxQuestionChars, trim: true }),
    conversationId: textLike(UUID, 'must be a UUID').optional(),
  };
}

/** Contract: 4.1. */
export function answerRequest(maxQuestionChars: number) {
  return members({
    ...questionMembers(maxQuestionChars),
    filters: FILTERS.default([]),
    valueBoost: VALUE_BOOST.default([]),
    sourceFields: SOURCE_FIELD_NAMES.default(DEFAULT_FIELDS),
    ...composerMembers,
  }).transform(({ question, conversationId, filters, valueBoost, sourceFields, ...sent }) => {
    const { language, answerLength, customPrompt, includeCitations, ...visitor } = sent;
    return {
      question,
      filters,
      boosts: valueBoost,
      sourceFields,
      language,
      customPrompt,
      includeCitations,
      conversationId: conversationId?.toLowerCase(),
      length: answerLength ?? ('comprehensive' as const),
      visitor: presentTexts(visitor),
    };
  });
}

type AnswerIds = { readonly conversationId: string; readonly exchangeId: string };

export const CITATION = z.object({
  reference: z.int(),
  url: z.string(),
  pageTitle: z.string(),
  snippet: z.string(),
});

export function citationRows({ segments }: Pick<CollectedAnswer, 'segments'>): readonly Shown<typeof CITATION>[] {
  return citationsOf(segments).map(({ reference, url, pageTitle, snippet }) => ({
    reference,
    url,
    pageTitle,
    snippet,
  }));
}

export const ANSWER_RESPONSE = z
  .object({
    value: z.object({
      answer: z.string(),
      url: z.string().describe('The page that most sentences cite, else "".'),
      chatSessionId: z.string(),
      conversationId: z.string(),
      exchangeId: z.string(),
      citations: z.array(CITATION),
      couldAnswer: z.boolean(),
    }),
  })
  .meta({ id: 'Answer' });

/** Contract: 4.2. */
function answerResponse(
  { segments, outcome }: CollectedAnswer,
  { conversationId, exchangeId }: AnswerIds,
  { includeCitations }: { readonly includeCitations: boolean },
): Shown<typeof ANSWER_RESPONSE> {
  return {
    value: {
      answer: printAnswer(segments, includeCitations ? printNumbered : printPlain),
      url: mainUrl(segments),
      chatSessionId: conversationId,
      conversationId,
      exchangeId,
      citations: includeCitations ? citationRows({ segments }) : [],
      couldAnswer: outcome.refusal === undefined,
    },
  };
}

export type SummaryRouteDeps = GuardDeps & SummaryDeps & { readonly newId: () => string };

const SUMMARY_PATH = '/api/v4/:customerId/:engineId/search/summarize';

/** AI Summary. Contract: 5. */
export function summaryRoutes(deps: SummaryRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'any', rate: 'ai', feature: 'ai' });
    const { streamHeaderPrefixes: prefixes, answerDeadlineMs } = deps.settings;
    const summarize = (request: FastifyRequest, reply: FastifyReply, form: DeliveryForm) => {
      const { engine, hasKey } = access.of(request);
      const { includeCitations, ...sent } = bind(SUMMARY_REQUEST, request.body);
      const ids = { summaryId: deps.newId(), summaryRequestId: deps.newId() };
      const signal = requestSignal(reply, answerDeadlineMs);
      const events = summarizeSources(deps, { engine, hasKey, form, ...sent, ...ids, signal });
      return { ids, includeCitations, events };
    };
    app.post(SUMMARY_PATH, { onRequest: [yieldBriefly, access.check] }, async (request, reply) => {
      const { ids, events } = summarize(request, reply, 'whole');
      const summary = await collectAnswer(events);
      if (summary.isFallback) setFallback(reply, prefixes);
      return summaryResponse(summary, ids);
    });
    app.post(
      `${SUMMARY_PATH}/stream`,
      { onRequest: [yieldBriefly, access.check], compress: false },
      async (request, reply) => {
        const { ids, includeCitations, events } = summarize(request, reply, 'stream');
        setStreamIds(reply, prefixes, { 'Summary-Id': ids.summaryId, 'Summary-Request-Id': ids.summaryRequestId });
        return sendTextStream(deps, reply, { events, print: includeCitations ? printLinked : printPlain });
      },
    );
  };
}

const MAX_SOURCES = 5;
const MAX_QUERY_CHARS = 4_000;
const HIGHEST_INDEX = 1_000_000;

const SOURCE = members({
  id: text({ min: 1 }),
  fields: SOURCE_FIELD_NAMES.default(DEFAULT_FIELDS),
  resultIndex: integer({ min: 0, max: HIGHEST_INDEX }).optional(),
}).transform(({ id, fields }) => ({ id, fields }));

/** Contract: 5.1. */
export const SUMMARY_REQUEST = members({
  query: text({ min: 1, max: MAX_QUERY_CHARS, trim: true }),
  queryId: text().optional(),
  sources: listOf(SOURCE, { min: 1, max: MAX_SOURCES }),
  length: LENGTH.optional(),
  ...composerMembers,
}).transform(({ query, queryId, sources, length, ...sent }) => {
  const { language, answerLength, customPrompt, includeCitations, ...visitor } = sent;
  return {
    query,
    sources,
    language,
    customPrompt,
    includeCitations,
    length: answerLength ?? length ?? ('comprehensive' as const),
    visitor: presentTexts({ ...visitor, queryId }),
  };
});

type SummaryIds = { readonly summaryId: string; readonly summaryRequestId: string };

export const SUMMARY_RESPONSE = z
  .object({
    value: z.object({
      summary: z.string(),
      summaryId: z.string(),
      summaryRequestId: z.string().describe('The `conversationId` of questions that go on from the summary.'),
      summarySourceUrls: z.array(z.string()),
    }),
  })
  .meta({ id: 'Summary' });

/** Contract: 5.2. */
function summaryResponse(
  { segments }: CollectedAnswer,
  { summaryId, summaryRequestId }: SummaryIds,
): Shown<typeof SUMMARY_RESPONSE> {
  return {
    value: {
      summary: printAnswer(segments, printPlain),
      summaryId,
      summaryRequestId,
      summarySourceUrls: [...new Set(citationsOf(segments).map(({ url }) => url))].filter((url) => url !== ''),
    },
  };
}
