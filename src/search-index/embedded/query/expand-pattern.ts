import { compareCodePoints } from '../../../core/compare-text.ts';
import { MAX_EXPANSIONS, type PatternNode } from '../../query-plan.ts';
import { patternTf, weightedSaturation } from '../../relevance.ts';
import { DISTANCE_WEIGHTS } from '../../relevance-words.ts';
import { hasBit } from '../bytes/bitset.ts';
import { CLASS_NUMBERS } from '../numbering.ts';
import type { LiveCounts } from '../postings/live-counts.ts';
import type { Snapshot } from '../read/snapshot.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import { columnSource } from './field-surfaces.ts';
import {
  dictionarySource,
  MARK_BITS,
  type SurfaceMatch,
  type SurfaceSource,
  TEXT_MARK,
  TITLE_MARK,
} from './surface-source.ts';
import type { GroupMatches } from './word-source.ts';

/** What a pattern stands for: per segment the marks of its documents. */
export type Expansion = {
  readonly marks: readonly Uint8Array[];
  /** Live documents that match. */
  readonly documents: number;
  /** Surfaces of live documents that it stands for. */
  readonly surfaces: readonly string[];
};

type SegmentMatch = { readonly segment: number; readonly match: SurfaceMatch };

/** A surface over all segments. */
type Candidate = { readonly text: string; readonly found: SegmentMatch[] };

type Sources = readonly (SurfaceSource | undefined)[];

/**
 * Looks a pattern up in all segments. O(dictionary range of its literal beginning; of all surfaces without one, and
 * for fuzzy words) + documents of its surfaces, at most `MAX_EXPANSIONS`.
 */
export function expandPattern(snapshot: Snapshot, counts: LiveCounts, node: PatternNode): Expansion {
  const sources = snapshot.segments.map((view) => sourceOf(snapshot, view, counts, node.field));
  const matches = sources.map((source) => source?.matches(node) ?? []);
  const candidates = new Map<string, Candidate>();
  for (const { segment, match } of worthCounting(sources, matches)) {
    const text = sources[segment]!.textOf(match.surface);
    const known = candidates.get(text) ?? { text, found: [] };
    candidates.set(text, known);
    known.found.push({ segment, match });
  }
  const chosen = mostFrequent([...candidates.values()], sources);
  const bySegment = sources.map((): SurfaceMatch[] => []);
  for (const { found } of chosen) for (const { segment, match } of found) bySegment[segment]!.push(match);
  const marks = snapshot.segments.map(({ segment }, i) => {
    return sources[i]?.mark(bySegment[i]!) ?? new Uint8Array(segment.documents);
  });
  return { marks, documents: countMarked(snapshot, marks), surfaces: chosen.map(({ text }) => text) };
}

/** Documents of an expansion in a segment with the best of their surfaces. O(documents of the segment). */
export function matchesOfExpansion(scope: LeafScope, { marks }: Expansion): GroupMatches {
  const { segment, segmentIndex, table } = scope;
  const own = marks[segmentIndex]!;
  const documents: number[] = [];
  const saturations: number[] = [];
  for (let d = 0; d < own.length; d++) {
    if (own[d] === 0 || (scope.accept !== undefined && !hasBit(scope.accept, d))) continue;
    documents.push(d);
    saturations.push(bestOf(own[d]!, table, segment.norms[d]!));
  }
  return {
    count: documents.length,
    documents: Uint32Array.from(documents),
    saturations: Float32Array.from(saturations),
  };
}

const TITLE_TF = patternTf(true) << 6;
const TEXT_TF = patternTf(false) << 6;

function bestOf(mark: number, table: Float32Array, norm: number): number {
  let best = 0;
  for (let distance = 0; distance < DISTANCE_WEIGHTS.length; distance++) {
    const bits = mark >>> (MARK_BITS * distance);
    if ((bits & (TITLE_MARK | TEXT_MARK)) === 0) continue;
    const saturation = table[((bits & TITLE_MARK) === 0 ? TEXT_TF : TITLE_TF) | norm]!;
    best = Math.max(best, weightedSaturation(DISTANCE_WEIGHTS[distance]!, saturation));
  }
  return best;
}

