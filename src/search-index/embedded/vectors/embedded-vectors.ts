import { type DocumentVectors, packedValues } from '../../../core/document-vectors.ts';
import { yieldInBackground } from '../../../core/yield.ts';
import type { Log } from '../../../observability/logger.ts';
import {
  type NearestQuery,
  nearestOf,
  type PlacedPassage,
  placedPassages,
  type VectorIndex,
  type VectorQuery,
  type VectorSource,
  withoutPlace,
} from '../../vector-index.ts';

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

const BITS = 32;
const START_ROWS = 256;

/** Signs of the vectors of one set, in order of their coming; what is gone leaves its row until half of them is. */
type BinaryVectors = {
  readonly dimensions: number;
  /** Rows, those without a passage included. */
  readonly rows: number;
  readonly bytes: number;
  /** The document's vectors in place of those before; none of other dimensions. */
  put(vectors: DocumentVectors): void;
  remove(rid: number): void;
  /**
   * Counts the signs that differ, for the rows from `from` up to `to`, into `distances`; 65,535 for rows that do not
   * pass. O(rows · dimensions / 32): 5 ms per 100,000 rows of 384 dimensions on a machine at eight times its load.
   */
  measure(query: Uint32Array, range: { from: number; to: number }, into: Measured): void;
  /** Document and place of the passage of a row. */
  passageAt(row: number): { readonly rid: number; readonly place: number };
};

export type Measured = {
  readonly distances: Uint16Array;
  /** By bit of their number; undefined = all pass. */
  readonly accepted: Uint8Array | undefined;
};

/** Distance of what does not pass. */
const FILTERED_OUT = 65_535;

function createBinaryVectors(dimensions: number): BinaryVectors {
  const words = Math.ceil(dimensions / BITS);
  let [bits, rids, indexes] = roomFor(START_ROWS, words);
  let rows = 0;
  let dead = 0;
  const held = new Map<number, { readonly from: number; readonly count: number }>();

  function remove(rid: number): void {
    const own = held.get(rid);
    if (own === undefined) return;
    rids.fill(0, own.from, own.from + own.count);
    held.delete(rid);
    dead += own.count;
    if (dead > START_ROWS && dead > rows / 2) compact();
  }

  function resize(size: number): void {
    const [newBits, newRids, newPlaces] = roomFor(size, words);
    newBits.set(bits.subarray(0, rows * words));
    newRids.set(rids.subarray(0, rows));
    newPlaces.set(indexes.subarray(0, rows));
    [bits, rids, indexes] = [newBits, newRids, newPlaces];
  }

  /** Rows in order, without those that are gone. */
  function compact(): void {
    let to = 0;
    for (const [rid, { from, count }] of held) {
      bits.copyWithin(to * words, from * words, (from + count) * words);
      rids.copyWithin(to, from, from + count);
      indexes.copyWithin(to, from, from + count);
      held.set(rid, { from: to, count });
      to += count;
    }
    [rows, dead] = [to, 0];
  }

  return {
    dimensions,
    get rows() {
      return rows;
    },
    get bytes() {
      return bits.byteLength + rids.byteLength + indexes.byteLength;
    },
    put(vectors) {
      remove(vectors.rid);
      if (vectors.dimensions !== dimensions) return;
      const count = vectors.hashes.length;
      if (rows + count > rids.length) resize(Math.max(2 * rids.length, rows + count));
      for (let index = 0; index < count; index++) {
        writeBinary(packedValues(vectors, index), bits.subarray((rows + index) * words, (rows + index + 1) * words));
        rids[rows + index] = vectors.rid;
        indexes[rows + index] = index;
      }
      held.set(vectors.rid, { from: rows, count });
      rows += count;
    },
    remove,
    measure(query, { from, to }, { distances, accepted }) {
      for (let row = from; row < to; row++) {
        const rid = rids[row] ?? 0;
        const passes = rid !== 0 && (accepted === undefined || hasBit(accepted, rid));
        distances[row] = passes ? differing(bits, row * words, query) : FILTERED_OUT;
      }
    },
    passageAt: (row) => ({ rid: rids[row] ?? 0, place: indexes[row] ?? 0 }),
  };
}

