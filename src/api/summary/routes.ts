import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { collectAnswer } from '../../ai/collect-answer.ts';
import type { DeliveryForm } from '../../ai/deliver-answer.ts';
import { printLinked, printPlain } from '../../ai/print-segment.ts';
import { type SummaryDeps, summarizeSources } from '../../ai/summarize.ts';
import { yieldBriefly } from '../../core/yield.ts';
import { bind } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import { requestSignal } from '../request-signal.ts';
import { sendTextStream, setFallback, setStreamIds } from '../stream-text.ts';
import { summaryResponse } from './responses.ts';
import { SUMMARY_REQUEST } from './schemas.ts';

export type SummaryRouteDeps = GuardDeps & SummaryDeps & { readonly newId: () => string };

const PATH = '/api/v4/:customerId/:engineId/search/summarize';

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
    app.post(PATH, { onRequest: [yieldBriefly, access.check] }, async (request, reply) => {
      const { ids, events } = summarize(request, reply, 'whole');
      const summary = await collectAnswer(events);
      if (summary.isFallback) setFallback(reply, prefixes);
      return summaryResponse(summary, ids);
    });
    app.post(`${PATH}/stream`, { onRequest: [yieldBriefly, access.check], compress: false }, async (request, reply) => {
      const { ids, includeCitations, events } = summarize(request, reply, 'stream');
      setStreamIds(reply, prefixes, { 'Summary-Id': ids.summaryId, 'Summary-Request-Id': ids.summaryRequestId });
      return sendTextStream(deps, reply, { events, print: includeCitations ? printLinked : printPlain });
    });
  };
}
