import { compareCodePoints } from '../../../core/compare-text.ts';
import { MAX_EXPANSIONS } from '../../query-plan.ts';
import { TextTable } from '../bytes/text-hashes.ts';
import { BoundedHeap } from '../collect/bounded-heap.ts';
import { checkStop } from '../stop-point.ts';
import type { SurfaceMatches, SurfaceSource } from './surface-source.ts';

/** The surfaces of one segment that a pattern fits. */
export type FittingSurfaces = SurfaceMatches & { readonly source: SurfaceSource };

/** What a pattern stands for: texts, most frequent first, and the same per segment by number. */
export type ChosenSurfaces = {
  readonly texts: readonly string[];
  readonly bySegment: readonly SurfaceMatches[];
};

/**
 * Fitting surfaces of all segments, numbered one segment after the other. Those of one text are a chain: the first of
 * them stands for it.
 */
type Pool = {
  readonly parts: readonly FittingSurfaces[];
  /** Number of the first surface of each part, and how many there are in all. */
  readonly starts: readonly number[];
  /** By first surface: upper bound of the documents of its text. 0 = another one stands for it. */
  readonly bounds: Uint32Array;
  /** Next surface of the same text, -1 = the last; undefined = no text is in two segments. */
  readonly next: Int32Array | undefined;
};

/** Bounds that are sorted by counting; the few above are sorted by comparing. */
const COUNTED_BOUNDS = 1 << 12;

const SURFACES_BETWEEN_STOPS = 256;

/**
 * The surfaces that live documents have, of too many those in most documents, ties by code point. No text is made but
 * for surfaces that may be kept, and live documents are counted in order of an upper bound, until the rest cannot come
 * in: about 20 ns per fitting surface, 60 ns when several segments have such, and 1 µs per kept one.
 */
export function chooseSurfaces(parts: readonly FittingSurfaces[]): ChosenSurfaces {
  const pool = openPool(parts);
  const texts = new Map<number, string>();
  const textOf = (surface: number): string => {
    const text = texts.get(surface) ?? makeText(pool, surface);
    texts.set(surface, text);
    return text;
  };
  const chosen = mostFrequent(pool, textOf);
  return { texts: chosen.map(textOf), bySegment: partBySegment(pool, chosen) };
}

function openPool(parts: readonly FittingSurfaces[]): Pool {
  const starts = [0];
  for (const { surfaces } of parts) starts.push(starts.at(-1)! + surfaces.length);
  const bounds = new Uint32Array(starts.at(-1)!);
  for (const [i, { source, surfaces }] of parts.entries()) bounds.set(source.boundsOf(surfaces), starts[i]!);
  const filled = parts.filter(({ surfaces }) => surfaces.length > 0);
  const next = filled.length > 1 ? chainEqual(parts, starts, bounds) : undefined;
  return { parts, starts, bounds, next };
}

/** Links the surfaces of each text and adds their bounds up at the first. */
function chainEqual(parts: readonly FittingSurfaces[], starts: readonly number[], bounds: Uint32Array): Int32Array {
  const hashes = { a: new Uint32Array(bounds.length), b: new Uint32Array(bounds.length) };
  for (const [i, { source, surfaces, hashes: known }] of parts.entries()) {
    const own = known ?? source.hashesOf(surfaces);
    hashes.a.set(own.a, starts[i]!);
    hashes.b.set(own.b, starts[i]!);
  }
  const table = new TextTable(hashes);
  const next = new Int32Array(bounds.length).fill(-1);
  for (let surface = 0; surface < bounds.length; surface++) {
    const first = table.firstLike(surface);
    if (first === surface) continue;
    next[surface] = next[first]!;
    next[first] = surface;
    bounds[first] = bounds[first]! + bounds[surface]!;
    bounds[surface] = 0;
  }
  return next;
}

/** First surfaces of the chosen texts, most frequent first. */
function mostFrequent(pool: Pool, textOf: (surface: number) => string): readonly number[] {
  const isExact = pool.parts.every(({ source, surfaces }) => surfaces.length === 0 || source.isExact);
  const compareTexts = (a: number, b: number) =>
    partOf(pool, a) === partOf(pool, b) ? a - b : compareCodePoints(textOf(a), textOf(b));
  const ordered = byBound(pool, compareTexts);
  return isExact ? [...ordered.take(MAX_EXPANSIONS)] : mostLive(pool, ordered, compareTexts);
}

