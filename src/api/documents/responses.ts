import type { Fields } from '../../core/document.ts';
import type { WrittenRow } from '../../indexing/put-documents.ts';

/** Contract: 8.2. */
export type DeleteResponse = {
  readonly success: boolean;
  readonly deleted: number;
  readonly failed: number;
  readonly reason: string | null;
};

export type DocumentRow = {
  readonly document: {
    readonly id: string;
    readonly type: string;
    readonly fields: Record<string, string | readonly string[]>;
  };
  readonly reason: string;
  readonly success: boolean;
};

const FAILURES = { 'too-large': 'Document too large', missing: 'Document not found' } as const;

/** One row per document of the request. `echo`: the fields of the request, as they were understood. Contract: 8.1. */
export function documentRow(row: WrittenRow, fields: Fields | undefined, done: 'Indexed' | 'Updated'): DocumentRow {
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
