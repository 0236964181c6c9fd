import type { FastifyPluginAsync } from 'fastify';
import { deleteDocuments } from '../../indexing/delete-documents.ts';
import { putDocuments } from '../../indexing/put-documents.ts';
import { bind } from '../binding.ts';
import { deleteResponse } from '../documents/responses.ts';
import { type DocumentDeps, filled, waitWhenAsked } from '../documents/routes.ts';
import { REFRESH_QUERY } from '../documents/schemas.ts';
import { crawlerAccess } from '../guard.ts';
import { limitItems } from '../limit-items.ts';
import { queryMembers } from '../query-string.ts';
import { pushResponse } from './responses.ts';
import { DELETED_DOCUMENTS, FLAT_DOCUMENTS } from './schemas.ts';

const PATH = '/api/v3/:customerId/content/:crawlerId';

/** The older content management, kept for existing integrations. Contract: 8.4. */
export function contentRoutes(deps: DocumentDeps): FastifyPluginAsync {
  return async (app) => {
    const access = crawlerAccess(deps, { scheme: 'basic', rate: 'management' });
    const onRequest = access.check;
    const limit = deps.settings.maxDocumentsPerRequest;

    app.post(`${PATH}/push`, { onRequest }, async (request) => {
      limitItems(request.body, limit, 'documents');
      const sent = bind(FLAT_DOCUMENTS, request.body).map((item) => ({ ...item, fields: filled(item.fields) }));
      const { refresh } = bind(REFRESH_QUERY, queryMembers(request));
      const target = access.of(request);
      const { rows, seq } = await putDocuments(deps, target, sent);
      await waitWhenAsked(deps, target.engine.id, seq, refresh);
      return pushResponse(rows);
    });

    app.post(`${PATH}/delete`, { onRequest }, async (request) => {
      limitItems(request.body, limit, 'documents');
      const sent = bind(DELETED_DOCUMENTS, request.body);
      limitItems(sent, limit, 'documents');
      const { refresh } = bind(REFRESH_QUERY, queryMembers(request));
      const target = access.of(request);
      const { deleted, kinds, seq } = await deleteDocuments(
        deps,
        target,
        sent.map(({ id }) => id),
      );
      const differing = sent.filter(({ kind }, index) => kinds[index] !== undefined && kinds[index] !== kind).length;
      if (differing > 0)
        deps.log.warn({ crawlerId: target.crawler.id, differing }, 'deleted documents of another kind');
      await waitWhenAsked(deps, target.engine.id, seq, refresh);
      return deleteResponse(deleted, 'No document has one of these ids');
    });
  };
}
