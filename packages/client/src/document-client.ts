import type { BulkDeleteRequest, DeleteResponse, DocumentRow, DocumentsRequest, QueuedUrl } from './generated-types.ts';
import { basicAuthorization, type CallOptions, type Connection, createTransport, type Sent } from './transport.ts';

/** An API key belongs on servers, never into a page. */
export type ManagementConnection = Connection & { readonly apiKey: string };

/** `refresh`: the answer comes when searches find the change. */
export type ChangeOptions = CallOptions & { readonly refresh?: 'wait' };

/** `echo: false` leaves fields out of the answer. */
export type WriteOptions = ChangeOptions & { readonly echo?: boolean };

/** All reject with a `FossickError`, or with the reason of the signal; what failed on the way is sent again. */
export type DocumentClient = {
  /** Creates documents, or replaces them whole. One row each, in order; a row may have failed alone. */
  readonly put: (documents: DocumentsRequest, options?: WriteOptions) => Promise<readonly DocumentRow[]>;
  /** Changes the fields that are sent, and removes those sent as null. Creates nothing. */
  readonly patch: (documents: DocumentsRequest, options?: WriteOptions) => Promise<readonly DocumentRow[]>;
  readonly remove: (documentId: string, options?: ChangeOptions) => Promise<DeleteResponse>;
  /** Deletes the documents of the crawler for which all conditions hold. */
  readonly bulkDelete: (conditions: BulkDeleteRequest, options?: ChangeOptions) => Promise<DeleteResponse>;
  /** Has URLs visited ahead of scheduled work. */
  readonly queueUrls: (urls: readonly string[], options?: CallOptions) => Promise<readonly QueuedUrl[]>;
};

/** Documents and URLs of one crawler. Contract: 8.1 to 8.3, 9. */
export function createDocumentClient(
  connection: ManagementConnection & { readonly crawlerId: number | string },
): DocumentClient {
  const { customerId, crawlerId, apiKey } = connection;
  const { ask } = createTransport(connection, basicAuthorization(customerId, apiKey));
  const path = `/api/v4/${customerId}/index/${crawlerId}/documents`;
  const change = <Answer>(sent: Sent, { refresh, echo, signal }: WriteOptions = {}) =>
    ask<Answer>({
      ...sent,
      query: { ...sent.query, refresh, echo: echo === undefined ? undefined : String(echo) },
      isRepeatable: true,
      signal,
    });
  return {
    put: (body, options) => change({ method: 'PUT', path, body }, options),
    patch: (body, options) => change({ method: 'PATCH', path, body }, options),
    remove: (documentId, options) => change({ method: 'DELETE', path, query: { documentId } }, options),
    bulkDelete: (body, options) => change({ method: 'POST', path: `${path}/bulk-delete`, body }, options),
    queueUrls: (body, options) =>
      // A URL that waits already is visited once.
      change({ method: 'POST', path: `/api/v4/${customerId}/crawler/${crawlerId}/paths`, body }, options),
  };
}
