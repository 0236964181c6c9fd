import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Fields } from '../../core/document.ts';
import { AppError } from '../../core/errors.ts';
import { bulkDelete } from '../../indexing/bulk-delete.ts';
import { type DeleteDeps, deleteDocuments } from '../../indexing/delete-documents.ts';
import { patchDocuments } from '../../indexing/patch-documents.ts';
import { putDocuments, type WriteDeps } from '../../indexing/put-documents.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { bind } from '../binding.ts';
import { type CrawlerAccess, crawlerAccess, type GuardDeps } from '../guard.ts';
import { limitItems } from '../limit-items.ts';
import { exactQueryMembers, queryMembers } from '../query-string.ts';
import { deleteResponse, documentRow } from './responses.ts';
import { DELETE_QUERY, DOCUMENTS, PREDICATES, REFRESH_QUERY, WRITE_QUERY } from './schemas.ts';

export type DocumentDeps = GuardDeps & WriteDeps & DeleteDeps & { readonly searchIndex: SearchIndex };

const PATH = '/api/v4/:customerId/index/:crawlerId/documents';
/** Deadline of a management call. */
const WAIT_MS = 30_000;
const NO_MATCH = 'No documents match the given filters';

/** Create, replace, update and delete documents. Contract: 8.1 to 8.3. */
export function documentRoutes(deps: DocumentDeps): FastifyPluginAsync {
  return async (app) => {
    const access = crawlerAccess(deps, { scheme: 'basic', rate: 'management' });
    const onRequest = access.check;

    app.put(PATH, { onRequest }, async (request) => {
      const { target, documents, query } = readWrite(deps, access.of(request), request);
      const sent = documents.map(({ id, type, fields }) => ({
        id,
        kind: type ?? 'PageContent',
        fields: filled(fields),
      }));
      const { rows, seq } = await putDocuments(deps, target, sent);
      await waitWhenAsked(deps, target.engine.id, seq, query.refresh);
      return rows.map((row, i) => documentRow(row, query.echo === false ? undefined : sent[i]?.fields, 'Indexed'));
    });

    app.patch(PATH, { onRequest }, async (request) => {
      const { target, documents, query } = readWrite(deps, access.of(request), request);
      const sent = documents.map(({ id, type, fields }) => ({ id, kind: type, fields }));
      const { rows, seq } = await patchDocuments(deps, target, sent);
      await waitWhenAsked(deps, target.engine.id, seq, query.refresh);
      return rows.map((row, i) => documentRow(row, query.echo === false ? undefined : sent[i]?.fields, 'Updated'));
    });

    app.delete(PATH, { onRequest }, async (request) => {
      const target = access.of(request);
      const { documentId, refresh } = bind(DELETE_QUERY, exactQueryMembers(request));
      const { deleted, seq } = await deleteDocuments(deps, target, [documentId]);
      await waitWhenAsked(deps, target.engine.id, seq, refresh);
      return deleteResponse(deleted, 'No document has this id');
    });

    app.post(`${PATH}/bulk-delete`, { onRequest }, async (request) => {
      const target = access.of(request);
      const { refresh } = bind(REFRESH_QUERY, queryMembers(request));
      const { deleted, seq } = await bulkDelete(deps, target, bind(PREDICATES, request.body));
      await waitWhenAsked(deps, target.engine.id, seq, refresh);
      return deleteResponse(deleted, NO_MATCH);
    });
  };
}

/** Fields without a value are left out. */
export function filled(fields: Fields): Fields {
  return new Map([...fields].filter(([, values]) => values.length > 0));
}

function readWrite(deps: DocumentDeps, target: CrawlerAccess, request: FastifyRequest) {
  limitItems(request.body, deps.settings.maxDocumentsPerRequest, 'documents');
  return { target, documents: bind(DOCUMENTS, request.body), query: bind(WRITE_QUERY, queryMembers(request)) };
}

/** `?refresh=wait` answers when the write can be found. */
export async function waitWhenAsked(deps: DocumentDeps, engineId: number, seq: number, refresh: 'wait' | undefined) {
  if (refresh === undefined) return;
  if (await deps.searchIndex.waitVisible(engineId, seq, AbortSignal.timeout(WAIT_MS))) return;
  throw new AppError('internal', 'The index did not reach the write within the deadline');
}
