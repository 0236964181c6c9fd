import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import type { Clock } from '../../core/clock.ts';
import { firstValue, type StoredDocument } from '../../core/document.ts';
import { browseDocuments, readDocument } from '../../indexing/documents.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import { digits, idOf, LIST_QUERY, queryOf } from './requests.ts';
import { timeText } from './responses.ts';

export type DocumentRouteDeps = {
  readonly store: Pick<AccountStore, 'findEngine'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
};

export const DOCUMENT_LIST = z.strictObject({ ...LIST_QUERY, crawler: digits(1, Number.MAX_SAFE_INTEGER).optional() });

/** The stored documents of an engine, by row id. */
export function adminDocumentRoutes(deps: DocumentRouteDeps): FastifyPluginAsync {
  const engineIdOf = async (request: FastifyRequest) => {
    const id = idOf(request, 'engineId');
    return requireRecord('engine', id, await deps.store.findEngine(id)).id;
  };
  const found = async (request: FastifyRequest) => {
    const engineId = await engineIdOf(request);
    const rid = idOf(request, 'rid');
    return { engineId, document: requireRecord('document', rid, await readDocument(deps, engineId, rid)) };
  };
  return async (app) => {
    app.get('/engines/:engineId/documents', async (request) => {
      const engineId = await engineIdOf(request);
      const { crawler, limit, after = 0 } = queryOf(DOCUMENT_LIST, request);
      const input = { after, limit, ...(crawler !== undefined && { crawlerId: crawler }) };
      const documents = await browseDocuments(deps, engineId, input);
      const next = documents.length < limit ? null : (documents.at(-1)?.rid ?? null);
      return { items: documents.map(rowBody), next };
    });

    app.get('/engines/:engineId/documents/:rid', async (request) => {
      const { document } = await found(request);
      return { ...rowBody(document), fields: Object.fromEntries(document.fields) };
    });

    app.delete('/engines/:engineId/documents/:rid', async (request, reply) => {
      const { engineId, document } = await found(request);
      const store = await deps.engineStores.of(engineId);
      await store.deleteDocuments(document.crawlerId, [document.id], deps.clock.now());
      return reply.code(204).send();
    });
  };
}

function rowBody(document: StoredDocument) {
  const { rid, seq, crawlerId, id, kind, origin, language, createdAt, updatedAt, fields } = document;
  return {
    rid,
    crawler: crawlerId,
    id,
    title: firstValue(fields, 'Title'),
    type: kind,
    origin,
    language,
    seq,
    createdAt: timeText(createdAt),
    updatedAt: timeText(updatedAt),
    damaged: document.damaged === true,
  };
}
