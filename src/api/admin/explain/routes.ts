import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../../accounts/account-change.ts';
import { parseStrictly } from '../../../accounts/problems.ts';
import { type ExplainDeps, explainHit } from '../../../search/explain-hit.ts';
import type { AccountStore } from '../../../storage/account-store.ts';
import { bind } from '../../binding.ts';
import { requestSignal } from '../../request-signal.ts';
import { SEARCH_REQUEST } from '../../search/schemas.ts';
import { idOf } from '../requests.ts';
import { explanationBody } from './responses.ts';

export type ExplainRouteDeps = ExplainDeps & { readonly store: Pick<AccountStore, 'findEngine' | 'listCrawlers'> };

const DEADLINE_MS = 30_000;

/** `search` = the body of a search, as v4 takes it. */
const BODY = z.strictObject({
  id: z.string().min(1),
  crawler: z.int().min(1).optional(),
  search: z.record(z.string(), z.unknown()),
});

/** Why a document stands where it stands in a search, or why it is not there. */
export function explainRoutes(deps: ExplainRouteDeps): FastifyPluginAsync {
  return async (app) => {
    app.post('/engines/:engineId/explain', async (request, reply) => {
      const engineId = idOf(request, 'engineId');
      const engine = requireRecord('engine', engineId, await deps.store.findEngine(engineId));
      const { id, crawler, search } = parseStrictly(BODY, request.body);
      const { request: asked } = bind(SEARCH_REQUEST.v4, search);
      const signal = requestSignal(reply, DEADLINE_MS);
      return explanationBody(await explainHit(deps, { engine, request: asked, crawlerId: crawler, id, signal }));
    });
  };
}
