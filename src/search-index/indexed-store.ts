import type { StoreIdentity } from '../core/store-identity.ts';

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
