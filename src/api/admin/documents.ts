import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import type { Clock } from '../../core/clock.ts';
import { DOCUMENT_KINDS, DOCUMENT_ORIGINS, firstValue, type StoredDocument } from '../../core/document.ts';
import { browseDocuments, readDocument } from '../../indexing/documents.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { tellAudit } from './access.ts';
import { digits, idOf, LIST_QUERY, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';

export type DocumentRouteDeps = {
  readonly store: Pick<AccountStore, 'findEngine' | 'recordAction'>;
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
    app.get('/engines/:engineId/documents', { config: { access: 'editor' } }, async (request) => {
      const engineId = await engineIdOf(request);
      const { crawler, limit, after = 0 } = queryOf(DOCUMENT_LIST, request);
      const input = { after, limit, ...(crawler !== undefined && { crawlerId: crawler }) };
      const documents = await browseDocuments(deps, engineId, input);
      const next = documents.length < limit ? null : (documents.at(-1)?.rid ?? null);
      return { items: documents.map(documentBody), next };
    });

    app.get('/engines/:engineId/documents/:rid', { config: { access: 'editor' } }, async (request) => {
      const { document } = await found(request);
      return { ...documentBody(document), fields: Object.fromEntries(document.fields) } satisfies Shown<
        typeof WHOLE_DOCUMENT_BODY
      >;
    });

    app.delete('/engines/:engineId/documents/:rid', async (request, reply) => {
      const { engineId, document } = await found(request);
      const target = `engine:${engineId}/document:${document.rid}`;
      const after = { crawler: document.crawlerId, id: document.id };
      await tellAudit(deps, request, { action: 'delete-document', target, after });
      const store = await deps.engineStores.of(engineId);
      await store.deleteDocuments(document.crawlerId, [document.id], deps.clock.now());
      return reply.code(204).send();
    });
  };
}

export const DOCUMENT_BODY = z
  .object({
    rid: z.int().describe('Row id: stays when the document is replaced, and is never given again.'),
    crawler: z.int(),
    id: z.string(),
    title: z.string(),
    type: z.enum(DOCUMENT_KINDS),
    origin: z.enum(DOCUMENT_ORIGINS),
    language: z.string(),
    seq: z.int().describe('Number of its last change in the engine.'),
    createdAt: TIME,
    updatedAt: TIME,
    damaged: z.boolean().describe('The row is not what was written; its fields are lost.'),
  })
  .meta({ id: 'StoredDocument' });
export const WHOLE_DOCUMENT_BODY = DOCUMENT_BODY.extend({
  fields: z.record(z.string(), z.array(z.string())),
}).meta({ id: 'WholeDocument' });

function documentBody(document: StoredDocument): Shown<typeof DOCUMENT_BODY> {
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
