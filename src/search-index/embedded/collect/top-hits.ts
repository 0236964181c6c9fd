import { compareCodePoints } from '../../../core/compare-text.ts';
import type { QueryPlan, SortKey } from '../../query-plan.ts';
import type { IndexHit } from '../../search-index.ts';
import { hasBit } from '../bytes/bitset.ts';
import { columnsOf, type SegmentView, type Snapshot, typeOf, valueText, valueTexts } from '../read/snapshot.ts';
import type { Segment } from '../segment/segment.ts';
import { checkStop } from '../stop-point.ts';
import { bestByScore } from './best-scores.ts';
import { BoundedHeap } from './bounded-heap.ts';

const OFFERS_BETWEEN_STOPS = 4_096;

/** A match that may be on the page; its id and sort values are read when they are asked for. */
export type Candidate = {
  readonly matches: SegmentMatches;
  readonly match: number;
  /** Changes only while bonuses are added. */
  score: number;
  readonly sorts: readonly Pick<SegmentSort, 'sortValueOf'>[];
  id: string | undefined;
};

/**
 * The page of hits that a plan asks for, in the total order: sort keys, score, id by code point, crawler. The best of
 * each segment are found by numbers; only they are compared by value and id. `best` = the best by relevance as far as
 * they are known. O(matches + k log k per segment).
 */
export function collectHits(
  snapshot: Snapshot,
  results: readonly SegmentMatches[],
  { sort, offset, limit, spare }: Pick<QueryPlan, 'sort' | 'offset' | 'limit' | 'spare'>,
  best: readonly Candidate[] = [],
): readonly IndexHit[] {
  const wanted = offset + limit + spare;
  if (limit + spare === 0) return [];
  const known = sort.length === 0 && wanted <= best.length;
  const candidates = known ? best : bestOf(snapshot, results, sort, wanted);
  return candidates.slice(offset, wanted).map((candidate) => hitOf(snapshot, candidate));
}

/** The best by sort keys, then score and id. */
function bestOf(
  snapshot: Snapshot,
  results: readonly SegmentMatches[],
  sort: readonly SortKey[],
  wanted: number,
): readonly Candidate[] {
  if (sort.length === 0) return bestByRelevance(snapshot, results, wanted);
  let candidates: Candidate[] = [];
  for (const matches of results) {
    const size = Math.min(wanted, matches.count);
    if (size === 0) continue;
    checkStop();
    const sorts = sort.map((key, place) => segmentSort(snapshot, matches, { key, keys: keysOf(place, matches.count) }));
    for (const match of bestBySort(matches, sorts, size)) {
      candidates.push({ matches, match, score: matches.scores[match]!, sorts, id: undefined });
    }
    candidates.sort((a, b) => compareCandidates(snapshot, a, b, sort));
    candidates = candidates.slice(0, wanted);
  }
  return candidates;
}

/** The best by score, then id, in this order. */
export function bestByRelevance(
  snapshot: Snapshot,
  results: readonly SegmentMatches[],
  wanted: number,
): readonly Candidate[] {
  return byRelevance(snapshot, bestCandidates(snapshot, results, wanted));
}

/**
 * The best `wanted` by score, then id, in no order. Segment after segment raises the score that is needed; only what
 * may be among the best of several segments is put in order.
 */
export function bestCandidates(snapshot: Snapshot, results: readonly SegmentMatches[], wanted: number): Candidate[] {
  let candidates: Candidate[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  for (const matches of results) {
    const size = Math.min(wanted, matches.count);
    if (size === 0) continue;
    checkStop();
    const { idRank } = matches.view.segment;
    const before = candidates.length;
    for (const match of bestByScore({ ...matches, idRank }, size, floor)) {
      const score = matches.scores[match]!;
      if (score >= floor) candidates.push({ matches, match, score, sorts: NO_SORTS, id: undefined });
    }
    if (candidates.length < wanted || candidates.length === before) continue;
    floor = leastOf(candidates, wanted);
    if (before > 0) candidates = candidates.filter(({ score }) => score >= floor);
  }
  return candidates.length <= wanted ? candidates : byRelevance(snapshot, candidates).slice(0, wanted);
}

const NO_SORTS: Candidate['sorts'] = [];

/** The score of the one that stands at place `wanted`, of at most twice as many and what ties with it. */
function leastOf(candidates: readonly Candidate[], wanted: number): number {
  const scores = Float32Array.from(candidates, ({ score }) => score).sort();
  return scores[candidates.length - wanted]!;
}

/** Sorts by score, then id. */
export function byRelevance(snapshot: Snapshot, candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted((a, b) => compareByRelevance(snapshot, a, b));
}

/** One match by relevance as a hit; `match` = its place among the matches of its segment. */
export function hitAt(
  snapshot: Snapshot,
  { matches, match, sort }: { matches: SegmentMatches; match: number; sort: readonly SortKey[] },
): IndexHit {
  const score = matches.scores[match]!;
  const sorts = sort.map(() => ({ sortValueOf: () => score }));
  return hitOf(snapshot, { matches, match, score, sorts, id: undefined });
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
    if (i % OFFERS_BETWEEN_STOPS === 0) checkStop();
    heap.offer(i);
    if (heap.isFull) most = first[heap.worst]!;
  }
  return heap.sorted();
}

