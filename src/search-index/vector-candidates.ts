import { type DocumentVectors, packedCosine } from '../core/document-vectors.ts';
import type { VectorCandidate, VectorQuery } from './vector-index.ts';

/** A passage at its place in its document. */
export type PlacedPassage = VectorCandidate & { readonly place: number };

/** Those of the places given, or of all. */
export function placedPassages(
  vectors: DocumentVectors,
  { vector }: VectorQuery,
  indexes: Iterable<number> = vectors.hashes.keys(),
): readonly PlacedPassage[] {
  if (vectors.dimensions !== vector.length) return [];
  return Array.from(indexes, (index) => ({
    rid: vectors.rid,
    place: index,
    hash: vectors.hashes[index] ?? '',
    cosine: packedCosine(vectors, index, vector),
  }));
}

/** The nearest of them, each text once. */
export function nearestOf(found: readonly PlacedPassage[], limit: number): readonly VectorCandidate[] {
  const byHash = new Map<string, VectorCandidate>();
  for (const { rid, hash, cosine } of found.toSorted(byCosine)) {
    if (byHash.size === limit) break;
    if (!byHash.has(hash)) byHash.set(hash, { rid, hash, cosine });
  }
  return [...byHash.values()];
}

export function withoutPlace({ rid, hash, cosine }: PlacedPassage): VectorCandidate {
  return { rid, hash, cosine };
}

function byCosine(a: PlacedPassage, b: PlacedPassage): number {
  return b.cosine - a.cosine || a.rid - b.rid || a.place - b.place;
}
