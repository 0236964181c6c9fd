import { parseDate } from '../../../core/dates.ts';
import { parseNumber } from '../../../core/field-type.ts';
import { type GeoPoint, parseGeoPoint } from '../../../core/geo.ts';
import type { Section } from '../segment/sections.ts';
import type { FieldCounts } from './field-counts.ts';
import { GeoColumnWriter } from './geo.ts';
import { KeywordColumnWriter } from './keyword-writer.ts';
import { DATE_KINDS, NUMBER_KINDS, NumberColumnWriter } from './number-writer.ts';
import { valueKey } from './value-key.ts';

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
