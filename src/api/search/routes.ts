import type { FastifyPluginAsync } from 'fastify';
import type { Engine } from '../../core/records.ts';
import { type SearchDeps, search } from '../../search/search.ts';
import { bind, members, oneOf } from '../binding.ts';
import { engineAccess, type GuardDeps } from '../guard.ts';
import { queryMembers } from '../query-string.ts';
import { requestSignal } from '../request-signal.ts';
import { sendJson } from '../send-json.ts';
import { searchHtmlResponse } from './html/html-response.ts';
import { type SearchResponse, searchEnvelope } from './responses.ts';
import { type BoundSearch, SEARCH_REQUEST } from './schemas.ts';
import { writeSearch } from './write-search.ts';

export type SearchRouteDeps = GuardDeps & SearchDeps;

const DEADLINE_MS = 5_000;
/** Estimated processor time that a call pays with one token of its rate: an ordinary search takes less. */
const MS_PER_TOKEN = 10;
const PARAMETERS = members({ casing: oneOf(['camel', 'pascal']).optional() });

/** Contract: 2. */
export function searchRoutes(deps: SearchRouteDeps): FastifyPluginAsync {
  return async (app) => {
    const access = engineAccess(deps, { scheme: 'any', rate: 'search' });
    const formOf = (envelope: SearchResponse, { engine, sent }: { engine: Engine; sent: BoundSearch }) => {
      if (sent.responseType !== 'JsonHtml') return { envelope, htmlStyle: undefined };
      const { htmlHookPrefixes: prefixes, maxResultWindow } = deps.settings;
      const style = { prefixes, language: engine.language, template: sent.template };
      const asked = { engine, request: sent.request, style, maxResultWindow };
      return { envelope: searchHtmlResponse(envelope, asked), htmlStyle: style };
    };
    for (const version of ['v3', 'v4'] as const) {
      const path = `/api/${version}/:customerId/:engineId/search`;
      app.post(path, { onRequest: access.check }, async (request, reply) => {
        const { engine, charge } = access.of(request);
        const { casing } = bind(PARAMETERS, queryMembers(request));
        const sent = bind(SEARCH_REQUEST[version], request.body);
        const signal = requestSignal(reply, DEADLINE_MS);
        const result = await search(deps, { engine, request: sent.request, signal });
        await charge(Math.ceil(result.costMs / MS_PER_TOKEN) - 1);
        const form = formOf(searchEnvelope(result, version), { engine, sent });
        return sendJson(reply, writeSearch(result, { ...form, casing: casing ?? 'pascal' }));
      });
    }
  };
}
