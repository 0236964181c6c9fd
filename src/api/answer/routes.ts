import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type AnswerDeps, answerQuestion } from '../../ai/answer.ts';
import { collectAnswer } from '../../ai/collect-answer.ts';
import type { DeliveryForm } from '../../ai/deliver-answer.ts';
import { printLinked } from '../../ai/print-segment.ts';
import { yieldBriefly } from '../../core/yield.ts';
import { bind } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import { requestSignal } from '../request-signal.ts';
import { sendTextStream, setFallback, setStreamIds } from '../stream-text.ts';
import { answerResponse } from './responses.ts';
import { answerRequest } from './schemas.ts';

export type AnswerRouteDeps = GuardDeps & AnswerDeps & { readonly newId: () => string };

const PATH = '/api/v4/:customerId/:engineId/search/answer';

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
    app.post(PATH, { onRequest: [yieldBriefly, access.check] }, async (request, reply) => {
      const { ids, includeCitations, events } = ask(request, reply, 'whole');
      const answer = await collectAnswer(events);
      if (answer.isFallback) setFallback(reply, prefixes);
      return answerResponse(answer, ids, { includeCitations });
    });
    app.post(`${PATH}/stream`, { onRequest: [yieldBriefly, access.check], compress: false }, async (request, reply) => {
      const { ids, events } = ask(request, reply, 'stream');
      setStreamIds(reply, prefixes, { 'Conversation-Id': ids.conversationId, 'Exchange-Id': ids.exchangeId });
      return sendTextStream(deps, reply, { events, print: printLinked });
    });
  };
}
