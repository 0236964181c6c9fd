import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DOCUMENT_KINDS, type Fields } from '../../core/document.ts';
import { AppError } from '../../core/errors.ts';
import {
  bulkDelete,
  type DeleteDeps,
  type DeletePredicate,
  deleteDocuments,
  type PredicateOperator,
  patchDocuments,
  putDocuments,
  type WriteDeps,
  type WrittenRow,
} from '../../indexing/documents.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import {
  bind,
  boolean,
  exactQueryMembers,
  formOf,
  isObject,
  limitItems,
  listOf,
  mapOf,
  members,
  oneOf,
  queryMembers,
  scalarText,
  text,
  within,
} from '../binding.ts';
import { type CrawlerAccess, crawlerAccess, type GuardDeps } from '../guard.ts';
import type { Shown } from '../openapi/json-schema.ts';

export type DocumentDeps = GuardDeps & WriteDeps & DeleteDeps & { readonly searchIndex: SearchIndex };

const PATH = '/api/v4/:customerId/index/:crawlerId/documents';
/** Deadline of a management call. */
const WAIT_MS = 30_000;
const NO_MATCH = 'No documents match the given filters';

/** Create, replace, update and delete documents. Contract: 8.1 to 8.3. */
export function documentRoutes(deps: DocumentDeps): FastifyPluginAsync {
  return async (app) => {
    const access = crawlerAccess(deps, { scheme: 'basic', rate: 'management', scope: 'documents' });
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

const MAX_FIELDS = 1_000;
const MAX_NAME_CHARS = 256;
const MAX_ID_CHARS = 2_048;
const MAX_PREDICATES = 50;
const MAX_PREDICATE_VALUES = 1_000;
const OPERATORS = ['Eq', 'In', 'Ne', 'Lt', 'Lte', 'Gt', 'Gte', 'Exists', 'NotExists', 'Prefix', 'Contains'] as const;

export const DOCUMENT_ID = text({ min: 1, max: MAX_ID_CHARS });
export const DOCUMENT_KIND = oneOf(DOCUMENT_KINDS);

const VALUES = listOf(scalarText());
const VALUE = scalarText().transform((value) => [value]);

/** Field name → values as text; null and `[]` give an empty list. Contract: 8.1. */
export const FIELDS = z
  .unknown()
  .transform((sent, context): Fields => {
    const fields = new Map<string, readonly string[]>();
    const rule = fieldsRule(sent);
    if (rule !== undefined) {
      context.issues.push({ code: 'custom', input: sent, message: rule });
      return z.NEVER;
    }
    for (const [name, value] of Object.entries(sent as object)) {
      const values = value === null ? [] : within(context, Array.isArray(value) ? VALUES : VALUE, value, [name]);
      if (values !== undefined) fields.set(name, values);
    }
    return fields;
  })
  .meta({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: MAX_NAME_CHARS },
    additionalProperties: { anyOf: [formOf(VALUE), formOf(VALUES), { type: 'null' }] },
    maxProperties: MAX_FIELDS,
  });

const DOCUMENT = members({ id: DOCUMENT_ID, type: DOCUMENT_KIND.optional(), fields: FIELDS });

/** Contract: 8.1. */
export const DOCUMENTS = listOf(DOCUMENT);

const REFRESH = oneOf(['wait']).optional();

export const WRITE_QUERY = members({ refresh: REFRESH, echo: boolean().optional() });

export const REFRESH_QUERY = members({ refresh: REFRESH });

export const DELETE_QUERY = members({
  documentId: text().refine((id) => id.trim() !== '', 'must be the id of a document'),
  refresh: REFRESH,
});

const PREDICATE = members({
  operator: oneOf(OPERATORS),
  values: listOf(scalarText(), { max: MAX_PREDICATE_VALUES }).optional(),
}).superRefine(({ operator, values = [] }, context) => {
  const rule = valuesRule(operator, values.length);
  if (rule !== undefined) context.addIssue({ code: 'custom', path: ['values'], message: rule });
});

/** Contract: 8.3. */
export const PREDICATES = mapOf(PREDICATE)
  .transform((predicates, context): readonly DeletePredicate[] => {
    if (predicates.size === 0) context.addIssue({ code: 'custom', message: 'must name at least one field' });
    if (predicates.size > MAX_PREDICATES) {
      context.addIssue({ code: 'custom', message: `may have at most ${MAX_PREDICATES} predicates` });
    }
    return [...predicates].map(([field, { operator, values = [] }]) => {
      return { field, operator: operator.toLowerCase() as PredicateOperator, values };
    });
  })
  .meta({ minProperties: 1, maxProperties: MAX_PREDICATES });

function valuesRule(operator: (typeof OPERATORS)[number], count: number): string | undefined {
  switch (operator) {
    case 'Exists':
    case 'NotExists':
      return count === 0 ? undefined : `must be absent or empty with ${operator}`;
    case 'Lt':
    case 'Lte':
    case 'Gt':
    case 'Gte':
      return count === 1 ? undefined : `must have exactly one value with ${operator}`;
    default:
      return count > 0 ? undefined : `must have at least one value with ${operator}`;
  }
}

function fieldsRule(sent: unknown): string | undefined {
  if (sent === undefined) return 'is required';
  if (!isObject(sent)) return 'must be an object';
  const names = Object.keys(sent);
  if (names.length > MAX_FIELDS) return `may have at most ${MAX_FIELDS} fields`;
  return names.every(isFieldName) ? undefined : `must have names of 1 to ${MAX_NAME_CHARS} characters`;
}

function isFieldName(name: string): boolean {
  const { length } = [...name.slice(0, 2 * MAX_NAME_CHARS + 1)];
  return length >= 1 && length <= MAX_NAME_CHARS;
}

/** Contract: 8.2. */
export const DELETE_RESPONSE = z
  .object({ success: z.boolean(), deleted: z.int(), failed: z.int(), reason: z.string().nullable() })
  .meta({ id: 'DeletedDocuments' });
type DeleteResponse = Shown<typeof DELETE_RESPONSE>;

export const DOCUMENT_ROW = z
  .object({
    document: z.object({
      id: z.string(),
      type: z.string(),
      fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    }),
    reason: z.string(),
    success: z.boolean(),
  })
  .meta({ id: 'DocumentRow' });
type DocumentRow = Shown<typeof DOCUMENT_ROW>;

const FAILURES = { 'too-large': 'Document too large', missing: 'Document not found' } as const;

/** One row per document of the request. `echo`: the fields of the request, as they were understood. Contract: 8.1. */
function documentRow(row: WrittenRow, fields: Fields | undefined, done: 'Indexed' | 'Updated'): DocumentRow {
  const echoed = [...(fields ?? [])].map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
  const document = { id: row.id, type: row.kind, fields: Object.fromEntries(echoed) };
  return { document, reason: reasonOf(row) ?? done, success: row.outcome === 'stored' };
}

/** Why a row failed; undefined when it did not. */
export function reasonOf({ outcome }: WrittenRow): string | undefined {
  return outcome === 'stored' ? undefined : FAILURES[outcome];
}

export function deleteResponse(deleted: number, reasonOfNone: string): DeleteResponse {
  return { success: true, deleted, failed: 0, reason: deleted === 0 ? reasonOfNone : null };
}
