import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { type Fields, firstValue } from '../../core/document.ts';
import { deleteDocuments, putDocuments, type SentDocument, type WrittenRow } from '../../indexing/documents.ts';
import { bind, formOf, isObject, limitItems, listOf, mapOf, members, queryMembers, text, within } from '../binding.ts';
import { crawlerAccess } from '../guard.ts';
import type { Shown } from '../openapi/json-schema.ts';
import {
  DOCUMENT_ID,
  DOCUMENT_KIND,
  type DocumentDeps,
  deleteResponse,
  FIELDS,
  filled,
  REFRESH_QUERY,
  reasonOf,
  waitWhenAsked,
} from './documents.ts';

const PATH = '/api/v3/:customerId/content/:crawlerId';

/** The older content management, kept for existing integrations. Contract: 8.4. */
export function contentRoutes(deps: DocumentDeps): FastifyPluginAsync {
  return async (app) => {
    const access = crawlerAccess(deps, { scheme: 'basic', rate: 'management', scope: 'documents' });
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

const IDENTITY = members({ id: text().optional(), type: DOCUMENT_KIND.optional() });
const OWN_MEMBERS: readonly string[] = ['id', 'type'];

/** A flat object: `Id`, `Type`, and every other member a field. The id is `Id`, else `Url`, else a new UUID. */
const FLAT_DOCUMENT = z
  .unknown()
  .transform((sent, context): SentDocument => {
    const fields = within(context, FIELDS, isObject(sent) ? withoutOwnMembers(sent) : sent);
    // Of a copy: the other members are fields, which may have any name in a strict request.
    const identity = within(context, IDENTITY, isObject(sent) ? Object.fromEntries(Object.entries(sent)) : {});
    if (fields === undefined || identity === undefined) return z.NEVER;
    if (!identity.id && fields.size === 0) {
      context.issues.push({ code: 'custom', input: sent, message: 'must have an id or a field' });
    }
    const id = within(context, DOCUMENT_ID, idOf(identity.id, fields), ['Id']) ?? z.NEVER;
    return { id, kind: identity.type ?? 'PageContent', fields };
  })
  .meta({
    ...formOf(FIELDS),
    properties: { Id: formOf(DOCUMENT_ID), Type: formOf(DOCUMENT_KIND) },
    minProperties: 1,
  });

/** Contract: 8.4. */
export const FLAT_DOCUMENTS = listOf(FLAT_DOCUMENT);

/** Objects of id → kind, as pairs. Contract: 8.4. */
export const DELETED_DOCUMENTS = listOf(mapOf(DOCUMENT_KIND)).transform((objects) =>
  objects.flatMap((kindsById) => [...kindsById].map(([id, kind]) => ({ id, kind }))),
);

function idOf(sentId: string | undefined, fields: Fields): string {
  return sentId || firstValue(fields, 'Url') || randomUUID();
}

function withoutOwnMembers(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !OWN_MEMBERS.includes(name.toLowerCase())));
}

/** Contract: 8.4. */
export const PUSH_RESPONSE = z
  .object({
    success: z.boolean(),
    indexed: z.int(),
    failed: z.int(),
    reason: z.string().nullable(),
    documents: z.array(z.object({ id: z.string(), success: z.boolean(), reason: z.string() })),
  })
  .meta({ id: 'PushedDocuments' });
type PushResponse = Shown<typeof PUSH_RESPONSE>;

/** The reason of the whole is that of the first document that failed. */
function pushResponse(rows: readonly WrittenRow[]): PushResponse {
  const documents = rows.map((row) => {
    return { id: row.id, success: row.outcome === 'stored', reason: reasonOf(row) ?? 'Indexed' };
  });
  const failures = documents.filter(({ success }) => !success);
  return {
    success: failures.length === 0,
    indexed: documents.length - failures.length,
    failed: failures.length,
    reason: failures[0]?.reason ?? null,
    documents,
  };
}
