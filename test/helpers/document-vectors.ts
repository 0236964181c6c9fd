import { type DocumentVectors, packVector } from '../../src/core/document-vectors.ts';

/** 16 bytes as hex. */
export const hashOf = (number: number): string => number.toString(16).padStart(32, '0');

/** A vector of length 1 in the direction of the values. */
export function directionOf(...values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

/** Vectors of a document, by the hashes of its passages. */
export function documentVectors(
  rid: number,
  passages: Readonly<Record<number, Float32Array>>,
  more: Partial<DocumentVectors> = {},
): DocumentVectors {
  const vectors = Object.values(passages);
  return {
    rid,
    seq: rid,
    contextHash: hashOf(0),
    dimensions: vectors[0]?.length ?? 0,
    hashes: Object.keys(passages).map((hash) => hashOf(Number(hash))),
    packed: Buffer.concat(vectors.map((vector) => packVector(vector))),
    ...more,
  };
}
