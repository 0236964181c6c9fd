import type { RangeRequest } from '../../query-plan.ts';
import { type NumberColumn, numbersOf } from '../columns/number.ts';
import { columnsOf, type Snapshot, typeOf } from '../read/snapshot.ts';
import { checkStop } from '../stop-point.ts';
import type { SegmentMatches } from './top-hits.ts';

/** Ranges compared with values between two stop points. */
const BOUNDS_BETWEEN_STOPS = 1 << 18;

/** Documents per range, each once per range: `from` inclusive, `to` exclusive. O(matches · ranges). */
export function countRanges(
  snapshot: Snapshot,
  { label, field, ranges, unit }: RangeRequest,
  matches: readonly SegmentMatches[],
): { readonly label: string; readonly counts: readonly number[] } {
  const counts = ranges.map(() => 0);
  if (typeOf(snapshot, field) !== unit) return { label, counts };
  for (const { view, count, documents } of matches) {
    const columns = columnsOf(snapshot, view, field);
    const column = unit === 'number' ? columns?.numbers : columns?.dates;
    if (column === undefined) continue;
    countSegment(column, ranges, documents.subarray(0, count), counts);
  }
  return { label, counts };
}

function countSegment(
  column: NumberColumn,
  ranges: RangeRequest['ranges'],
  documents: Uint32Array,
  counts: number[],
): void {
  const step = Math.max(1, Math.floor(BOUNDS_BETWEEN_STOPS / ranges.length));
  for (let i = 0; i < documents.length; i++) {
    if (i % step === 0) checkStop();
    const d = documents[i]!;
    const least = column.min[d]!;
    if (column.max[d] === least) addTo(counts, ranges, least);
    else if (!Number.isNaN(least)) addAll(counts, ranges, numbersOf(column, d));
  }
}

function addTo(counts: number[], ranges: RangeRequest['ranges'], value: number): void {
  for (let r = 0; r < ranges.length; r++) {
    const { from, to } = ranges[r]!;
    if (value >= from && value < to) counts[r]!++;
  }
}

function addAll(counts: number[], ranges: RangeRequest['ranges'], values: readonly number[]): void {
  for (const [r, { from, to }] of ranges.entries()) {
    if (values.some((value) => value >= from && value < to)) counts[r]!++;
  }
}