function hitOf({ crawlers }: Snapshot, candidate: Candidate): IndexHit {
  const { matches, match, score, sorts } = candidate;
  const { segment } = matches.view;
  const document = matches.documents[match]!;
  return {
    rid: segment.rids[document]!,
    crawlerId: crawlers[segment.crawlers[document]!]!,
    id: idOf(candidate),
    score,
    sortValues: sorts.map(({ sortValueOf }) => sortValueOf(match)),
  };
}

function idOf(candidate: Candidate): string {
  const { matches, match } = candidate;
  candidate.id ??= matches.view.segment.idOf(matches.documents[match]!);
  return candidate.id;
}

function compareCandidates({ crawlers }: Snapshot, a: Candidate, b: Candidate, sort: readonly SortKey[]): number {
  for (const [index, key] of sort.entries()) {
    const order = compareForKey(a.sorts[index]!.sortValueOf(a.match), b.sorts[index]!.sortValueOf(b.match), key);
    if (order !== 0) return order;
  }
  return compareByRelevance({ crawlers }, a, b);
}

function compareByRelevance({ crawlers }: Pick<Snapshot, 'crawlers'>, a: Candidate, b: Candidate): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.matches === b.matches) return rankOf(a) - rankOf(b);
  return compareCodePoints(idOf(a), idOf(b)) || crawlerOf(crawlers, a) - crawlerOf(crawlers, b);
}

/** Place in the segment's order of ids. */
function rankOf({ matches, match }: Candidate): number {
  return matches.view.segment.idRank[matches.documents[match]!]!;
}

