import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import { addCustomer, changeCustomer, removeCustomer } from '../../accounts/manage-customers.ts';
import { addEngine, changeEngine, type RemovalDeps, removeEngine } from '../../accounts/manage-engines.ts';
import { addApiKey, revokeApiKey } from '../../accounts/manage-keys.ts';
import { parseStrictly } from '../../accounts/problems.ts';
import type { Engine } from '../../core/records.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { actorOf, isVisible, requireMembersOfRole, roleOf, sentBy, tellAudit, visibleCustomers } from './access.ts';
import { isMatched, sendTagged } from './record-tag.ts';
import { digits, idOf, LIST_QUERY, pageOf, queryOf } from './requests.ts';
import { customerBody, engineBody, keyBody, namedEngineBody, newKeyBody } from './responses.ts';
import { type SearchPageDeps, searchPageAddress } from './search-page-address.ts';

export const CUSTOMER_LIST = z.strictObject(LIST_QUERY);

/** Customers and their API keys. A new key is shown once. */
export function customerRoutes(deps: RemovalDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/customers', { config: { access: 'reader' } }, async (request) => {
      const visible = visibleCustomers(request);
      const customers = (await deps.store.listCustomers()).filter(({ id }) => isVisible(visible, id));
      return pageOf(customers, queryOf(CUSTOMER_LIST, request), customerBody);
    });

    app.post('/customers', async (request, reply) => {
      reply.code(201);
      return customerBody(await addCustomer(deps, sentBy(request)));
    });

    app.get('/customers/:customerId', { config: { access: 'reader' } }, async (request) => {
      const id = idOf(request, 'customerId');
      return customerBody(requireRecord('customer', id, await deps.store.findCustomer(id)));
    });

    app.patch('/customers/:customerId', async (request) =>
      customerBody(await changeCustomer(deps, { ...sentBy(request), id: idOf(request, 'customerId') })),
    );

    app.delete('/customers/:customerId', async (request, reply) => {
      await removeCustomer(deps, { actor: actorOf(request), id: idOf(request, 'customerId') });
      return reply.code(204).send();
    });

    app.get('/customers/:customerId/keys', async (request) => {
      const id = idOf(request, 'customerId');
      requireRecord('customer', id, await deps.store.findCustomer(id));
      return pageOf(await deps.store.listApiKeys(id), queryOf(CUSTOMER_LIST, request), keyBody);
    });

    app.post('/customers/:customerId/keys', async (request, reply) => {
      reply.code(201);
      return newKeyBody(await addApiKey(deps, { ...sentBy(request), customerId: idOf(request, 'customerId') }));
    });

    app.delete('/customers/:customerId/keys/:keyId', async (request, reply) => {
      const ids = { customerId: idOf(request, 'customerId'), id: idOf(request, 'keyId') };
      await revokeApiKey(deps, { ...ids, actor: actorOf(request) });
      return reply.code(204).send();
    });
  };
}

export const ENGINE_LIST = z.strictObject({ ...LIST_QUERY, customer: digits(1, Number.MAX_SAFE_INTEGER).optional() });

export const REBUILD = z.strictObject({ rollback: z.boolean().default(false) });
export const INDEX_WORK_BODY = z
  .object({
    engine: z.int(),
    work: z.enum(['rebuild', 'rollback']).nullable().describe('What was asked for and is not done yet.'),
  })
  .meta({ id: 'IndexWork' });
export const REBUILD_BODY = z
  .object({ engine: z.int(), work: z.enum(['rebuild', 'rollback']) })
  .meta({ id: 'Rebuild' });

/** Members of an engine that are an editor's as well. */
const EDITABLE = { editor: ['page'] } as const;

type EngineRouteDeps = RemovalDeps & SearchPageDeps & { readonly engineStores: Pick<EngineStores, 'of'> };

/** Engines with their settings; readers see no settings. */
export function engineRoutes(deps: EngineRouteDeps): FastifyPluginAsync {
  const shown = async (engine: Engine) => engineBody(engine, await deps.store.listCrawlers({ engineId: engine.id }));
  const named = (request: FastifyRequest, engine: Engine) =>
    namedEngineBody(engine, searchPageAddress(deps, request, engine));
  return async (app) => {
    app.get('/engines', { config: { access: 'reader' } }, async (request) => {
      const { customer, ...query } = queryOf(ENGINE_LIST, request);
      const visible = visibleCustomers(request);
      const engines = (await deps.store.listEngines(customer)).filter(({ customerId }) =>
        isVisible(visible, customerId),
      );
      if (roleOf(request) === 'reader') return pageOf(engines, query, (engine) => named(request, engine));
      const crawlers = await deps.store.listCrawlers();
      return pageOf(engines, query, (engine) => engineBody(engine, crawlers));
    });

    app.post('/engines', async (request, reply) => {
      reply.code(201);
      return shown(await addEngine(deps, sentBy(request)));
    });

    app.get('/engines/:engineId', { config: { access: 'reader' } }, async (request, reply) => {
      const id = idOf(request, 'engineId');
      const engine = requireRecord('engine', id, await deps.store.findEngine(id));
      if (roleOf(request) === 'reader') return named(request, engine);
      return sendTagged(reply, await shown(engine), editableOf(engine));
    });

    app.patch('/engines/:engineId', { config: { access: 'editor' } }, async (request) => {
      requireMembersOfRole(request, EDITABLE);
      const id = idOf(request, 'engineId');
      const engine = requireRecord('engine', id, await deps.store.findEngine(id));
      const matched = isMatched(request, editableOf(engine)) ? engine : undefined;
      return shown(await changeEngine(deps, { ...sentBy(request), id, matched }));
    });

    app.post('/engines/:engineId/rebuild', async (request, reply) => {
      const id = idOf(request, 'engineId');
      requireRecord('engine', id, await deps.store.findEngine(id));
      const { rollback } = parseStrictly(REBUILD, request.body ?? {});
      const work = rollback ? 'rollback' : 'rebuild';
      await tellAudit(deps, request, { action: `${work}-index`, target: `engine:${id}` });
      await (await deps.engineStores.of(id)).askIndexWork(work);
      reply.code(202);
      return { engine: id, work } satisfies Shown<typeof REBUILD_BODY>;
    });

    app.get('/engines/:engineId/rebuild', async (request) => {
      const id = idOf(request, 'engineId');
      requireRecord('engine', id, await deps.store.findEngine(id));
      const work = (await (await deps.engineStores.of(id)).indexWork()) ?? null;
      return { engine: id, work } satisfies Shown<typeof INDEX_WORK_BODY>;
    });

    app.delete('/engines/:engineId', async (request, reply) => {
      await removeEngine(deps, { actor: actorOf(request), id: idOf(request, 'engineId') });
      return reply.code(204).send();
    });
  };
}

/** What may be changed of it by hand. */
function editableOf({ name, language, settings, publicSettings }: Engine) {
  return { name, language, settings, publicSettings };
}
