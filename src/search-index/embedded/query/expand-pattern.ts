import { wordsOf } from '../../../text/analyzer.ts';
import { foldWord } from '../../../text/folding.ts';
import type { PatternNode } from '../../query-plan.ts';
import { DISTANCE_WEIGHTS, patternTf, weightedSaturation } from '../../relevance.ts';
import { hasBit } from '../bytes/bitset.ts';
import { HASH_SEEDS, hashStepA, hashStepB, type TextHashes } from '../bytes/text-hashes.ts';
import { sortByCodePoint } from '../bytes/text-order.ts';
import { isLongValue, type KeywordColumn } from '../columns/keyword.ts';
import { CLASS_NUMBERS } from '../field-numbers.ts';
import type { LiveCounts } from '../postings/live-counts.ts';
import { columnsOf, isOwnField, type SegmentView, type Snapshot, valueTexts } from '../read/snapshot.ts';
import type { FieldColumns, Segment } from '../segment/segment.ts';
import { boundedDistance, unitsOf } from '../term-dictionary/surface-scan.ts';
import { chooseSurfaces } from './choose-surfaces.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import type { MatchBuffer } from './match-segment.ts';
import { matchesPattern, readPattern } from './pattern-text.ts';
import {
  dictionarySource,
  SURFACE_BITS,
  type SurfaceMatches,
  type SurfaceSource,
  TEXT_BIT,
  TITLE_BIT,
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
  const { norms } = segment;
  let count = 0;
  // Every document is written and only matches move on: a branch on what is nearly random costs more.
  for (let d = 0; d < own.length; d++) {
    const mark = own[d]!;
    const accepted = accept === undefined ? 1 : accept[d >>> 5]! >>> (d & 31);
    documents[count] = d;
    saturations[count] = saturationOf[(mark << NORM_BITS) | norms[d]!]!;
    count += (-mark >>> 31) & accepted;
  }
  return { count, documents, saturations };
}

/** `matchesOfExpansion` of the accepted documents as matches of a query, written from `start` on; returns how many. */
export function scanExpansion(
  { segment, segmentIndex, accept, table }: LeafScope,
  { marks, weight }: Pick<Expansion, 'marks'> & { readonly weight: number },
  { buffer, start }: { readonly buffer: MatchBuffer; readonly start: number },
): number {
  const own = marks[segmentIndex]!;
  const saturationOf = saturationsOf(table);
  const { norms } = segment;
  // One more: the last document is written behind the last match when it is none.
  buffer.reserve(start, own.length + 1);
  const { documents, scores } = buffer;
  let count = start;
  for (let d = 0; d < own.length; d++) {
    const mark = own[d]!;
    const accepted = accept === undefined ? 1 : accept[d >>> 5]! >>> (d & 31);
    documents[count] = d;
    scores[count] = weight * saturationOf[(mark << NORM_BITS) | norms[d]!]!;
    count += (-mark >>> 31) & accepted;
  }
  return count - start;
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
    for (let d = 0; d < own.length; d++) {
      count += (-own[d]! >>> 31) & (live === undefined ? 1 : live[d >>> 5]! >>> (d & 31));
    }
  }
  return count;
}

/**
 * Distinct folded words of a field's values in one segment by code point, also as code units one after the other, each
 * with the ordinals of the values that hold it.
 */
type FieldSurfaces = {
  readonly texts: readonly string[];
  readonly units: Uint16Array;
  /** One more than there are words. */
  readonly starts: Uint32Array;
  readonly ordinals: readonly (readonly number[])[];
  /** Documents of each word that were live when they were last counted. */
  counted: { readonly live: Uint32Array | undefined; readonly documents: Uint32Array } | undefined;
};

/** Fields of a segment whose words are kept. */
const CACHED_FIELDS = 8;

const cached = new WeakMap<Segment, Map<string, FieldSurfaces>>();

const NO_SURFACES: SurfaceMatches = { surfaces: new Uint32Array(0), distances: new Uint8Array(0) };

