import type { FastifyPluginAsync } from 'fastify';
import { bind } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import { notBuilt } from '../not-built.ts';
import { SUMMARY_REQUEST } from './schemas.ts';

const PATH = '/api/v4/:customerId/:engineId/search/summarize';

/** AI Summary: requests are checked in full. Contract: 5.1. */
export function summaryRoutes(deps: GuardDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'any', rate: 'ai', feature: 'ai' });
    for (const path of [PATH, `${PATH}/stream`]) {
      app.post(path, { onRequest: access.check }, async (request) => {
        bind(SUMMARY_REQUEST, request.body);
        throw notBuilt('AI Summary');
      });
    }
  };
}
