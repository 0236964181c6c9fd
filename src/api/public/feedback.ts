import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { RATINGS, type TrackingStore } from '../../storage/system/tracking.ts';
import {
  type CitesPage,
  type KnowsAnswer,
  logAnswerClick,
  logAnswerFeedback,
  logFeedback,
  logSummaryFeedback,
  type Opinion,
  type VisitorValues,
} from '../../tracking/log-feedback.ts';
import type { VerifyQueryId } from '../../tracking/search-events.ts';
import { bind, members, oneOf, text, textLike } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import type { Shown } from '../openapi/json-schema.ts';

export type FeedbackDeps = GuardDeps & {
  readonly systemStore: Pick<TrackingStore, 'addAnswerClick' | 'mergeFeedback' | 'mergeRatedFeedback'>;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  readonly verifyQueryId: VerifyQueryId;
  readonly knowsAnswer: KnowsAnswer;
  readonly citesPage: CitesPage;
};

const PATH = '/api/v4/:customerId/:engineId';

/** Feedback on results, answers and summaries, and clicks on sources of answers. Contract: 4.4, 4.5, 5.3, 6.1. */
export function feedbackRoutes(deps: FeedbackDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'open', rate: 'tracking' });
    const onRequest = access.check;
    app.post(`${PATH}/feedback`, { onRequest }, async (request) => {
      const { engine } = access.of(request);
      return resultFeedbackBody(await logFeedback(deps, engine, bind(RESULT_FEEDBACK, request.body)));
    });
    app.post(`${PATH}/search/answer/feedback`, { onRequest }, async (request) => {
      await logAnswerFeedback(deps, access.of(request).engine, bind(ANSWER_FEEDBACK, request.body));
      return {};
    });
    app.post(`${PATH}/search/summarize/feedback`, { onRequest }, async (request) => {
      await logSummaryFeedback(deps, access.of(request).engine, bind(SUMMARY_FEEDBACK, request.body));
      return {};
    });
    app.post(`${PATH}/search/answer/click`, { onRequest }, async (request) => {
      await logAnswerClick(deps, access.of(request).engine, bind(ANSWER_CLICK, request.body));
      return {};
    });
  };
}

const MAX_FREE_TEXT_CHARS = 4_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const filledText = textLike(/\S/, 'must be text that is not empty');
/** Free text is cut, not refused; empty text says nothing. */
const freeText = text()
  .transform((sent) => [...sent].slice(0, MAX_FREE_TEXT_CHARS).join('') || undefined)
  .meta({ minLength: 1, description: `Kept up to ${MAX_FREE_TEXT_CHARS} characters.` })
  .optional();

/** About the visitor, stored as it is. Contract: 4.1 `Visitor`. */
export const visitorMembers = {
  sessionId: text().optional(),
  deviceId: text().optional(),
  deviceType: text().optional(),
  inputType: text().optional(),
  ip: text().optional(),
  userAgent: text().optional(),
  browserLanguage: text().optional(),
  screenResolution: text().optional(),
  applicationName: text().optional(),
  applicationVersion: text().optional(),
};

const opinionMembers = {
  rating: oneOf(RATINGS).optional(),
  reason: freeText,
  comment: freeText,
  language: text().optional(),
  ...visitorMembers,
};

const NO_OPINION = { path: ['rating'], message: 'is required, or else reason or comment' };
const OPINION_FORM = { anyOf: ['rating', 'reason', 'comment'].map((name) => ({ required: [name] })) };

/** Contract: 6.1. */
export const RESULT_FEEDBACK = members({
  ...opinionMembers,
  url: text().optional(),
  queryId: text().optional(),
  feedbackId: textLike(UUID, 'must be a UUID').optional(),
})
  .refine(hasOpinion, NO_OPINION)
  .transform(({ url, queryId, feedbackId, ...opinion }) => ({ ...opinionOf(opinion), url, queryId, feedbackId }))
  .meta(OPINION_FORM);

/** Contract: 4.5. */
export const ANSWER_FEEDBACK = members({ ...opinionMembers, conversationId: filledText, exchangeId: filledText })
  .refine(hasOpinion, NO_OPINION)
  .transform(({ conversationId, exchangeId, ...opinion }) => ({ ...opinionOf(opinion), conversationId, exchangeId }))
  .meta(OPINION_FORM);

/** A blank `summaryId` is none. Contract: 5.3. */
export const SUMMARY_FEEDBACK = members({ ...opinionMembers, summaryId: text({ trim: true }).optional() })
  .refine(hasOpinion, NO_OPINION)
  .transform(({ summaryId, ...opinion }) => ({ ...opinionOf(opinion), summaryId: summaryId || undefined }))
  .meta(OPINION_FORM);

/** Contract: 4.4. */
export const ANSWER_CLICK = members({
  conversationId: filledText,
  exchangeId: filledText,
  url: filledText,
  language: text().optional(),
  ...visitorMembers,
}).transform(({ conversationId, exchangeId, url, ...visitor }) => {
  return { conversationId, exchangeId, url, visitor: presentTexts(visitor) };
});

type SentOpinion = z.output<z.ZodObject<typeof opinionMembers>>;

function hasOpinion({ rating, reason, comment }: SentOpinion): boolean {
  return rating !== undefined || reason !== undefined || comment !== undefined;
}

function opinionOf({ rating, reason, comment, language, ...visitor }: SentOpinion): Opinion {
  return { rating, reason, comment, language, visitor: presentTexts(visitor) };
}

export function presentTexts(texts: Readonly<Record<string, string | undefined>>): VisitorValues {
  return Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export const RESULT_FEEDBACK_RESPONSE = z
  .object({ value: z.object({ eventId: z.string(), feedbackId: z.string() }) })
  .meta({ id: 'StoredFeedback' });

/** Contract: 6.1. */
function resultFeedbackBody({
  eventId,
  feedbackId,
}: {
  readonly eventId: string;
  readonly feedbackId: string;
}): Shown<typeof RESULT_FEEDBACK_RESPONSE> {
  return { value: { eventId, feedbackId } };
}
