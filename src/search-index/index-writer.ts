import type { StoredDocument } from '../core/document.ts';
import type { StoreIdentity } from '../core/store-identity.ts';

/** One published state of an index. */
export type Generation = { readonly number: number; readonly seq: number; readonly documents: number };

/**
 * Port: the one writer of an engine's index. Promises:
 * - `apply` only takes changes in; `refresh` publishes all that was applied as one generation, or nothing;
 * - the last applied state of a rid wins; applying the same changes again, or any prefix, changes nothing;
 * - a crash at any point leaves a readable generation; `appliedSeq` never claims a change that is not in it;
 * - a document that cannot be indexed, whatever its text does to the index, is left out and logged: others go on;
 * - a replaced document is visible in exactly one version; the changes of one refresh appear together;
 * - `skipTo` moves `appliedSeq` up to a `seq` behind which the source has nothing, never back, and changes no result;
 * - after `rebuild`, and after `rollBack`, every search answers as before, and searches go on during it.
 */
export interface IndexWriter extends AsyncDisposable {
  /** `seq` of the last published generation: where the next reading of changes goes on. */
  readonly appliedSeq: number;
  /** Changes that wait for the next refresh. */
  readonly pending: number;
  apply(changes: readonly StoredDocument[]): void;
  refresh(): Promise<Generation>;
  /** Publishes that nothing is left to apply up to `seq`: the rows of later changes may be gone for good. */
  skipTo(seq: number): Promise<Generation>;
  rebuild(cause: string): Promise<void>;
  /**
   * Goes back to the index that the last rebuild replaced, with all changes since.
   * @throws AppError `record.conflict` when there is none, or it is older than a day
   */
  rollBack(): Promise<void>;
}

/** What the writer asks of the store (`EngineStore`), handed over by the composition root. */
export type IndexSource = IndexedStore & {
  /** Says that the store has lost what was made of it: all of that belongs to it no more. */
  startEpoch(): Promise<unknown>;
  changesAfter(seq: number, limit: { rows: number; bytes: number }): Promise<readonly StoredDocument[]>;
  /** Rows that are not deleted, ascending after a rid. */
  liveRids(after: number, limit: number): Promise<readonly number[]>;
  /** In the order asked; undefined for rows that are gone or deleted. */
  readDocuments(rids: readonly number[]): Promise<readonly (StoredDocument | undefined)[]>;
  /** Runs `publish` only while the stored generation is `expected`, and stores `next` with it. */
  claimGeneration(expected: number, next: number, publish: () => Promise<void>): Promise<boolean>;
};

/** What an index asks its store (`EngineStore`), to know whether it was made of it; handed over by `compose`. */
export type IndexedStore = {
  identity(): Promise<StoreIdentity>;
  lastSeq(): Promise<number>;
  /** A number of the write that took `seq`, which no other history of a store has. */
  markOf(seq: number): Promise<number | undefined>;
  /** Of the last published index. */
  indexGeneration(): Promise<number>;
  countDocuments(): Promise<number>;
};
