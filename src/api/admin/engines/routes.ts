import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../../accounts/account-change.ts';
import { addEngine, changeEngine, type RemovalDeps, removeEngine } from '../../../accounts/manage-engines.ts';
import type { Engine } from '../../../core/records.ts';
import { digits, idOf, LIST_QUERY, pageOf, queryOf } from '../requests.ts';
import { engineBody } from '../responses.ts';

const QUERY = z.strictObject({ ...LIST_QUERY, customer: digits(1, Number.MAX_SAFE_INTEGER).optional() });

/** Engines with their settings. */
export function engineRoutes(deps: RemovalDeps): FastifyPluginAsync {
  const shown = async (engine: Engine) => engineBody(engine, await deps.store.listCrawlers({ engineId: engine.id }));
  return async (app) => {
    app.get('/engines', async (request) => {
      const { customer, ...query } = queryOf(QUERY, request);
      const crawlers = await deps.store.listCrawlers();
      return pageOf(await deps.store.listEngines(customer), query, (engine) => engineBody(engine, crawlers));
    });

    app.post('/engines', async (request, reply) => {
      reply.code(201);
      return shown(await addEngine(deps, request.body));
    });

    app.get('/engines/:engineId', async (request) => {
      const id = idOf(request, 'engineId');
      return shown(requireRecord('engine', id, await deps.store.findEngine(id)));
    });

    app.patch('/engines/:engineId', async (request) =>
      shown(await changeEngine(deps, idOf(request, 'engineId'), request.body)),
    );

    app.delete('/engines/:engineId', async (request, reply) => {
      await removeEngine(deps, idOf(request, 'engineId'));
      return reply.code(204).send();
    });
  };
}
