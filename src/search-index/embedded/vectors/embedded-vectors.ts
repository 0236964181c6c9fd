import type { DocumentVectors } from '../../../core/document-vectors.ts';
import { laterTurn } from '../../../core/next-turn.ts';
import type { Log } from '../../../observability/logger.ts';
import { nearestOf, type PlacedPassage, placedPassages, withoutPlace } from '../../near-passages.ts';
import type { NearestQuery, VectorIndex, VectorQuery, VectorSource } from '../../vector-index.ts';
import { nearestRows } from './nearest-rows.ts';
import { createSignSketches, type SignSketches } from './sign-sketches.ts';

export type EmbeddedVectorsOptions = {
  readonly sourceOf: (engineId: number) => Promise<VectorSource>;
  /** Of the signs of all engines. */
  readonly maxBytes: number;
  readonly log: Log;
};

/** Documents that are read in one turn of the event loop. */
const READ_STEP = 50;

/** The signs of one set of an engine, read as far as `change`. */
type Held = {
  readonly engineId: number;
  readonly set: string;
  readonly sketches: SignSketches;
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
  const all = new Map<string, Held>();
  const bytes = () => all.values().reduce((sum, { sketches }) => sum + sketches.bytes, 0);

  function heldOf(engineId: number, { set, vector }: VectorQuery): Held {
    const key = JSON.stringify([engineId, set, vector.length]);
    const held = all.get(key) ?? {
      ...{ engineId, set, sketches: createSignSketches(vector.length) },
      ...{ change: 0, token: undefined, isFull: false, free: Promise.resolve() },
    };
    all.delete(key);
    all.set(key, held);
    return held;
  }

  /** Takes in what was stored since. */
  async function catchUp(held: Held, source: VectorSource): Promise<void> {
    const token = source.changeToken();
    while (held.token !== token && !held.isFull) {
      const changed = await source.vectorsAfter(held.set, { change: held.change, limit: READ_STEP });
      for (const vectors of changed) held.sketches.put(vectors);
      held.change = changed.at(-1)?.change ?? held.change;
      if (changed.length < READ_STEP) held.token = token;
      makeRoom(held);
      await laterTurn();
    }
  }

  function makeRoom(held: Held): void {
    for (const [key, other] of all) {
      if (bytes() <= maxBytes || other === held) break;
      all.delete(key);
    }
    held.isFull = held.sketches.bytes > maxBytes;
    const { engineId, set, sketches } = held;
    if (held.isFull) log.warn({ engineId, set, passages: sketches.rows }, 'no room for the vectors of more passages');
  }

  return {
    async nearest(engineId, query) {
      const source = await sourceOf(engineId);
      const held = heldOf(engineId, query);
      for (;;) {
        const rows = await exclusively(held, async () => {
          await catchUp(held, source);
          return nearestRows(held.sketches, query);
        });
        const { found, gone } = await judge(source, query, rows);
        if (gone.length === 0) return nearestOf(found, query.limit);
        await exclusively(held, async () => {
          for (const rid of gone) held.sketches.remove(rid);
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
function exclusively<T>(held: Held, work: () => Promise<T>): Promise<T> {
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
    await laterTurn();
  }
  return { found, gone };
}

/** A document that was written meanwhile may have fewer. */
function placesOf({ hashes }: DocumentVectors, places: readonly number[] = []): readonly number[] {
  return places.filter((place) => place < hashes.length);
}
