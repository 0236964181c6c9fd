import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../../accounts/account-change.ts';
import { addEngine, changeEngine, type RemovalDeps, removeEngine } from '../../../accounts/manage-engines.ts';
import { parseStrictly } from '../../../accounts/problems.ts';
import type { Engine } from '../../../core/records.ts';
import type { EngineStores } from '../../../storage/engine-store.ts';
import { digits, idOf, LIST_QUERY, pageOf, queryOf } from '../requests.ts';
import { engineBody } from '../responses.ts';

const QUERY = z.strictObject({ ...LIST_QUERY, customer: digits(1, Number.MAX_SAFE_INTEGER).optional() });

const REBUILD = z.strictObject({ rollback: z.boolean().default(false) });

type EngineRouteDeps = RemovalDeps & { readonly engineStores: Pick<EngineStores, 'of'> };

/** Engines with their settings. */
export function engineRoutes(deps: EngineRouteDeps): FastifyPluginAsync {
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

    app.post('/engines/:engineId/rebuild', async (request, reply) => {
      const id = idOf(request, 'engineId');
      requireRecord('engine', id, await deps.store.findEngine(id));
      const { rollback } = parseStrictly(REBUILD, request.body ?? {});
      const work = rollback ? 'rollback' : 'rebuild';
      await (await deps.engineStores.of(id)).askIndexWork(work);
      reply.code(202);
      return { engine: id, work };
    });

    app.delete('/engines/:engineId', async (request, reply) => {
      await removeEngine(deps, idOf(request, 'engineId'));
      return reply.code(204).send();
    });
  };
}
