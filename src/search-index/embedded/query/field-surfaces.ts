import { wordsOf } from '../../../text/analyzer.ts';
import { foldWord } from '../../../text/folding.ts';
import type { PatternNode } from '../../query-plan.ts';
import { hasBit } from '../bytes/bitset.ts';
import { HASH_SEEDS, hashStepA, hashStepB, type TextHashes } from '../bytes/text-hashes.ts';
import { sortByCodePoint } from '../bytes/text-order.ts';
import type { KeywordColumn } from '../columns/keyword.ts';
import { isLongValue } from '../columns/value-key.ts';
import { columnsOf, isOwnField, type SegmentView, type Snapshot, valueTexts } from '../read/snapshot.ts';
import type { FieldColumns, Segment } from '../segment/segment.ts';
import { boundedDistance } from '../term-dictionary/edit-distance.ts';
import { unitsOf } from '../term-dictionary/surface-scan.ts';
import { matchesPattern, readPattern } from './pattern-text.ts';
import { SURFACE_BITS, type SurfaceMatches, type SurfaceSource, TEXT_BIT } from './surface-source.ts';

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
export function columnSource(snapshot: Snapshot, view: SegmentView, field: string): SurfaceSource {
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