const NOTHING: SurfaceSource = {
  isExact: true,
  matches: () => NO_SURFACES,
  textOf: () => '',
  hashesOf: () => ({ a: new Uint32Array(0), b: new Uint32Array(0) }),
  boundsOf: () => new Uint32Array(0),
  liveCount: () => 0,
  mark: () => new Uint8Array(0),
};

/**
 * The surfaces of one field, from the values of its column, which must be attached, texts of long values too. The
 * first use of a field reads all of its distinct values.
 */
function columnSource(snapshot: Snapshot, view: SegmentView, field: string): SurfaceSource {
  // Id and kind are a document's own: no text of it.
  const columns = isOwnField(field) ? undefined : columnsOf(snapshot, view, field);
  if (columns === undefined) return { ...NOTHING, mark: () => new Uint8Array(view.segment.documents) };
  const surfaces = surfacesOf(snapshot, view, { field, columns });
  const liveCounts = () => countLive(view, columns.keyword, surfaces);
  return {
    isExact: true,
    matches: (node) => surfacesThatFit(surfaces, node),
    textOf: (surface) => surfaces.texts[surface]!,
    hashesOf: (predicates) => hashesOf(surfaces, predicates),
    boundsOf(predicates) {
      const counts = liveCounts();
      return predicates.map((surface) => counts[surface]!);
    },
    liveCount: (surface) => liveCounts()[surface]!,
    mark: (chosen) => setBitsOfDocuments(view.segment, columns.keyword, surfaces, chosen),
  };
}

function surfacesOf(
  snapshot: Snapshot,
  view: SegmentView,
  at: { readonly field: string; readonly columns: FieldColumns },
): FieldSurfaces {
  const byField = cached.get(view.segment) ?? new Map<string, FieldSurfaces>();
  cached.set(view.segment, byField);
  const known = byField.get(at.field);
  if (known !== undefined) return known;
  const ordinalsByText = new Map<string, number[]>();
  let ordinal = 0;
  for (const value of valueTexts(snapshot, view, at)) {
    // A long value whose text the store no longer has says nothing of its words.
    const words = isLongValue(value) ? [] : new Set(wordsOf(value).map(foldWord));
    for (const word of words) {
      const ordinals = ordinalsByText.get(word) ?? [];
      ordinals.push(ordinal);
      ordinalsByText.set(word, ordinals);
    }
    ordinal++;
  }
  const surfaces = arrange(ordinalsByText);
  const oldest = byField.size < CACHED_FIELDS ? undefined : byField.keys().next().value;
  if (oldest !== undefined) byField.delete(oldest);
  byField.set(at.field, surfaces);
  return surfaces;
}

function arrange(ordinalsByText: ReadonlyMap<string, readonly number[]>): FieldSurfaces {
  const texts = sortByCodePoint([...ordinalsByText.keys()]);
  const starts = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) starts[i + 1] = starts[i]! + text.length;
  const units = new Uint16Array(starts[texts.length]!);
  for (const [i, text] of texts.entries()) {
    for (let j = 0; j < text.length; j++) units[starts[i]! + j] = text.charCodeAt(j);
  }
  return { texts, units, starts, ordinals: texts.map((text) => ordinalsByText.get(text)!), counted: undefined };
}

function surfacesThatFit({ texts, units, starts }: FieldSurfaces, node: PatternNode): SurfaceMatches {
  const distanceOf = distanceTest(units, node);
  const surfaces = new Uint32Array(texts.length);
  const distances = new Uint8Array(texts.length);
  let count = 0;
  for (let i = 0; i < texts.length; i++) {
    const distance = distanceOf(starts[i]!, starts[i + 1]!);
    if (distance < 0) continue;
    surfaces[count] = i;
    distances[count++] = distance;
  }
  return { surfaces: surfaces.slice(0, count), distances: distances.slice(0, count) };
}

