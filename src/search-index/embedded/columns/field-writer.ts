import { type GeoPoint, parseDate, parseGeoPoint, parseNumber } from '../../../core/field-values.ts';
import type { Section } from '../segment/sections.ts';
import { DATE_KINDS, KeywordColumnWriter, NUMBER_KINDS, NumberColumnWriter } from './column-writers.ts';
import { GeoColumnWriter } from './geo.ts';
import { valueKey } from './keyword.ts';

/** No number, date or point that counts is longer. */
const TYPED_VALUE_CHARS = 64;
/** First characters of a number, date or point: digits, signs, blanks. */
const TYPED_START = /^[\d+\-\s]/;

/** All columns of one field: value sets, numbers, instants and points, each for what its values parse as. */
export class FieldColumnsWriter {
  readonly keyword = new KeywordColumnWriter();
  readonly numbers = new NumberColumnWriter();
  readonly dates = new NumberColumnWriter();
  readonly points = new GeoColumnWriter();
  private readonly keepsPrefix: boolean;

  /** `keepsPrefix` false for body text, whose long values are known by fingerprint alone. */
  constructor(keepsPrefix: boolean) {
    this.keepsPrefix = keepsPrefix;
  }

  /** Takes in a document's values, at least one; documents come in ascending order. */
  add(document: number, values: readonly string[]): void {
    const { keyword } = this;
    if (values.length === 1) {
      const [value] = values as readonly [string];
      const ordinal = keyword.internValue(valueKey(value, this.keepsPrefix));
      keyword.add(document, keyword.internSingle(ordinal));
      if (!mayBeTyped(value)) {
        this.numbers.addUnparsed(document);
        this.dates.addUnparsed(document);
        return;
      }
    } else {
      const ordinals = values.map((value) => keyword.internValue(valueKey(value, this.keepsPrefix)));
      keyword.add(document, keyword.internSet(ordinals));
    }
    this.addTyped(document, values);
  }

  /** Numbers, instants and points among the values, and whether each value is one. */
  private addTyped(document: number, values: readonly string[]): void {
    const numbers: number[] = [];
    const instants: number[] = [];
    const points: GeoPoint[] = [];
    for (const value of values) {
      if (!mayBeTyped(value)) continue;
      const number = parseNumber(value);
      if (!Number.isNaN(number)) numbers.push(number);
      const date = parseDate(value);
      if (date !== undefined) instants.push(date.from);
      const point = parseGeoPoint(value);
      if (point !== undefined) points.push(point);
    }
    if (numbers.length > 0) this.numbers.add(document, numbers);
    if (numbers.length < values.length) this.numbers.addUnparsed(document);
    if (instants.length > 0) this.dates.add(document, instants);
    if (instants.length < values.length) this.dates.addUnparsed(document);
    if (points.length > 0) this.points.add(document, points);
  }

  counts(field: number): FieldCounts {
    return {
      field,
      documents: this.keyword.count,
      unparsedNumber: this.numbers.unparsedCount,
      unparsedDate: this.dates.unparsedCount,
      withNumber: this.numbers.count,
      withDate: this.dates.count,
      longValues: this.keyword.longValues,
    };
  }

  sections(field: number, documentCount: number): Section[] {
    return [
      ...this.keyword.sections(field, documentCount),
      ...this.numbers.sections(field, documentCount, NUMBER_KINDS),
      ...this.dates.sections(field, documentCount, DATE_KINDS),
      ...this.points.sections(field, documentCount),
    ];
  }
}

function mayBeTyped(value: string): boolean {
  return value.length <= TYPED_VALUE_CHARS && TYPED_START.test(value);
}

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
