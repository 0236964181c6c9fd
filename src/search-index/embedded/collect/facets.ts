import { compareCodePoints } from '../../../core/compare-text.ts';
import type { FacetRequest, SortKey, TopHitsRequest } from '../../query-plan.ts';
import type { FacetCounts, Hits } from '../../search-index.ts';
import { hasBit } from '../bytes/bitset.ts';
import type { KeywordColumn, SetNumbers } from '../columns/keyword.ts';
import { columnsOf, type Snapshot } from '../read/snapshot.ts';
import { checkStop } from '../stop-point.ts';
import { BoundedHeap } from './bounded-heap.ts';
import type { FieldOrdinals, GlobalOrdinals } from './global-ordinals.ts';
import { collectHits, type SegmentMatches, totalOf } from './top-hits.ts';

/** The most frequent values of a field among the matches, each with its best hits. O(matches) and the hits per value. */
export function collectTopValues(
  scope: FacetScope,
  { field, size, maxFieldValues }: TopHitsRequest,
  { sort, matches }: { readonly sort: readonly SortKey[]; readonly matches: readonly SegmentMatches[] },
): Hits['topHits'][number] {
  const byCount = { orderBy: 'DocCount', direction: 'Desc', includeEmpty: false } as const;
  const values = chooseValues(scope, { field, size: maxFieldValues, ...byCount }, matches);
  const parts = partByValue(scope.snapshot, values, matches);
  const page = { sort, offset: 0, limit: size, spare: 0 };
  return {
    field,
    values: values.chosen.map((ordinal, item) => {
      checkStop();
      return {
        value: values.table.keys[ordinal]!,
        count: values.counts[item]!,
        hits: collectHits(scope.snapshot, parts[item]!, page),
      };
    }),
  };
}

/** Belongs to one search. */
export type FacetScope = {
  readonly snapshot: Snapshot;
  readonly ordinals: GlobalOrdinals;
  /** Values that live documents have, by field: asked once, however many items a nested facet is counted for. */
  readonly alive: Map<string, Uint8Array>;
};

/** Counts by global ordinal, in the scratch arrays of the field. */
type ValueCounts = {
  readonly counts: Uint32Array;
  /** Best score of a match with the value; only when the facet orders by it. */
  readonly best: Float32Array | undefined;
  /** 1 = a live document has the value; only when the facet shows empty values. */
  readonly alive: Uint8Array | undefined;
  /** Ordinals counted so far; only when there are few matches for so many values. */
  readonly touched: number[] | undefined;
  withField: number;
};

type Choice = Pick<FacetRequest, 'field' | 'orderBy' | 'direction' | 'size' | 'includeEmpty'>;

/** Share of matches among values below which only the counted values are looked at. */
const SPARSE_DIVISOR = 8;

/**
 * Counts one facet over the matches; for nested ones a second pass parts the matches by item. O(matches + distinct
 * sets), nested O(matches of the items).
 */
export function countFacet(scope: FacetScope, request: FacetRequest, matches: readonly SegmentMatches[]): FacetCounts {
  checkStop();
  const { name, field, facets: nested } = request;
  const values = chooseValues(scope, request, matches);
  const { table, chosen, counts, withField } = values;
  const parts = nested.length === 0 ? [] : partByValue(scope.snapshot, values, matches);
  const items = chosen.map((ordinal, item) => ({
    key: table.keys[ordinal]!,
    count: counts[item]!,
    facets: nested.map((facet) => countFacet(scope, facet, parts[item]!)),
  }));
  return { name, field, items, allCount: withField, missingCount: totalOf(matches) - withField };
}

/** The values to show, in order, with their counts. */
function chooseValues(
  scope: FacetScope,
  request: Choice,
  matches: readonly SegmentMatches[],
): ChosenValues & { readonly withField: number } {
  const { field } = request;
  const table = scope.ordinals.of(scope.snapshot, field);
  const valueCounts = openValueCounts(scope, request, { table, total: totalOf(matches) });
  try {
    for (const part of matches) countSegmentValues(scope.snapshot, { field, table }, part, valueCounts);
    const chosen = chooseItems(request, table, valueCounts);
    const counts = chosen.map((ordinal) => valueCounts.counts[ordinal]!);
    return { field, table, chosen, counts, withField: valueCounts.withField };
  } finally {
    clearValueCounts(valueCounts);
  }
}

function openValueCounts(
  scope: FacetScope,
  { field, orderBy, includeEmpty }: Choice,
  { table, total }: { readonly table: FieldOrdinals; readonly total: number },
): ValueCounts {
  const { counts, best } = table.scratch();
  const isSparse = !includeEmpty && total < table.keys.length / SPARSE_DIVISOR;
  return {
    counts,
    best: orderBy === 'DocScore' ? best : undefined,
    alive: includeEmpty ? aliveValues(scope, field, table) : undefined,
    touched: isSparse ? [] : undefined,
    withField: 0,
  };
}

