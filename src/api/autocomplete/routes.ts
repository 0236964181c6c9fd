import type { FastifyPluginAsync } from 'fastify';
import { bind } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import { notBuilt } from '../not-built.ts';
import { queryPairs } from '../query-string.ts';
import { AUTOCOMPLETE_PARAMETERS, AUTOCOMPLETE_REQUESTS } from './schemas.ts';

/** Autocomplete: requests are checked in full. Contract: 3. */
export function autocompleteRoutes(deps: GuardDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'any', rate: 'search' });
    const onRequest = access.check;
    for (const version of ['v3', 'v4'] as const) {
      const path = `/api/${version}/:customerId/:engineId/autocomplete`;
      const schema = AUTOCOMPLETE_REQUESTS[version];
      app.get(path, { onRequest }, async (request) => {
        bind(schema, bind(AUTOCOMPLETE_PARAMETERS, queryPairs(request)));
        throw notBuilt('Autocomplete');
      });
      app.post(path, { onRequest }, async (request) => {
        bind(schema, request.body);
        throw notBuilt('Autocomplete');
      });
    }
  };
}
