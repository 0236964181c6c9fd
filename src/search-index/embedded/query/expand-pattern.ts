import type { PatternNode } from '../../query-plan.ts';
import { patternTf, weightedSaturation } from '../../relevance.ts';
import { DISTANCE_WEIGHTS } from '../../relevance-words.ts';
import { hasBit } from '../bytes/bitset.ts';
import { CLASS_NUMBERS } from '../field-numbers.ts';
import type { LiveCounts } from '../postings/live-counts.ts';
import type { Snapshot } from '../read/snapshot.ts';
import type { Segment } from '../segment/segment.ts';
import { chooseSurfaces } from './choose-surfaces.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import { columnSource } from './field-surfaces.ts';
import { readPattern } from './pattern-text.ts';
import { dictionarySource, SURFACE_BITS, type SurfaceSource, TEXT_BIT, TITLE_BIT } from './surface-source.ts';
import type { GroupMatches } from './word-source.ts';

/** What a pattern stands for: per segment the marks of its documents. */
export type Expansion = {
  readonly marks: readonly Uint8Array[];
  /** Live documents that match. */
  readonly documents: number;
  /** Surfaces of live documents that it stands for. */
  readonly surfaces: readonly string[];
};

/**
 * Looks a pattern up in all segments. O(dictionary range of its literal beginning; of all surfaces without one, and
 * for fuzzy words) + documents of its surfaces, at most `MAX_EXPANSIONS`.
 */
export function expandPattern(snapshot: Snapshot, counts: LiveCounts, node: PatternNode): Expansion {
  const sources = snapshot.segments.map((view) => sourceOf(snapshot, view, counts, node.field));
  const { texts, bySegment } = chooseSurfaces(sources.map((source) => ({ source, ...source.matches(node) })));
  const marks = sources.map((source, i) => source.mark(bySegment[i]!));
  return { marks, documents: countMarked(snapshot, marks), surfaces: texts };
}

/** Dictionary range up to which the postings of its surfaces are added up. */
const COUNTED_RANGE = 5_000;

/** Surfaces that `expandPattern` would look at, without doing it. O(log surfaces). */
export function entriesOfPattern({ segments }: Snapshot, node: PatternNode): number {
  return segments.reduce((sum, { segment }) => {
    const { from, to } = rangeOf(segment, node);
    return sum + to - from;
  }, 0);
}

/** Postings that it would read at most. O(log surfaces), or O(surfaces) when they are few: 50 ns each. */
export function postingsOfPattern(snapshot: Snapshot, node: PatternNode): number {
  const { segments, live } = snapshot;
  let entries = 0;
  let postings = 0;
  for (const { segment } of segments) {
    const range = rangeOf(segment, node);
    entries += range.to - range.from;
    if (entries > COUNTED_RANGE) continue;
    const { dictionary, termDf } = segment;
    const frequencies = dictionary.frequenciesOf(dictionary.surfacesIn(range), termDf);
    for (let i = 0; i < frequencies.length; i++) postings += frequencies[i]!;
  }
  return entries > COUNTED_RANGE ? Math.max(live, postings) : postings;
}

function rangeOf({ dictionary }: Segment, node: PatternNode) {
  return dictionary.rangeOf(node.kind === 'fuzzy' || node.field !== undefined ? '' : readPattern(node).head);
}

/** Documents of an expansion in a segment with the best of their surfaces. O(documents of the segment). */
export function matchesOfExpansion(scope: LeafScope, { marks }: Expansion): GroupMatches {
  const { segment, segmentIndex, accept } = scope;
  const own = marks[segmentIndex]!;
  const saturationOf = saturationsOf(scope.table);
  const documents = new Uint32Array(own.length);
  const saturations = new Float32Array(own.length);
  let count = 0;
  for (let d = 0; d < own.length; d++) {
    if (own[d] === 0 || (accept !== undefined && !hasBit(accept, d))) continue;
    documents[count] = d;
    saturations[count++] = saturationOf[(own[d]! << NORM_BITS) | segment.norms[d]!]!;
  }
  return { count, documents, saturations };
}

const NORM_BITS = 6;
const TITLE_TF = patternTf(true) << NORM_BITS;
const TEXT_TF = patternTf(false) << NORM_BITS;

/** By scoring table: tables are kept themselves. */
const bestSaturations = new WeakMap<Float32Array, Float32Array>();

/** The best saturation of a document by its mark and norm. */
function saturationsOf(table: Float32Array): Float32Array {
  const known = bestSaturations.get(table);
  if (known !== undefined) return known;
  const norms = 1 << NORM_BITS;
  const best = new Float32Array(norms << (SURFACE_BITS * DISTANCE_WEIGHTS.length));
  for (let i = 0; i < best.length; i++) best[i] = bestOf(i >>> NORM_BITS, table, i & (norms - 1));
  bestSaturations.set(table, best);
  return best;
}

function bestOf(mark: number, table: Float32Array, norm: number): number {
  let best = 0;
  for (let distance = 0; distance < DISTANCE_WEIGHTS.length; distance++) {
    const bits = mark >>> (SURFACE_BITS * distance);
    if ((bits & (TITLE_BIT | TEXT_BIT)) === 0) continue;
    const saturation = table[((bits & TITLE_BIT) === 0 ? TEXT_TF : TITLE_TF) | norm]!;
    best = Math.max(best, weightedSaturation(DISTANCE_WEIGHTS[distance]!, saturation));
  }
  return best;
}

/**
 * Lists tell titles and body text apart, and whether a surface is searched at all; any other field is asked for its
 * values.
 */
function sourceOf(
  snapshot: Snapshot,
  view: Snapshot['segments'][number],
  counts: LiveCounts,
  field: string | undefined,
): SurfaceSource {
  if (field === undefined) return dictionarySource(view, counts, 'searched');
  const number = snapshot.fieldNumbers.get(field);
  switch (number === undefined ? undefined : snapshot.fields[number]!.class) {
    case CLASS_NUMBERS.a:
      return dictionarySource(view, counts, 'title');
    case CLASS_NUMBERS.c:
      return dictionarySource(view, counts, 'body');
    default:
      return columnSource(snapshot, view, field);
  }
}

function countMarked({ segments }: Snapshot, marks: readonly Uint8Array[]): number {
  let count = 0;
  for (const [i, { live }] of segments.entries()) {
    const own = marks[i]!;
    for (let d = 0; d < own.length; d++) if (own[d] !== 0 && (live === undefined || hasBit(live, d))) count++;
  }
  return count;
}
