import { laterTurn } from '../../../core/next-turn.ts';
import type { NearestQuery } from '../../vector-index.ts';
import { APART, bitsOf, type SignSketches, signsOf } from './sign-sketches.ts';

/** Passages whose signs are nearest, to be judged exactly: all of the best ten are among them (search-engine 17). */
const CANDIDATES = 400;
/** Words of signs that are compared in one turn of the event loop: some 3 ms. */
const WORDS_PER_TURN = 1_500_000;

/** The documents and places of the passages whose signs differ least from those of the question. */
export async function nearestRows(
  sketches: SignSketches,
  { vector, rids }: NearestQuery,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const query = signsOf(vector);
  const { rows } = sketches;
  const distances = new Uint16Array(rows);
  const passing = rids && bitsOf(rids);
  const rowsPerTurn = Math.ceil(WORDS_PER_TURN / query.length);
  for (let from = 0; from < rows; from += rowsPerTurn) {
    if (from > 0) await laterTurn();
    sketches.measure(query, { from, to: Math.min(rows, from + rowsPerTurn) }, { distances, passing });
  }
  const places = new Map<number, number[]>();
  for (const row of smallest(distances, vector.length)) {
    const { rid, place } = sketches.passageAt(row);
    const own = places.get(rid);
    if (own === undefined) places.set(rid, [place]);
    else own.push(place);
  }
  return places;
}

/** Rows of the smallest distances, in their order: all below a distance, and as many of that one as there is room. */
function smallest(distances: Uint16Array, highest: number): readonly number[] {
  const counts = new Uint32Array(highest + 1);
  for (const distance of distances) if (distance !== APART) counts[distance] = (counts[distance] ?? 0) + 1;
  let [border, below] = [0, 0];
  while (border < highest && below + (counts[border] ?? 0) < CANDIDATES) below += counts[border++] ?? 0;
  let room = CANDIDATES - below;
  const rows: number[] = [];
  distances.forEach((distance, row) => {
    if (distance < border || (distance === border && room-- > 0)) rows.push(row);
  });
  return rows;
}
