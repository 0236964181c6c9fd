import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type AutocompleteDeps, autocomplete } from '../../search/autocomplete.ts';
import { bind } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import { queryPairs } from '../query-string.ts';
import { requestSignal } from '../request-signal.ts';
import { autocompleteHtml, autocompleteV3, autocompleteV4 } from './responses.ts';
import { AUTOCOMPLETE_PARAMETERS, AUTOCOMPLETE_REQUESTS } from './schemas.ts';

export type AutocompleteRouteDeps = GuardDeps & AutocompleteDeps;

const DEADLINE_MS = 5_000;
const OBJECT_FORMS = { v3: autocompleteV3, v4: autocompleteV4 } as const;

/** Contract: 3. */
export function autocompleteRoutes(deps: AutocompleteRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'any', rate: 'search' });
    const onRequest = access.check;
    for (const version of ['v3', 'v4'] as const) {
      const path = `/api/${version}/:customerId/:engineId/autocomplete`;
      const answer = async (call: FastifyRequest, reply: FastifyReply, sent: unknown) => {
        const { engine } = access.of(call);
        const { request, form, template } = bind(AUTOCOMPLETE_REQUESTS[version], sent);
        const result = await autocomplete(deps, { engine, request, signal: requestSignal(reply, DEADLINE_MS) });
        if (form === 'texts') return result.suggestions;
        if (form === 'object') return OBJECT_FORMS[version](result);
        const { htmlHookPrefixes: prefixes } = deps.settings;
        return autocompleteHtml(result, { prefixes, language: engine.language, template });
      };
      app.get(path, { onRequest }, async (request, reply) =>
        answer(request, reply, bind(AUTOCOMPLETE_PARAMETERS, queryPairs(request))),
      );
      app.post(path, { onRequest }, async (request, reply) => answer(request, reply, request.body));
    }
  };
}
