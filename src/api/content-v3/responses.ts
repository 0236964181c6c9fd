import type { WrittenRow } from '../../indexing/put-documents.ts';
import { reasonOf } from '../documents/responses.ts';

/** Contract: 8.4. */
export type PushResponse = {
  readonly success: boolean;
  readonly indexed: number;
  readonly failed: number;
  readonly reason: string | null;
  readonly documents: readonly { readonly id: string; readonly success: boolean; readonly reason: string }[];
};

/** The reason of the whole is that of the first document that failed. */
export function pushResponse(rows: readonly WrittenRow[]): PushResponse {
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
