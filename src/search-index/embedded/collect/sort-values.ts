import { compareCodePoints } from '../../../core/compare-text.ts';
import type { SortKey } from '../../query-plan.ts';
import { columnsOf, type SegmentView, type Snapshot, typeOf, valueText, valueTexts } from '../read/snapshot.ts';
import type { Segment } from '../segment/segment.ts';
import { checkStop } from '../stop-point.ts';
import type { SegmentMatches } from './segment-matches.ts';

const COMPARISONS_BETWEEN_STOPS = 1_024;

export type SortValue = number | string | undefined;

/** One sort key over the matches of one segment. */
export type SegmentSort = {
  /** Per match a number: smaller stands first, Infinity = no value. Comparable inside the segment only. */
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

export function segmentSort(snapshot: Snapshot, matches: SegmentMatches, key: SortKey): SegmentSort {
  if (isRelevanceKey(key)) {
    const keys = Float64Array.from(matches.scores.subarray(0, matches.count), (score) => -score);
    return { keys, sortValueOf: (match) => matches.scores[match]! };
  }
  const columns = columnsOf(snapshot, matches.view, key.field);
  const type = typeOf(snapshot, key.field);
  const none = { keys: new Float64Array(matches.count).fill(Number.POSITIVE_INFINITY), sortValueOf: () => undefined };
  if (columns === undefined || type === 'geo') return none;
  if (type === 'text') return textSort(snapshot, matches, key);
  const column = type === 'number' ? columns.numbers : columns.dates;
  if (column === undefined) return none;
  const ascending = key.direction === 'ascending';
  const values = ascending ? column.min : column.max;
  const sign = ascending ? 1 : -1;
  const keys = new Float64Array(matches.count);
  for (let i = 0; i < matches.count; i++) {
    const value = values[matches.documents[i]!]!;
    keys[i] = Number.isNaN(value) ? Number.POSITIVE_INFINITY : sign * value;
  }
  const sortValueOf = (match: number) => {
    const value = values[matches.documents[match]!]!;
    return Number.isNaN(value) ? undefined : value;
  };
  return { keys, sortValueOf };
}

function textSort(snapshot: Snapshot, matches: SegmentMatches, key: SortKey): SegmentSort {
  const { view, documents } = matches;
  const columns = columnsOf(snapshot, view, key.field)!;
  const { sets } = columns.keyword;
  const { rankBySet, ordinalBySet } = textRanksOf(snapshot, view, key);
  const keys = new Float64Array(matches.count);
  for (let i = 0; i < matches.count; i++) keys[i] = rankBySet[sets[documents[i]!]!]!;
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
