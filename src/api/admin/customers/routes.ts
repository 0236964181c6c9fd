import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../../accounts/account-change.ts';
import { addCustomer, changeCustomer, removeCustomer } from '../../../accounts/manage-customers.ts';
import type { RemovalDeps } from '../../../accounts/manage-engines.ts';
import { addApiKey, revokeApiKey } from '../../../accounts/manage-keys.ts';
import { idOf, LIST_QUERY, pageOf, queryOf } from '../requests.ts';
import { customerBody, keyBody, newKeyBody } from '../responses.ts';

const QUERY = z.strictObject(LIST_QUERY);

/** Customers and their API keys. A new key is shown once. */
export function customerRoutes(deps: RemovalDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/customers', async (request) =>
      pageOf(await deps.store.listCustomers(), queryOf(QUERY, request), customerBody),
    );

    app.post('/customers', async (request, reply) => {
      reply.code(201);
      return customerBody(await addCustomer(deps, request.body));
    });

    app.get('/customers/:customerId', async (request) => {
      const id = idOf(request, 'customerId');
      return customerBody(requireRecord('customer', id, await deps.store.findCustomer(id)));
    });

    app.patch('/customers/:customerId', async (request) =>
      customerBody(await changeCustomer(deps, idOf(request, 'customerId'), request.body)),
    );

    app.delete('/customers/:customerId', async (request, reply) => {
      await removeCustomer(deps, idOf(request, 'customerId'));
      return reply.code(204).send();
    });

    app.get('/customers/:customerId/keys', async (request) => {
      const id = idOf(request, 'customerId');
      requireRecord('customer', id, await deps.store.findCustomer(id));
      return pageOf(await deps.store.listApiKeys(id), queryOf(QUERY, request), keyBody);
    });

    app.post('/customers/:customerId/keys', async (request, reply) => {
      reply.code(201);
      return newKeyBody(await addApiKey(deps, idOf(request, 'customerId'), request.body));
    });

    app.delete('/customers/:customerId/keys/:keyId', async (request, reply) => {
      await revokeApiKey(deps, idOf(request, 'customerId'), idOf(request, 'keyId'));
      return reply.code(204).send();
    });
  };
}
