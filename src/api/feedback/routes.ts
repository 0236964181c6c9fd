import type { FastifyPluginAsync } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import type { TrackingStore } from '../../storage/tracking-store.ts';
import { type CitesPage, logAnswerClick } from '../../tracking/log-answer-click.ts';
import { type KnowsAnswer, logAnswerFeedback, logSummaryFeedback } from '../../tracking/log-answer-feedback.ts';
import { logFeedback } from '../../tracking/log-feedback.ts';
import type { VerifyQueryId } from '../../tracking/tracked-query.ts';
import { bind } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import { resultFeedbackBody } from './responses.ts';
import { ANSWER_CLICK, ANSWER_FEEDBACK, RESULT_FEEDBACK, SUMMARY_FEEDBACK } from './schemas.ts';

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
