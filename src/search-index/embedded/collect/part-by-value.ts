import type { KeywordColumn } from '../columns/keyword.ts';
import { columnsOf, type Snapshot } from '../read/snapshot.ts';
import type { FieldOrdinals } from './global-ordinals.ts';
import type { SegmentMatches } from './segment-matches.ts';

/** Values of a field by global number, each with how many of the matches have it. */
export type ChosenValues = {
  readonly field: string;
  readonly table: FieldOrdinals;
  readonly chosen: readonly number[];
  readonly counts: readonly number[];
};

/**
 * The matches of each chosen value, in their order; one with several of the values is in several lists. One pass:
 * O(values of the matches + Σ counts).
 */
export function partByValue(
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
