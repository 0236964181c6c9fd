import type { DocumentVectors } from '../../../core/document-vectors.ts';
import { yieldInBackground } from '../../../core/yield.ts';
import type { Log } from '../../../observability/logger.ts';
import { nearestOf, type PlacedPassage, placedPassages, withoutPlace } from '../../vector-candidates.ts';
import type { NearestQuery, VectorIndex, VectorQuery, VectorSource } from '../../vector-index.ts';
import { type BinaryVectors, createBinaryVectors } from './binary-vectors.ts';
import { nearestRows } from './nearest-rows.ts';

export type EmbeddedVectorsOptions = {
  readonly sourceOf: (engineId: number) => Promise<VectorSource>;
  /** Of the signs of all engines. */
  readonly maxBytes: number;
  readonly log: Log;
};

/** Documents that are read in one turn of the event loop. */
const READ_STEP = 50;

/** The signs of one set of an engine, read as far as `change`. */
type CachedVectors = {
  readonly engineId: number;
  readonly set: string;
  readonly binaryVectors: BinaryVectors;
  change: number;
  token: number | undefined;
  isFull: boolean;
  /** Resolves when nobody works on it. */
  free: Promise<unknown>;
};

/**
 * Holds one bit per dimension and passage, finds the nearest by them and judges those exactly, by what the store has:
 * (dimensions / 8 + 6) bytes per passage, 54 for 384 dimensions, 198 for 1,536. Read when an engine is asked first, and
 * dropped for others when the room is used up, longest unused first. Works in steps of some 3 ms.
 */
export function createEmbeddedVectors({ sourceOf, maxBytes, log }: EmbeddedVectorsOptions): VectorIndex {
  /** Longest unused first. */
  const all = new Map<string, CachedVectors>();
  const bytes = () => all.values().reduce((sum, { binaryVectors }) => sum + binaryVectors.bytes, 0);

  function cachedOf(engineId: number, { set, vector }: VectorQuery): CachedVectors {
    const key = JSON.stringify([engineId, set, vector.length]);
    const held = all.get(key) ?? {
      engineId,
      set,
      binaryVectors: createBinaryVectors(vector.length),
      change: 0,
      token: undefined,
      isFull: false,
      free: Promise.resolve(),
    };
    all.delete(key);
    all.set(key, held);
    return held;
  }

  /** Takes in what was stored since. */
  async function catchUp(held: CachedVectors, source: VectorSource): Promise<void> {
    const token = source.changeToken();
    while (held.token !== token && !held.isFull) {
      const changed = await source.vectorsAfter(held.set, { change: held.change, limit: READ_STEP });
      for (const vectors of changed) held.binaryVectors.put(vectors);
      held.change = changed.at(-1)?.change ?? held.change;
      if (changed.length < READ_STEP) held.token = token;
      makeRoom(held);
      await yieldInBackground();
    }
  }

  function makeRoom(held: CachedVectors): void {
    for (const [key, other] of all) {
      if (bytes() <= maxBytes || other === held) break;
      all.delete(key);
    }
    held.isFull = held.binaryVectors.bytes > maxBytes;
    const { engineId, set, binaryVectors } = held;
    if (held.isFull)
      log.warn({ engineId, set, passages: binaryVectors.rows }, 'no room for the vectors of more passages');
  }

  return {
    async nearest(engineId, query) {
      const source = await sourceOf(engineId);
      const held = cachedOf(engineId, query);
      for (;;) {
        const rows = await exclusively(held, async () => {
          await catchUp(held, source);
          return nearestRows(held.binaryVectors, query);
        });
        const { found, gone } = await judge(source, query, rows);
        if (gone.length === 0) return nearestOf(found, query.limit);
        await exclusively(held, async () => {
          for (const rid of gone) held.binaryVectors.remove(rid);
        });
      }
    },
    async cosines(engineId, query, rids) {
      const found = await (await sourceOf(engineId)).readVectors(query.set, rids);
      return found.flatMap((vectors) => placedPassages(vectors, query)).map(withoutPlace);
    },
  };
}

/** One after the other: rows move while documents come in. */
function exclusively<T>(held: CachedVectors, work: () => Promise<T>): Promise<T> {
  const done = held.free.then(work);
  held.free = done.catch(() => undefined);
  return done;
}

type Rows = ReadonlyMap<number, readonly number[]>;
type Judged = { readonly found: readonly PlacedPassage[]; readonly gone: readonly number[] };

/** Exact cosines of the places of each document, and documents that have no vectors any more. */
async function judge(source: VectorSource, query: NearestQuery, rows: Rows): Promise<Judged> {
  const found: PlacedPassage[] = [];
  const gone: number[] = [];
  const rids = [...rows.keys()];
  for (let from = 0; from < rids.length; from += READ_STEP) {
    const step = rids.slice(from, from + READ_STEP);
    const read = new Map((await source.readVectors(query.set, step)).map((vectors) => [vectors.rid, vectors]));
    for (const rid of step) {
      const vectors = read.get(rid);
      if (vectors === undefined) gone.push(rid);
      else found.push(...placedPassages(vectors, query, placesOf(vectors, rows.get(rid))));
    }
    await yieldInBackground();
  }
  return { found, gone };
}

/** A document that was written meanwhile may have fewer. */
function placesOf({ hashes }: DocumentVectors, indexes: readonly number[] = []): readonly number[] {
  return indexes.filter((index) => index < hashes.length);
}
