import { compareCodePoints } from '../../../core/compare-text.ts';
import type { QueryPlan, SortKey } from '../../query-plan.ts';
import type { IndexHit } from '../../search-index.ts';
import type { Snapshot } from '../read/snapshot.ts';
import { BoundedHeap } from './bounded-heap.ts';
import type { SegmentMatches } from './segment-matches.ts';
import { isRelevanceKey, type SegmentSort, type SortValue, segmentSort } from './sort-values.ts';

/**
 * The page of hits that a plan asks for, in the total order: sort keys, score, id by code point, crawler. The best of
 * each segment are found by numbers; only they are compared by value and id. O(matches + k log k per segment).
 */
export function collectHits(
  snapshot: Snapshot,
  results: readonly SegmentMatches[],
  { sort, offset, limit, spare }: Pick<QueryPlan, 'sort' | 'offset' | 'limit' | 'spare'>,
): readonly IndexHit[] {
  const wanted = offset + limit + spare;
  if (wanted === 0) return [];
  const hits: IndexHit[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  for (const matches of results) {
    const size = Math.min(wanted, matches.count);
    const sorts = sort.map((key) => segmentSort(snapshot, matches, key));
    const best = sorts.length === 0 ? bestByScore(matches, size, floor) : bestBySort(matches, sorts, size);
    for (const match of best) hits.push(hitOf(snapshot, matches, match, sorts));
    if (sorts.length === 0) floor = scoreFloor(hits, wanted);
  }
  return hits.sort((a, b) => compareHits(a, b, sort)).slice(offset, wanted);
}

/** Matches with a score of at least `floor`, the best `size` of them. */
function bestByScore({ view, count, documents, scores }: SegmentMatches, size: number, floor: number): number[] {
  const { idRank } = view.segment;
  const heap = new BoundedHeap(
    size,
    (a, b) => scores[a]! > scores[b]! || (scores[a]! === scores[b]! && idRank[documents[a]!]! < idRank[documents[b]!]!),
  );
  let least = floor;
  for (let i = 0; i < count; i++) {
    if (scores[i]! < least) continue;
    heap.offer(i);
    if (heap.isFull) least = Math.max(floor, scores[heap.worst]!);
  }
  return heap.sorted();
}

function bestBySort(matches: SegmentMatches, sorts: readonly SegmentSort[], size: number): number[] {
  const { view, count, documents, scores } = matches;
  const { idRank } = view.segment;
  const first = sorts[0]!.keys;
  const isBetter = (a: number, b: number): boolean => {
    for (const { keys } of sorts) if (keys[a]! !== keys[b]!) return keys[a]! < keys[b]!;
    if (scores[a]! !== scores[b]!) return scores[a]! > scores[b]!;
    return idRank[documents[a]!]! < idRank[documents[b]!]!;
  };
  const heap = new BoundedHeap(size, isBetter);
  let most = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    if (first[i]! > most) continue;
    heap.offer(i);
    if (heap.isFull) most = first[heap.worst]!;
  }
  return heap.sorted();
}

/** Score that the hits found so far say a further one must reach. */
function scoreFloor(hits: readonly IndexHit[], wanted: number): number {
  if (hits.length < wanted) return Number.NEGATIVE_INFINITY;
  return Float64Array.from(hits, ({ score }) => -score).sort()[wanted - 1]! * -1;
}

function hitOf(
  { crawlers }: Snapshot,
  { view, documents, scores }: SegmentMatches,
  match: number,
  sorts: readonly SegmentSort[],
): IndexHit {
  const { segment } = view;
  const document = documents[match]!;
  return {
    rid: segment.rids[document]!,
    crawlerId: crawlers[segment.crawlers[document]!]!,
    id: segment.idOf(document),
    score: scores[match]!,
    sortValues: sorts.map(({ sortValueOf }) => sortValueOf(match)),
  };
}

function compareHits(a: IndexHit, b: IndexHit, sort: readonly SortKey[]): number {
  for (const [index, key] of sort.entries()) {
    const order = compareForKey(a.sortValues[index], b.sortValues[index], key);
    if (order !== 0) return order;
  }
  return b.score - a.score || compareCodePoints(a.id, b.id) || a.crawlerId - b.crawlerId;
}

/** Documents without a value come last in both directions; text without regard to case. Contract: 2.5. */
function compareForKey(a: SortValue, b: SortValue, key: SortKey): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const order =
    typeof a === 'number' && typeof b === 'number'
      ? a - b
      : compareCodePoints(String(a).toLowerCase(), String(b).toLowerCase());
  return key.direction === 'descending' || isRelevanceKey(key) ? -order : order;
}