/** Of first surfaces by falling bound, those in most live documents. */
function mostLive(
  pool: Pool,
  ordered: Iterable<number>,
  compareTexts: (a: number, b: number) => number,
): readonly number[] {
  const counts = new Map<number, number>();
  const compare = (a: number, b: number) => counts.get(b)! - counts.get(a)! || compareTexts(a, b);
  const best = new BoundedHeap(MAX_EXPANSIONS, (a, b) => compare(a, b) < 0);
  let looked = 0;
  for (const surface of ordered) {
    if (looked++ % SURFACES_BETWEEN_STOPS === 0) checkStop();
    // It cannot come in, and none behind it: its documents are this many at most.
    counts.set(surface, pool.bounds[surface]!);
    if (best.isFull && compare(surface, best.worst) > 0) break;
    counts.set(surface, countLive(pool, surface));
    if (counts.get(surface)! > 0) best.offer(surface);
  }
  return best.sorted();
}

function countLive(pool: Pool, first: number): number {
  let count = 0;
  for (let surface = first; surface >= 0; surface = pool.next?.[surface] ?? -1) {
    const { source, surfaces, start } = placeOf(pool, surface);
    count += source.liveCount(surfaces[surface - start]!);
  }
  return count;
}

/** First surfaces by falling bound, ties by text; ordered as far as they are asked for. */
function* byBound(pool: Pool, compareTexts: (a: number, b: number) => number): Generator<number> {
  const { bounds } = pool;
  const order = sortByBound(bounds);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && bounds[order[to]!] === bounds[order[from]!]) to++;
    const equal = order.subarray(from, to);
    if (pool.next === undefined) yield* equal;
    else yield* mergeRuns(runsIn(pool, equal), compareTexts);
    from = to;
  }
}

/** Numbers with a bound, by falling bound, then ascending. O(numbers). */
function sortByBound(bounds: Uint32Array): Uint32Array {
  const ends = new Uint32Array(COUNTED_BOUNDS + 1);
  for (let i = 0; i < bounds.length; i++) ends[Math.min(bounds[i]!, COUNTED_BOUNDS)]!++;
  let end = 0;
  for (let bound = COUNTED_BOUNDS; bound > 0; bound--) {
    end += ends[bound]!;
    ends[bound] = end;
  }
  const order = new Uint32Array(end);
  for (let i = bounds.length - 1; i >= 0; i--)
    if (bounds[i]! > 0) order[--ends[Math.min(bounds[i]!, COUNTED_BOUNDS)]!] = i;
  const highest = ends[COUNTED_BOUNDS - 1]!;
  order.subarray(0, highest).sort((a, b) => bounds[b]! - bounds[a]! || a - b);
  return order;
}

/** Parts an ascending list by segment: in each the texts ascend too. */
function runsIn({ starts }: Pool, numbers: Uint32Array): Uint32Array[] {
  const runs: Uint32Array[] = [];
  for (let part = 0, from = 0; from < numbers.length; part++) {
    const to = lowerBound(numbers, starts[part + 1]!);
    if (to > from) runs.push(numbers.subarray(from, to));
    from = to;
  }
  return runs;
}

function* mergeRuns(runs: Uint32Array[], compareTexts: (a: number, b: number) => number): Generator<number> {
  const indexes = runs.map(() => 0);
  const headOf = (run: number) => runs[run]![indexes[run]!]!;
  const open = [...runs.keys()];
  while (open.length > 0) {
    const least = open.reduce((a, b) => (compareTexts(headOf(b), headOf(a)) < 0 ? b : a));
    yield headOf(least);
    indexes[least]!++;
    if (indexes[least] === runs[least]!.length) open.splice(open.indexOf(least), 1);
  }
}

/** The chosen texts as each segment has them, ascending. */
function partBySegment(pool: Pool, chosen: readonly number[]): readonly SurfaceMatches[] {
  const numbers: number[] = [];
  for (const first of chosen) {
    for (let surface = first; surface >= 0; surface = pool.next?.[surface] ?? -1) numbers.push(surface);
  }
  const ascending = Uint32Array.from(numbers).sort();
  return pool.parts.map(({ surfaces, distances }, part) => {
    const start = pool.starts[part]!;
    const own = ascending.subarray(lowerBound(ascending, start), lowerBound(ascending, pool.starts[part + 1]!));
    return {
      surfaces: own.map((surface) => surfaces[surface - start]!),
      distances: Uint8Array.from(own, (surface) => distances[surface - start]!),
    };
  });
}

function makeText(pool: Pool, surface: number): string {
  const { source, surfaces, start } = placeOf(pool, surface);
  return source.textOf(surfaces[surface - start]!);
}

function placeOf(pool: Pool, surface: number): FittingSurfaces & { readonly start: number } {
  const part = partOf(pool, surface);
  return { ...pool.parts[part]!, start: pool.starts[part]! };
}

function partOf({ starts }: Pool, surface: number): number {
  let part = 0;
  while (surface >= starts[part + 1]!) part++;
  return part;
}

/** Number of items below a bound; items ascend. */
function lowerBound(items: Uint32Array, bound: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (items[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
