import type { FastifyPluginAsync } from 'fastify';
import { bind } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import { notBuilt } from '../not-built.ts';
import { answerRequest } from './schemas.ts';

const PATH = '/api/v4/:customerId/:engineId/search/answer';

/** AI Chat: requests are checked in full. Contract: 4.1. */
export function answerRoutes(deps: GuardDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'any', rate: 'ai', feature: 'ai-chat' });
    const schema = answerRequest(deps.settings.maxQuestionChars);
    for (const path of [PATH, `${PATH}/stream`]) {
      app.post(path, { onRequest: access.check }, async (request) => {
        bind(schema, request.body);
        throw notBuilt('AI Chat');
      });
    }
  };
}