/** Leaves the scratch arrays as they were. */
function clearValueCounts({ counts, best, touched }: ValueCounts): void {
  if (touched === undefined) {
    counts.fill(0);
    best?.fill(0);
    return;
  }
  for (const ordinal of touched) {
    counts[ordinal] = 0;
    if (best !== undefined) best[ordinal] = 0;
  }
}

function countSegmentValues(
  snapshot: Snapshot,
  { field, table }: { readonly field: string; readonly table: FieldOrdinals },
  matches: SegmentMatches,
  valueCounts: ValueCounts,
): void {
  const column = columnsOf(snapshot, matches.view, field)?.keyword;
  if (column === undefined) return;
  const local = table.localsOf(matches.view.segment);
  if (valueCounts.touched !== undefined || matches.count < column.setCount)
    countEach(column, matches, local, valueCounts);
  else countBySet(column, matches, local, valueCounts);
  if (valueCounts.best !== undefined) raiseBest(column, matches, local, valueCounts.best);
}

/** For fewer matches than value sets: expands each match. */
function countEach(
  column: KeywordColumn,
  { count, documents }: SegmentMatches,
  local: Uint32Array,
  valueCounts: ValueCounts,
): void {
  const { sets, setStart, setValues } = column;
  const { counts, touched } = valueCounts;
  for (let i = 0; i < count; i++) {
    const set = sets[documents[i]!]!;
    if (set !== 0) valueCounts.withField++;
    for (let v = setStart[set]!; v < setStart[set + 1]!; v++) {
      const ordinal = local[setValues[v]!]!;
      if (counts[ordinal] === 0) touched?.push(ordinal);
      counts[ordinal] = counts[ordinal]! + 1;
    }
  }
}

/** Counts sets first, one addition per match, and expands them at the end. */
function countBySet(
  column: KeywordColumn,
  { count, documents }: SegmentMatches,
  local: Uint32Array,
  valueCounts: ValueCounts,
): void {
  const { sets, setStart, setValues, setCount } = column;
  const { counts } = valueCounts;
  const perSet = new Uint32Array(setCount);
  countSets(sets, documents, count, perSet);
  valueCounts.withField += count - perSet[0]!;
  for (let set = 1; set < setCount; set++) {
    const own = perSet[set]!;
    if (own === 0) continue;
    for (let v = setStart[set]!; v < setStart[set + 1]!; v++) {
      const ordinal = local[setValues[v]!]!;
      counts[ordinal] = counts[ordinal]! + own;
    }
  }
}

/** One loop per width of the set numbers, so that each has one shape. */
function countSets(sets: SetNumbers, documents: Uint32Array, count: number, perSet: Uint32Array): void {
  if (sets instanceof Uint8Array) countNarrow(sets, documents, count, perSet);
  else if (sets instanceof Uint16Array) countMiddle(sets, documents, count, perSet);
  else for (let i = 0; i < count; i++) perSet[sets[documents[i]!]!]!++;
}

/** Second counters of at most 256 sets, 0 between two uses. */
const paired = new Uint32Array(256);

/**
 * Hot: neighbours count in different counters, as adding to what was just added to waits for it. 0.5 ns per match.
 */
function countNarrow(sets: Uint8Array, documents: Uint32Array, count: number, perSet: Uint32Array): void {
  const even = count & ~1;
  for (let i = 0; i < even; i += 2) {
    perSet[sets[documents[i]!]!]!++;
    paired[sets[documents[i + 1]!]!]!++;
  }
  if (even < count) perSet[sets[documents[even]!]!]!++;
  for (let set = 0; set < perSet.length; set++) perSet[set] = perSet[set]! + paired[set]!;
  paired.fill(0, 0, perSet.length);
}

function countMiddle(sets: Uint16Array, documents: Uint32Array, count: number, perSet: Uint32Array): void {
  for (let i = 0; i < count; i++) perSet[sets[documents[i]!]!]!++;
}

function raiseBest(column: KeywordColumn, matches: SegmentMatches, local: Uint32Array, best: Float32Array): void {
  const { sets, setStart, setValues } = column;
  for (let i = 0; i < matches.count; i++) {
    const set = sets[matches.documents[i]!]!;
    const score = matches.scores[i]!;
    for (let v = setStart[set]!; v < setStart[set + 1]!; v++) {
      const ordinal = local[setValues[v]!]!;
      if (score > best[ordinal]!) best[ordinal] = score;
    }
  }
}

