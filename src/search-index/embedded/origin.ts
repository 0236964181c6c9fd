import { AppError } from '../../core/errors.ts';
import type { IndexedStore } from '../index-writer.ts';
import type { Manifest } from './manifest.ts';

/** The store that a generation was made of, and the mark of the write that its `seq` belongs to; null at `seq` 0. */
export type Origin = { readonly storeId: string; readonly epoch: string; readonly mark: number | null };

/** @throws AppError `index.corrupt` when the store has not come as far: it is not the one that was read */
export async function originAt(store: IndexedStore, seq: number): Promise<Origin> {
  const { storeId, epoch } = await store.identity();
  const mark = await markAt(store, seq);
  if (mark === undefined) throw new AppError('index.corrupt', 'The index is ahead of its store', { details: { seq } });
  return { storeId, epoch, mark };
}

/**
 * Why a generation does not belong to the store beside it; undefined when it does. `ahead` = the store has lost what
 * the index has seen, and is to begin a new epoch. Three reads of the store.
 */
export type Foreign = { readonly cause: string; readonly ahead: boolean };

export async function foreignTo(store: IndexedStore, manifest: Manifest): Promise<Foreign | undefined> {
  const { origin, seq } = manifest;
  if (origin === null) return foreignUnnamed(store, manifest);
  const { storeId, epoch } = await store.identity();
  if (origin.storeId !== storeId) return { cause: 'made of another store', ahead: false };
  if (origin.epoch !== epoch) return { cause: 'made before the store was restored', ahead: false };
  if ((await markAt(store, seq)) !== origin.mark) return { cause: 'ahead of its store', ahead: true };
  return undefined;
}

/** A manifest of before stores had an identity: adopted when its numbers agree with those of the store. */
async function foreignUnnamed(store: IndexedStore, { generation, seq, live }: Manifest): Promise<Foreign | undefined> {
  const lastSeq = await store.lastSeq();
  // The manifest is one ahead when its writer ended between the rename and the commit of the claim.
  const isOfStore = generation - (await store.indexGeneration()) <= 1 && seq <= lastSeq;
  const isComplete = seq < lastSeq || live === (await store.countDocuments());
  return isOfStore && isComplete
    ? undefined
    : { cause: 'of an earlier version, not level with its store', ahead: true };
}

/** Null at the beginning, where all stores are alike. */
async function markAt(store: IndexedStore, seq: number): Promise<number | null | undefined> {
  return seq === 0 ? null : await store.markOf(seq);
}
