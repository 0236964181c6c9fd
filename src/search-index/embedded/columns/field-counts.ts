/**
 * What a segment knows about each of its fields without reading a column: rows of seven numbers, enough to type the
 * fields of an engine when it opens (search-engine design 7.7).
 */
export type FieldCounts = {
  readonly field: number;
  /** Documents with the field. */
  readonly documents: number;
  /** Documents with a value that is no number; that is no date. */
  readonly unparsedNumber: number;
  readonly unparsedDate: number;
  /** Documents with a number; with a date. */
  readonly withNumber: number;
  readonly withDate: number;
  /** Distinct values whose text the column does not have. */
  readonly longValues: number;
};

const WIDTH = 7;

export function encodeFieldCounts(rows: readonly FieldCounts[]): Uint32Array {
  return Uint32Array.from(
    rows.flatMap((row) => [
      row.field,
      row.documents,
      row.unparsedNumber,
      row.unparsedDate,
      row.withNumber,
      row.withDate,
      row.longValues,
    ]),
  );
}

export function decodeFieldCounts(data: Uint32Array): Map<number, FieldCounts> {
  const rows = new Map<number, FieldCounts>();
  for (let i = 0; i < data.length; i += WIDTH) {
    rows.set(data[i]!, {
      field: data[i]!,
      documents: data[i + 1]!,
      unparsedNumber: data[i + 2]!,
      unparsedDate: data[i + 3]!,
      withNumber: data[i + 4]!,
      withDate: data[i + 5]!,
      longValues: data[i + 6]!,
    });
  }
  return rows;
}
