import { wordsOf } from '../../../text/analyzer.ts';
import { foldWord } from '../../../text/folding.ts';
import type { PatternNode } from '../../query-plan.ts';
import { hasBit } from '../bytes/bitset.ts';
import type { KeywordColumn } from '../columns/keyword.ts';
import { isLongValue } from '../columns/value-key.ts';
import { columnsOf, type SegmentView, type Snapshot, valueTexts } from '../read/snapshot.ts';
import type { FieldColumns, Segment } from '../segment/segment.ts';
import { boundedDistance } from '../term-dictionary/edit-distance.ts';
import { unitsOf } from '../term-dictionary/surface-scan.ts';
import { matchesPattern, readPattern } from './pattern-text.ts';
import { MARK_BITS, type SurfaceMatch, type SurfaceSource, TEXT_MARK } from './surface-source.ts';

/** Distinct folded words of a field's values in one segment, each with the ordinals of the values that hold it. */
type FieldSurfaces = { readonly texts: readonly string[]; readonly ordinals: readonly (readonly number[])[] };

/** Fields of a segment whose words are kept. */
const KEPT_FIELDS = 8;

const kept = new WeakMap<Segment, Map<string, FieldSurfaces>>();

const NOTHING: SurfaceSource = {
  matches: () => [],
  textOf: () => '',
  upperBound: () => 0,
  liveCount: () => 0,
  mark: () => new Uint8Array(0),
};

/**
 * The surfaces of one field, from the values of its column, which must be attached, texts of long values too. The
 * first use of a field reads all of its distinct values.
 */
export function columnSource(snapshot: Snapshot, view: SegmentView, field: string): SurfaceSource {
  const columns = columnsOf(snapshot, view, field);
  if (columns === undefined) return { ...NOTHING, mark: () => new Uint8Array(view.segment.documents) };
  const surfaces = surfacesOf(snapshot, view, { field, columns });
  let liveCounts: Uint32Array | undefined;
  return {
    matches: (node) => surfacesThatFit(surfaces, node),
    textOf: (surface) => surfaces.texts[surface]!,
    upperBound: () => view.segment.documents,
    liveCount(surface) {
      liveCounts ??= countLive(view, columns.keyword, surfaces);
      return liveCounts[surface]!;
    },
    mark: (chosen) => markDocuments(view.segment, columns.keyword, surfaces, chosen),
  };
}

function surfacesOf(
  snapshot: Snapshot,
  view: SegmentView,
  at: { readonly field: string; readonly columns: FieldColumns },
): FieldSurfaces {
  const byField = kept.get(view.segment) ?? new Map<string, FieldSurfaces>();
  kept.set(view.segment, byField);
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
  const surfaces = { texts: [...ordinalsByText.keys()], ordinals: [...ordinalsByText.values()] };
  const oldest = byField.size < KEPT_FIELDS ? undefined : byField.keys().next().value;
  if (oldest !== undefined) byField.delete(oldest);
  byField.set(at.field, surfaces);
  return surfaces;
}

function surfacesThatFit({ texts }: FieldSurfaces, node: PatternNode): readonly SurfaceMatch[] {
  const distanceOf = distanceTest(node);
  return texts.flatMap((text, surface) => {
    const distance = distanceOf(text);
    return distance === undefined ? [] : [{ surface, distance }];
  });
}

/** Edits between a word and the pattern; undefined = the word does not fit. */
function distanceTest(node: PatternNode): (text: string) => number | undefined {
  if (node.kind === 'fuzzy') {
    const asked = unitsOf(foldWord(node.text));
    return (text) => {
      const word = { units: unitsOf(text), from: 0, length: text.length };
      const distance = boundedDistance(asked, word, node.distance);
      return distance <= node.distance ? distance : undefined;
    };
  }
  const { head, steps } = readPattern(node);
  return (text) => (text.startsWith(head) && matchesPattern(steps, unitsOf(text), 0, text.length) ? 0 : undefined);
}

/** Live documents of every surface. O(documents · words of their values). */
function countLive({ segment, live }: SegmentView, column: KeywordColumn, surfaces: FieldSurfaces): Uint32Array {
  const { sets, setStart, setValues } = column;
  const surfacesByOrdinal = byOrdinal(surfaces, column.values.count);
  const counts = new Uint32Array(surfaces.texts.length);
  const last = new Int32Array(surfaces.texts.length).fill(-1);
  const count = (ordinal: number, document: number) => {
    for (const surface of surfacesByOrdinal[ordinal]!) {
      if (last[surface] === document) continue;
      last[surface] = document;
      counts[surface]!++;
    }
  };
  for (let d = 0; d < segment.documents; d++) {
    if (live !== undefined && !hasBit(live, d)) continue;
    for (let i = setStart[sets[d]!]!; i < setStart[sets[d]! + 1]!; i++) count(setValues[i]!, d);
  }
  return counts;
}

/** Surfaces of each value. */
function byOrdinal({ ordinals }: FieldSurfaces, valueCount: number): readonly (readonly number[])[] {
  const surfaces: number[][] = Array.from({ length: valueCount }, () => []);
  for (const [surface, own] of ordinals.entries()) for (const ordinal of own) surfaces[ordinal]!.push(surface);
  return surfaces;
}

/** Values to sets to documents. O(values of the surfaces + set members + documents). */
function markDocuments(
  { documents }: Segment,
  { values, sets, setCount, setStart, setValues }: KeywordColumn,
  surfaces: FieldSurfaces,
  chosen: readonly SurfaceMatch[],
): Uint8Array {
  const ordinalMarks = new Uint8Array(values.count);
  for (const { surface, distance } of chosen) {
    for (const ordinal of surfaces.ordinals[surface]!) ordinalMarks[ordinal]! |= TEXT_MARK << (MARK_BITS * distance);
  }
  const bySet = new Uint8Array(setCount);
  for (let set = 0; set < setCount; set++) {
    for (let i = setStart[set]!; i < setStart[set + 1]!; i++) bySet[set]! |= ordinalMarks[setValues[i]!]!;
  }
  const marks = new Uint8Array(documents);
  for (let d = 0; d < documents; d++) marks[d] = bySet[sets[d]!]!;
  return marks;
}
