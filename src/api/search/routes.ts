import type { FastifyPluginAsync } from 'fastify';
import { type SearchDeps, search } from '../../search/search.ts';
import { bind, members, oneOf } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import { notBuilt } from '../not-built.ts';
import { queryMembers } from '../query-string.ts';
import { requestSignal } from '../request-signal.ts';
import { camelCased, searchResponse } from './responses.ts';
import { SEARCH_REQUEST } from './schemas.ts';

export type SearchRouteDeps = GuardDeps & SearchDeps;

const DEADLINE_MS = 5_000;
const PARAMETERS = members({ casing: oneOf(['camel', 'pascal']).optional() });

/** Contract: 2. */
export function searchRoutes(deps: SearchRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'any', rate: 'search' });
    for (const version of ['v3', 'v4'] as const) {
      const path = `/api/${version}/:customerId/:engineId/search`;
      app.post(path, { onRequest: access.check }, async (request, reply) => {
        const { engine } = access.of(request);
        const { casing } = bind(PARAMETERS, queryMembers(request));
        const sent = bind(SEARCH_REQUEST[version], request.body);
        if (sent.responseType === 'JsonHtml') throw notBuilt('The response type JsonHtml');
        const signal = requestSignal(reply, DEADLINE_MS);
        const response = searchResponse(await search(deps, { engine, request: sent.request, signal }));
        return casing === 'camel' ? camelCased(response) : response;
      });
    }
  };
}
