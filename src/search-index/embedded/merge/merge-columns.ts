import { hasBit } from '../bytes/bitset.ts';
import type { FieldColumnsWriter } from '../columns/field-writer.ts';
import { pointsOf } from '../columns/geo.ts';
import type { KeywordColumn } from '../columns/keyword.ts';
import { type NumberColumn, numbersOf } from '../columns/number.ts';
import type { NumberColumnWriter } from '../columns/number-writer.ts';
import type { FieldColumns } from '../segment/segment.ts';
import type { MergeSource } from './merger.ts';

/** Adds a field of a source to the merged column. O(documents + distinct values in use). */
export function mergeColumn({ segment, documentMap }: MergeSource, field: number, out: FieldColumnsWriter): void {
  const columns = segment.field(field);
  if (columns === undefined) return;
  const setOf = mapSets(columns.keyword, out);
  const { sets } = columns.keyword;
  for (let d = 0; d < segment.documents; d++) {
    const document = documentMap[d]!;
    if (document < 0 || sets[d] === 0) continue;
    out.keyword.add(document, setOf(sets[d]!));
    copyNumbers(columns.numbers, columns.unparsedNumber, { d, document }, out.numbers);
    copyNumbers(columns.dates, columns.unparsedDate, { d, document }, out.dates);
    copyPoints(columns, { d, document }, out);
  }
}

/** Translates set numbers, values and sets that only dead documents use are left out. */
function mapSets(column: KeywordColumn, out: FieldColumnsWriter): (set: number) => number {
  const keys = [...column.values];
  const mapped = new Int32Array(column.setCount).fill(-1);
  return (set) => {
    if (mapped[set]! < 0) {
      const members = column.setValues.subarray(column.setStart[set]!, column.setStart[set + 1]!);
      mapped[set] = out.keyword.internSet(Array.from(members, (ordinal) => out.keyword.internValue(keys[ordinal]!)));
    }
    return mapped[set]!;
  };
}

function copyNumbers(
  column: NumberColumn | undefined,
  unparsed: Uint32Array | undefined,
  { d, document }: { d: number; document: number },
  out: NumberColumnWriter,
): void {
  const numbers = column === undefined ? [] : numbersOf(column, d);
  if (numbers.length > 0) out.add(document, numbers);
  // Without a column no value of the segment parses, so every document has one that does not.
  if (column === undefined || (unparsed !== undefined && hasBit(unparsed, d))) out.addUnparsed(document);
}

function copyPoints({ points }: FieldColumns, at: { d: number; document: number }, out: FieldColumnsWriter): void {
  if (points === undefined) return;
  const found = pointsOf(points, at.d);
  if (found.length > 0) out.points.add(at.document, found);
}
