import { type DocumentVectors, packedCosine } from '../core/document-vectors.ts';

/**
 * Port: the passages whose vectors are nearest to that of a question. Promises:
 * 1. hits come by cosine, the highest first, then by rid and place in the document; at most `limit`;
 * 2. a filter acts while candidates are looked for: with `rids` the hits are the nearest of these documents;
 * 3. a passage that several documents have comes once;
 * 4. what was stored before a call is found by it, what was changed or removed before is not;
 * 5. `cosines` are those of all passages of the documents asked for, as `nearest` would give them;
 * 6. vectors of other dimensions than the question's are passed over; a set or an engine without any is empty.
 */
export interface VectorIndex {
  nearest(engineId: number, query: NearestQuery): Promise<readonly VectorCandidate[]>;
  cosines(engineId: number, query: VectorQuery, rids: readonly number[]): Promise<readonly VectorCandidate[]>;
}

export type VectorQuery = {
  readonly set: string;
  /** Of length 1. */
  readonly vector: Float32Array;
};

export type NearestQuery = VectorQuery & {
  /** Documents that pass the filter; undefined = all of them. */
  readonly rids: Uint32Array | undefined;
  readonly limit: number;
};

export type VectorCandidate = {
  readonly rid: number;
  /** As `Passage.hash`. */
  readonly hash: string;
  readonly cosine: number;
};

/** Where vectors are read from: part of the store of an engine. */
export type VectorSource = {
  /** Grows with every change of the store. */
  changeToken(): number;
  readVectors(set: string, rids: readonly number[]): Promise<readonly DocumentVectors[]>;
  vectorsAfter(
    set: string,
    input: { change: number; limit: number },
  ): Promise<readonly (DocumentVectors & { readonly change: number })[]>;
  vectorRids(set: string): Promise<readonly number[]>;
};

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