/** Edits between the word in `[from, to)` and the pattern; -1 = the word does not fit. */
function distanceTest(units: Uint16Array, node: PatternNode): (from: number, to: number) => number {
  if (node.kind === 'fuzzy') {
    const predicates = unitsOf(foldWord(node.text));
    return (from, to) => {
      const distance = boundedDistance(predicates, { units, from, length: to - from }, node.distance);
      return distance <= node.distance ? distance : -1;
    };
  }
  const pattern = readPattern(node);
  return (from, to) => (matchesPattern(pattern, units, from, to) ? 0 : -1);
}

function hashesOf({ units, starts }: FieldSurfaces, predicates: Uint32Array): TextHashes {
  const hashes = { a: new Uint32Array(predicates.length), b: new Uint32Array(predicates.length) };
  for (let i = 0; i < predicates.length; i++) {
    let a: number = HASH_SEEDS.a;
    let b: number = HASH_SEEDS.b;
    for (let at = starts[predicates[i]!]!; at < starts[predicates[i]! + 1]!; at++) {
      a = hashStepA(a, units[at]!);
      b = hashStepB(b, units[at]!);
    }
    hashes.a[i] = a;
    hashes.b[i] = b;
  }
  return hashes;
}

/** Live documents of every surface, kept while no other ones are live. O(documents + words of the distinct sets). */
function countLive({ segment, live }: SegmentView, column: KeywordColumn, surfaces: FieldSurfaces): Uint32Array {
  const { counted } = surfaces;
  if (counted !== undefined && counted.live === live) return counted.documents;
  const { sets, setCount, setStart, setValues } = column;
  const perSet = new Uint32Array(setCount);
  for (let d = 0; d < segment.documents; d++) if (live === undefined || hasBit(live, d)) perSet[sets[d]!]!++;
  const surfacesByOrdinal = byOrdinal(surfaces, column.values.count);
  const documents = new Uint32Array(surfaces.texts.length);
  const last = new Int32Array(surfaces.texts.length).fill(-1);
  const count = (ordinal: number, set: number) => {
    for (const surface of surfacesByOrdinal[ordinal]!) {
      if (last[surface] === set) continue;
      last[surface] = set;
      documents[surface]! += perSet[set]!;
    }
  };
  for (let set = 1; set < setCount; set++) {
    if (perSet[set] === 0) continue;
    for (let i = setStart[set]!; i < setStart[set + 1]!; i++) count(setValues[i]!, set);
  }
  surfaces.counted = { live, documents };
  return documents;
}

/** Surfaces of each value. */
function byOrdinal({ ordinals }: FieldSurfaces, valueCount: number): readonly (readonly number[])[] {
  const surfaces: number[][] = Array.from({ length: valueCount }, () => []);
  for (const [surface, own] of ordinals.entries()) for (const ordinal of own) surfaces[ordinal]!.push(surface);
  return surfaces;
}

/** Values to sets to documents. O(values of the surfaces + set members + documents). */
function setBitsOfDocuments(
  { documents }: Segment,
  { values, sets, setCount, setStart, setValues }: KeywordColumn,
  surfaces: FieldSurfaces,
  chosen: SurfaceMatches,
): Uint8Array {
  const ordinalMarks = new Uint8Array(values.count);
  for (const [i, surface] of chosen.surfaces.entries()) {
    const mark = TEXT_BIT << (SURFACE_BITS * chosen.distances[i]!);
    for (const ordinal of surfaces.ordinals[surface]!) ordinalMarks[ordinal]! |= mark;
  }
  const bySet = new Uint8Array(setCount);
  for (let set = 0; set < setCount; set++) {
    for (let i = setStart[set]!; i < setStart[set + 1]!; i++) bySet[set]! |= ordinalMarks[setValues[i]!]!;
  }
  const marks = new Uint8Array(documents);
  for (let d = 0; d < documents; d++) marks[d] = bySet[sets[d]!]!;
  return marks;
}
