import type { DocumentPatch, NewDocument, StoredDocument } from '../core/document.ts';
import type { FieldType } from '../core/field-values.ts';
import type { FilterNode } from '../core/filters.ts';

export type PutOutcome = 'created' | 'replaced' | 'same';
export type PatchOutcome = 'updated' | 'same' | 'missing' | 'too-large';
export type DeleteOutcome = 'deleted' | 'missing';

/** What an operator asks of the index: to be made anew, or to go back to what the last rebuild replaced. */
export const INDEX_WORKS = ['rebuild', 'rollback'] as const;
export type IndexWork = (typeof INDEX_WORKS)[number];

/** At most 1,000 are counted. */
export type DamagedDocuments = {
  readonly count: number;
  readonly first: readonly { readonly rid: number; readonly crawlerId: number; readonly id: string }[];
};

/** `seq` = the store's last number after the write: visible when the index has reached it. */
export type WriteReceipt<Outcome> = { readonly seq: number; readonly rows: readonly Outcome[] };

/**
 * Part of the port `EngineStore`: the documents of one engine. Promises:
 * 1. a write resolves after its commit is on disk; it is all or nothing; an error means nothing changed;
 * 2. every changed document takes a `seq` above all earlier ones, in commit order: a reader that has seen n never
 *    later meets a change ≤ n;
 * 3. a write that changes nothing (same kind, language, fields, structure) takes no `seq` and reports `same`;
 * 4. `changesAfter` returns each document's latest state once, ascending by `seq`, deletions included; it stops at
 *    either limit, but never inside one write (`writeSeq`) and never at nothing while changes exist;
 * 5. `rid` is stable over replacement and never given to another document, also after removal of the row;
 * 6. ids and field names are compared byte for byte; the same id under two crawlers is two documents; values come
 *    back exactly as written, in order;
 * 7. within one call the same id twice is applied in order; the last wins; every row is reported;
 * 8. a deletion drops fields and structure at once; its row stays until `purgeDeleted`;
 * 9. `deleteMatching` decides on the state at its commit: candidates unchanged since `candidates.seq` are deleted
 *    as given, documents changed later are judged by the filter; all or nothing;
 * 10. `claimGeneration` runs `publish` only while the stored generation is `expected`, and stores `next` with it;
 *     two writers never both succeed;
 * 11. reads never wait for writes;
 * 12. removing a crawler's documents deletes all of them in steps, each step with its own `seq`;
 * 13. `liveRids` lists the rows that are not deleted, ascending after a rid, up to a limit;
 * 14. work that is asked of the index stays asked until `endIndexWork`, also over a restart; the last request counts;
 * 15. `markOf` tells a random number of the write that took a `seq`, the same whatever became of its documents: a store
 *     that was taken back and written to again has others. Undefined above the last `seq`; those of changes that
 *     the index has passed long ago may be another's;
 * 16. a row that is not what was written costs its own document only: reads by rid and id leave it out, `listDocuments`
 *     shows it without content, `changesAfter` gives it as deleted. It is logged once, and counted by
 *     `damagedDocuments` until it is written again or deleted.
 */
export interface DocumentStore {
  putDocuments(
    crawlerId: number,
    documents: readonly NewDocument[],
    at: number,
  ): Promise<WriteReceipt<PutOutcome> & { readonly kinds: readonly StoredDocument['kind'][] }>;
  patchDocuments(
    crawlerId: number,
    input: PatchInput,
    at: number,
  ): Promise<WriteReceipt<PatchOutcome> & { readonly kinds: readonly (StoredDocument['kind'] | undefined)[] }>;
  /** `kinds` = what each deleted document was. */
  deleteDocuments(
    crawlerId: number,
    ids: readonly string[],
    at: number,
  ): Promise<WriteReceipt<DeleteOutcome> & { readonly kinds: readonly (StoredDocument['kind'] | undefined)[] }>;
  deleteMatching(crawlerId: number, input: DeleteMatching, at: number): Promise<{ seq: number; deleted: number }>;
  /** Deletes up to `limit` documents of a crawler; resolves with how many. */
  deleteCrawlerDocuments(crawlerId: number, limit: number, at: number): Promise<number>;
  /** In the order asked; undefined for rows that are gone or deleted. */
  readDocuments(rids: readonly number[]): Promise<readonly (StoredDocument | undefined)[]>;
  findDocument(crawlerId: number, id: string): Promise<StoredDocument | undefined>;
  /** Live documents of a crawler, or of all, ascending by rid after `after`. */
  listDocuments(of: { crawlerId?: number; after: number; limit: number }): Promise<readonly StoredDocument[]>;
  /** Those that were read since they were damaged. */
  damagedDocuments(): Promise<DamagedDocuments>;
  countDocuments(crawlerId?: number): Promise<number>;
  changesAfter(seq: number, limit: { rows: number; bytes: number }): Promise<readonly StoredDocument[]>;
  liveRids(after: number, limit: number): Promise<readonly number[]>;
  lastSeq(): Promise<number>;
  markOf(seq: number): Promise<number | undefined>;
  indexGeneration(): Promise<number>;
  claimGeneration(expected: number, next: number, publish: () => Promise<void>): Promise<boolean>;
  askIndexWork(work: IndexWork): Promise<void>;
  indexWork(): Promise<IndexWork | undefined>;
  /** Nothing when something else has been asked since. */
  endIndexWork(work: IndexWork): Promise<void>;
  /** Removes rows of deleted documents whose `seq` is at most `seq`; at most `limit`; resolves with how many. */
  purgeDeleted(seq: number, limit: number): Promise<number>;
}

/** A document whose text (UTF-8 bytes of all values) would grow over the limit stays as it was: `too-large`. */
export type PatchInput = { readonly patches: readonly DocumentPatch[]; readonly maxTextBytes: number };

export type DeleteMatching = {
  /** What the index says matches at `seq`. */
  readonly candidates: { readonly seq: number; readonly rids: Uint32Array };
  /** Judges documents that changed after `candidates.seq`; `types` = the fields' types at that time. */
  readonly filter: FilterNode;
  readonly types: ReadonlyMap<string, FieldType>;
};
