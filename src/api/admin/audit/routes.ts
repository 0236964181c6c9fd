import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { AccountStore } from '../../../storage/account-store.ts';
import { LIST_QUERY, queryOf } from '../requests.ts';
import { auditBody } from '../responses.ts';

const QUERY = z.strictObject(LIST_QUERY);

/** Who changed what, newest first. */
export function auditRoutes({ store }: { readonly store: Pick<AccountStore, 'listAudit'> }): FastifyPluginAsync {
  return async (app) => {
    app.get('/audit', async (request) => {
      const { limit, after } = queryOf(QUERY, request);
      const rows = await store.listAudit(limit, after);
      return { items: rows.map(auditBody), next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
    });
  };
}