/** Values that a live document has. O(documents), once per search. */
function aliveValues({ snapshot, alive: known }: FacetScope, field: string, table: FieldOrdinals): Uint8Array {
  const kept = known.get(field);
  if (kept !== undefined) return kept;
  const alive = new Uint8Array(table.keys.length);
  for (const view of snapshot.segments) {
    const column = columnsOf(snapshot, view, field)?.keyword;
    if (column !== undefined) setAliveBits(column, view.live, table.localsOf(view.segment), alive);
  }
  known.set(field, alive);
  return alive;
}

function setAliveBits(
  column: KeywordColumn,
  live: Uint32Array | undefined,
  local: Uint32Array,
  alive: Uint8Array,
): void {
  const { sets, setStart, setValues, setCount } = column;
  const seen = new Uint8Array(setCount);
  for (let d = 0; d < sets.length; d++) if (live === undefined || hasBit(live, d)) seen[sets[d]!] = 1;
  for (let set = 1; set < setCount; set++) {
    if (seen[set] === 0) continue;
    for (let v = setStart[set]!; v < setStart[set + 1]!; v++) alive[local[setValues[v]!]!] = 1;
  }
}

/** The items to show, in order: the configured one, equal ones by key ascending. */
function chooseItems(
  { orderBy, direction, size }: Choice,
  { keys }: FieldOrdinals,
  valueCounts: ValueCounts,
): number[] {
  const { counts, best, alive, touched } = valueCounts;
  const sign = direction === 'Asc' ? 1 : -1;
  const byKey = (a: number, b: number) => compareCodePoints(keys[a]!, keys[b]!);
  const measure = orderBy === 'DocScore' ? best! : counts;
  const compare =
    orderBy === 'Alphabetically'
      ? (a: number, b: number) => sign * byKey(a, b)
      : (a: number, b: number) => sign * (measure[a]! - measure[b]!) || byKey(a, b);
  const heap = new BoundedHeap(Math.min(size, keys.length), (a, b) => compare(a, b) < 0);
  if (touched !== undefined) {
    for (const ordinal of touched) heap.offer(ordinal);
    return heap.sorted();
  }
  const isMeasured = orderBy !== 'Alphabetically';
  for (let ordinal = 0; ordinal < keys.length; ordinal++) {
    if (counts[ordinal] === 0 && alive?.[ordinal] !== 1) continue;
    // Most of many values cannot come in, which costs no call.
    if (isMeasured && heap.isFull && sign * (measure[ordinal]! - measure[heap.worst]!) > 0) continue;
    heap.offer(ordinal);
  }
  return heap.sorted();
}

/** Values of a field by global number, each with how many of the matches have it. */
type ChosenValues = {
  readonly field: string;
  readonly table: FieldOrdinals;
  readonly chosen: readonly number[];
  readonly counts: readonly number[];
};

/**
 * The matches of each chosen value, in their order; one with several of the values is in several lists. One pass:
 * O(values of the matches + Σ counts).
 */
function partByValue(
  snapshot: Snapshot,
  { field, table, chosen, counts }: ChosenValues,
  matches: readonly SegmentMatches[],
): readonly (readonly SegmentMatches[])[] {
  const { marks } = table.scratch();
  const lists = counts.map((count) => ({ documents: new Uint32Array(count), scores: new Float32Array(count), end: 0 }));
  const parts = chosen.map((): SegmentMatches[] => []);
  for (const [item, ordinal] of chosen.entries()) marks[ordinal] = item + 1;
  for (const part of matches) {
    const column = columnsOf(snapshot, part.view, field)?.keyword;
    if (column === undefined) continue;
    const begins = lists.map(({ end }) => end);
    listSegment(part, { column, local: table.localsOf(part.view.segment), marks }, lists);
    for (const [item, { documents, scores, end }] of lists.entries()) {
      const from = begins[item]!;
      const own = { documents: documents.subarray(from, end), scores: scores.subarray(from, end) };
      if (end > from) parts[item]!.push({ view: part.view, count: end - from, ...own });
    }
  }
  for (const ordinal of chosen) marks[ordinal] = 0;
  return parts;
}

type List = { readonly documents: Uint32Array; readonly scores: Float32Array; end: number };

function listSegment(
  { count, documents, scores }: SegmentMatches,
  values: { readonly column: KeywordColumn; readonly local: Uint32Array; readonly marks: Uint32Array },
  lists: readonly List[],
): void {
  const { column, local, marks } = values;
  const { sets, setStart, setValues } = column;
  for (let i = 0; i < count; i++) {
    const set = sets[documents[i]!]!;
    for (let v = setStart[set]!; v < setStart[set + 1]!; v++) {
      const item = marks[local[setValues[v]!]!]!;
      if (item === 0) continue;
      const list = lists[item - 1]!;
      list.documents[list.end] = documents[i]!;
      list.scores[list.end++] = scores[i]!;
    }
  }
}
