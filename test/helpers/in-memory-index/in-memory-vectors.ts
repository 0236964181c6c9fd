import {
  nearestOf,
  placedPassages,
  type VectorIndex,
  type VectorSource,
  withoutPlace,
} from '../../../src/search-index/vector-index.ts';

/** Looks at every vector of the store, every time. */
export function createInMemoryVectors(sourceOf: (engineId: number) => Promise<VectorSource>): VectorIndex {
  return {
    async nearest(engineId, query) {
      const { rids, set, limit } = query;
      const source = await sourceOf(engineId);
      const asked = rids === undefined ? undefined : new Set(rids);
      const accepted = (await source.vectorRids(set)).filter((rid) => asked?.has(rid) !== false);
      const all = await source.readVectors(set, accepted);
      return nearestOf(
        all.flatMap((vectors) => placedPassages(vectors, query)),
        limit,
      );
    },
    async cosines(engineId, query, rids) {
      const found = await (await sourceOf(engineId)).readVectors(query.set, rids);
      return found.flatMap((vectors) => placedPassages(vectors, query)).map(withoutPlace);
    },
  };
}
