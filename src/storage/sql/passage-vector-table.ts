/** A row of `passage_vectors` without its set: the vectors of one document. */
export type VectorRow = {
  /** Higher for each row that is written. */
  change: number;
  rid: number;
  seq: number;
  context_hash: Uint8Array;
  dimensions: number;
  /** 16 bytes of each passage. */
  hashes: Uint8Array;
  vectors: Uint8Array;
};