/** One bit per dimension, set where the value is not negative. */
function binaryOf(values: ArrayLike<number>): Uint32Array {
  const binary = new Uint32Array(Math.ceil(values.length / BITS));
  writeBinary(values, binary);
  return binary;
}

/** One bit per rid. */
function bitsOf(rids: Uint32Array): Uint8Array {
  const highest = rids.reduce((most, rid) => Math.max(most, rid), 0);
  const bits = new Uint8Array((highest >> 3) + 1);
  for (const rid of rids) bits[rid >> 3] = (bits[rid >> 3] ?? 0) | (1 << (rid & 7));
  return bits;
}

function hasBit(bits: Uint8Array, rid: number): boolean {
  return (((bits[rid >> 3] ?? 0) >> (rid & 7)) & 1) === 1;
}

function writeBinary(values: ArrayLike<number>, into: Uint32Array): void {
  for (let word = 0; word < into.length; word++) {
    let binary = 0;
    const start = word * BITS;
    for (let bit = 0; bit < BITS; bit++) if ((values[start + bit] ?? -1) >= 0) binary |= 1 << bit;
    into[word] = binary;
  }
}

function differing(bits: Uint32Array, at: number, query: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < query.length; word++) count += ones((bits[at + word] ?? 0) ^ (query[word] ?? 0));
  return count;
}

/** Bits that are set, in parallel: Hacker's Delight, 5-1. */
function ones(value: number): number {
  let sum = value - ((value >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  return Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function roomFor(rows: number, words: number): [Uint32Array, Uint32Array, Uint16Array] {
  return [new Uint32Array(rows * words), new Uint32Array(rows), new Uint16Array(rows)];
}

/** Passages whose signs are nearest, to be judged exactly: all of the best ten are among them (search-engine 17). */
const CANDIDATES = 400;
/** Words of signs that are compared in one turn of the event loop: some 3 ms. */
const WORDS_PER_YIELD = 1_500_000;

/** The documents and places of the passages whose signs differ least from those of the question. */
async function nearestRows(
  binaryVectors: BinaryVectors,
  { vector, rids }: NearestQuery,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const query = binaryOf(vector);
  const { rows } = binaryVectors;
  const distances = new Uint16Array(rows);
  const accepted = rids && bitsOf(rids);
  const rowsPerYield = Math.ceil(WORDS_PER_YIELD / query.length);
  for (let from = 0; from < rows; from += rowsPerYield) {
    if (from > 0) await yieldInBackground();
    binaryVectors.measure(query, { from, to: Math.min(rows, from + rowsPerYield) }, { distances, accepted });
  }
  const indexes = new Map<number, number[]>();
  for (const row of smallest(distances, vector.length)) {
    const { rid, place: index } = binaryVectors.passageAt(row);
    const own = indexes.get(rid);
    if (own === undefined) indexes.set(rid, [index]);
    else own.push(index);
  }
  return indexes;
}

/** Rows of the smallest distances, in their order: all below a distance, and as many of that one as there is room. */
function smallest(distances: Uint16Array, highest: number): readonly number[] {
  const counts = new Uint32Array(highest + 1);
  for (const distance of distances) if (distance !== FILTERED_OUT) counts[distance] = (counts[distance] ?? 0) + 1;
  let [cutoff, below] = [0, 0];
  while (cutoff < highest && below + (counts[cutoff] ?? 0) < CANDIDATES) below += counts[cutoff++] ?? 0;
  let room = CANDIDATES - below;
  const rows: number[] = [];
  distances.forEach((distance, row) => {
    if (distance < cutoff || (distance === cutoff && room-- > 0)) rows.push(row);
  });
  return rows;
}