/**
 * Lists tell titles and body text apart, and whether a surface is searched at all; any other field is asked for its
 * values. Undefined = no document has the field.
 */
function sourceOf(
  snapshot: Snapshot,
  view: Snapshot['segments'][number],
  counts: LiveCounts,
  field: string | undefined,
): SurfaceSource | undefined {
  if (field === undefined) return dictionarySource(view, counts, 'searched');
  const number = snapshot.fieldNumbers.get(field);
  if (number === undefined) return undefined;
  switch (snapshot.fields[number]!.class) {
    case CLASS_NUMBERS.a:
      return dictionarySource(view, counts, 'title');
    case CLASS_NUMBERS.c:
      return dictionarySource(view, counts, 'body');
    default:
      return columnSource(snapshot, view, field);
  }
}

/**
 * Matches that may be among the most frequent: a segment in which `MAX_EXPANSIONS` surfaces have n live documents
 * keeps out every surface that has not n in all segments together. Broad patterns fit most of a dictionary, and making
 * a text of an entry costs 1 µs.
 */
function worthCounting(sources: Sources, matches: readonly (readonly SurfaceMatch[])[]): readonly SegmentMatch[] {
  const least = Math.max(0, ...matches.map((own, i) => leastOfMostFrequent(own, sources[i])));
  return matches.flatMap((own, segment) => {
    const source = sources[segment];
    if (source === undefined) return [];
    const kept = own.filter(({ surface }) => source.upperBound(surface) * sources.length >= least);
    return kept.map((match) => ({ segment, match }));
  });
}

/** Live documents that `MAX_EXPANSIONS` of the surfaces have at least; 0 = there are not so many. */
function leastOfMostFrequent(matches: readonly SurfaceMatch[], source: SurfaceSource | undefined): number {
  if (source === undefined || matches.length <= MAX_EXPANSIONS) return 0;
  const bounds = Float64Array.from(matches, ({ surface }, i) => source.upperBound(surface) * matches.length + i);
  const counts = bounds
    .sort()
    .subarray(-2 * MAX_EXPANSIONS)
    .map((bound) => source.liveCount(matches[bound % matches.length]!.surface));
  return counts.sort()[counts.length - MAX_EXPANSIONS] ?? 0;
}

/**
 * The candidates that live documents have, of too many those in most documents, ties by code point. Live documents are
 * counted in order of an upper bound, until the rest cannot come in.
 */
function mostFrequent(candidates: readonly Candidate[], sources: Sources): readonly Candidate[] {
  const sum = ({ found }: Candidate, of: (source: SurfaceSource, surface: number) => number) =>
    found.reduce((total, { segment, match }) => total + of(sources[segment]!, match.surface), 0);
  const bounded = candidates.map((candidate) => {
    return { candidate, bound: sum(candidate, (source, surface) => source.upperBound(surface)) };
  });
  bounded.sort((a, b) => b.bound - a.bound);
  const counted: { candidate: Candidate; documents: number }[] = [];
  let nextCheck = MAX_EXPANSIONS;
  for (const [i, { candidate, bound }] of bounded.entries()) {
    if (i === nextCheck) {
      nextCheck *= 2;
      counted.sort(byDocuments);
      if ((counted[MAX_EXPANSIONS - 1]?.documents ?? 0) > bound) break;
    }
    const documents = sum(candidate, (source, surface) => source.liveCount(surface));
    if (documents > 0) counted.push({ candidate, documents });
  }
  return counted
    .sort(byDocuments)
    .slice(0, MAX_EXPANSIONS)
    .map(({ candidate }) => candidate);
}

function byDocuments(
  a: { readonly candidate: Candidate; readonly documents: number },
  b: { readonly candidate: Candidate; readonly documents: number },
): number {
  return b.documents - a.documents || compareCodePoints(a.candidate.text, b.candidate.text);
}

function countMarked({ segments }: Snapshot, marks: readonly Uint8Array[]): number {
  let count = 0;
  for (const [i, { live }] of segments.entries()) {
    const own = marks[i]!;
    for (let d = 0; d < own.length; d++) if (own[d] !== 0 && (live === undefined || hasBit(live, d))) count++;
  }
  return count;
}