function crawlerOf(crawlers: readonly number[], { matches, match }: Candidate): number {
  return crawlers[matches.view.segment.crawlers[matches.documents[match]!]!]!;
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

/** Matches of one segment, ascending by document. The arrays belong to the search and are valid during it. */
export type SegmentMatches = {
  readonly view: SegmentView;
  readonly count: number;
  readonly documents: Uint32Array;
  readonly scores: Float32Array;
  /** The scores before boosts, when there are boosts. */
  readonly first?: Float32Array;
};

/** The matches whose bit is set; undefined = all of them, uncopied. */
export function keepMatches(matches: SegmentMatches, bits: Uint32Array | undefined): SegmentMatches {
  if (bits === undefined) return matches;
  const { view, first } = matches;
  const documents = new Uint32Array(matches.count);
  const scores = new Float32Array(matches.count);
  const keptFirst = first === undefined ? undefined : new Float32Array(matches.count);
  let count = 0;
  for (let i = 0; i < matches.count; i++) {
    if (!hasBit(bits, matches.documents[i]!)) continue;
    documents[count] = matches.documents[i]!;
    if (keptFirst !== undefined) keptFirst[count] = first![i]!;
    scores[count++] = matches.scores[i]!;
  }
  return { view, count, documents, scores, ...(keptFirst !== undefined && { first: keptFirst }) };
}

export function totalOf(matches: readonly SegmentMatches[]): number {
  return matches.reduce((sum, { count }) => sum + count, 0);
}

const COMPARISONS_BETWEEN_STOPS = 1_024;

type SortValue = number | string | undefined;

/** One sort key over the matches of one segment. */
type SegmentSort = {
  /** Per match a number, and more behind: smaller stands first, Infinity = no value. Comparable inside the segment only. */
  readonly keys: Float64Array;
  /** The value itself, comparable everywhere. */
  readonly sortValueOf: (match: number) => SortValue;
};

/** Keys that stand for relevance, best first whatever their direction. */
export function isRelevanceKey({ field }: SortKey): boolean {
  return field === '_score' || field === '_rank';
}

/** Per value set the place of its sort value among the segment's values, and that value's ordinal (-1 = none). */
type TextRanks = { readonly rankBySet: Float64Array; readonly ordinalBySet: Int32Array };

const textRanks = new WeakMap<Segment, Map<string, TextRanks>>();

/** By place of the sort key, valid until the next segment is sorted; they belong to the thread and grow. */
const keyScratch: Float64Array[] = [];

function keysOf(place: number, count: number): Float64Array {
  const scratch = keyScratch[place];
  if (scratch !== undefined && scratch.length >= count) return scratch;
  const larger = new Float64Array(2 * count);
  keyScratch[place] = larger;
  return larger;
}

/** A sort key, and where its numbers go. */
type KeyedSort = { readonly key: SortKey; readonly keys: Float64Array };

function segmentSort(snapshot: Snapshot, matches: SegmentMatches, { key, keys }: KeyedSort): SegmentSort {
  const { count, documents, scores } = matches;
  if (isRelevanceKey(key)) {
    for (let i = 0; i < count; i++) keys[i] = -scores[i]!;
    return { keys, sortValueOf: (match) => scores[match]! };
  }
  const columns = columnsOf(snapshot, matches.view, key.field);
  const type = typeOf(snapshot, key.field);
  if (columns !== undefined && type === 'text') return textSort(snapshot, matches, { key, keys });
  const column = type === 'number' ? columns?.numbers : columns?.dates;
  if (column === undefined || type === 'geo') {
    return { keys: keys.fill(Number.POSITIVE_INFINITY, 0, count), sortValueOf: () => undefined };
  }
  const ascending = key.direction === 'ascending';
  const values = ascending ? column.min : column.max;
  const sign = ascending ? 1 : -1;
  for (let i = 0; i < count; i++) {
    const value = values[documents[i]!]!;
    keys[i] = Number.isNaN(value) ? Number.POSITIVE_INFINITY : sign * value;
  }
  const sortValueOf = (match: number) => {
    const value = values[documents[match]!]!;
    return Number.isNaN(value) ? undefined : value;
  };
  return { keys, sortValueOf };
}

function textSort(snapshot: Snapshot, matches: SegmentMatches, { key, keys }: KeyedSort): SegmentSort {
  const { view, count, documents } = matches;
  const columns = columnsOf(snapshot, view, key.field)!;
  const { sets } = columns.keyword;
  const { rankBySet, ordinalBySet } = textRanksOf(snapshot, view, key);
  for (let i = 0; i < count; i++) keys[i] = rankBySet[sets[documents[i]!]!]!;
  const sortValueOf = (match: number) => {
    const ordinal = ordinalBySet[sets[documents[match]!]!]!;
    return ordinal < 0 ? undefined : valueText(snapshot, view, { field: key.field, columns, ordinal });
  };
  return { keys, sortValueOf };
}

/** Made on first use of a field and direction: O(values log values). */
function textRanksOf(snapshot: Snapshot, view: SegmentView, key: SortKey): TextRanks {
  let kept = textRanks.get(view.segment);
  if (kept === undefined) {
    kept = new Map();
    textRanks.set(view.segment, kept);
  }
  const name = `${key.direction} ${key.field}`;
  let ranks = kept.get(name);
  if (ranks === undefined) {
    ranks = rankSets(snapshot, view, key);
    kept.set(name, ranks);
  }
  return ranks;
}

function rankSets(snapshot: Snapshot, view: SegmentView, { field, direction }: SortKey): TextRanks {
  const columns = columnsOf(snapshot, view, field)!;
  const { setStart, setValues, setCount } = columns.keyword;
  const folded = Array.from(valueTexts(snapshot, view, { field, columns }), (text) => text.toLowerCase());
  let compared = 0;
  const order = [...folded.keys()].sort((a, b) => {
    if (++compared % COMPARISONS_BETWEEN_STOPS === 0) checkStop();
    return compareCodePoints(folded[a]!, folded[b]!);
  });
  const rank = new Float64Array(folded.length);
  for (let i = 1; i < order.length; i++) {
    rank[order[i]!] = rank[order[i - 1]!]! + (folded[order[i]!] === folded[order[i - 1]!] ? 0 : 1);
  }
  const sign = direction === 'ascending' ? 1 : -1;
  const rankBySet = new Float64Array(setCount).fill(Number.POSITIVE_INFINITY);
  const ordinalBySet = new Int32Array(setCount).fill(-1);
  for (let set = 0; set < setCount; set++) {
    for (let i = setStart[set]!; i < setStart[set + 1]!; i++) {
      const ordinal = setValues[i]!;
      const own = sign * rank[ordinal]!;
      // Ordinals ascend by code point: of texts that differ in case only, ascending takes the first, descending the last.
      if (own < rankBySet[set]! || (own === rankBySet[set]! && sign < 0)) {
        rankBySet[set] = own;
        ordinalBySet[set] = ordinal;
      }
    }
  }
  return { rankBySet, ordinalBySet };
}
