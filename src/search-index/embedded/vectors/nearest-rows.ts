import { yieldInBackground } from '../../../core/yield.ts';
import type { NearestQuery } from '../../vector-index.ts';
import { type BinaryVectors, binaryOf, bitsOf, FILTERED_OUT } from './binary-vectors.ts';

/** Passages whose signs are nearest, to be judged exactly: all of the best ten are among them (search-engine 17). */
const CANDIDATES = 400;
/** Words of signs that are compared in one turn of the event loop: some 3 ms. */
const WORDS_PER_YIELD = 1_500_000;

/** The documents and places of the passages whose signs differ least from those of the question. */
export async function nearestRows(
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
