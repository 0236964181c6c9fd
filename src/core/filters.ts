import type { DocumentKind, Fields } from './document.ts';
import { distanceMetres, type FieldType, parseDate, parseGeoPoint, parseNumber, typeBySuffix } from './field-values.ts';

/**
 * Filters of a search, already in units: dates in epoch milliseconds, distances in metres, bounds inclusive.
 * Made by `search/query/filter-grammar.ts`, evaluated by every index adapter. Contract: 2.3.
 */
export type FilterNode =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and' | 'or'; readonly of: readonly FilterNode[] }
  | { readonly kind: 'not'; readonly of: FilterNode }
  /** Any value of the field equals any of `values`, exact and case-sensitive. Fields `Id` and `_type` are the document's own. */
  | { readonly kind: 'value'; readonly field: string; readonly values: readonly string[] }
  /** A number of the field lies in [min, max]; ±Infinity = open. */
  | { readonly kind: 'number'; readonly field: string; readonly min: number; readonly max: number }
  /** An instant of the field lies in [from, to]; ±Infinity = open. */
  | { readonly kind: 'date'; readonly field: string; readonly from: number; readonly to: number }
  | {
      readonly kind: 'geo';
      readonly field: string;
      readonly latitude: number;
      readonly longitude: number;
      readonly metres: number;
    }
  /** The document has a non-empty value of the field. */
  | { readonly kind: 'exists'; readonly field: string }
  /** Comparison under the field's type (contract 1.10); exactly one value for the four orders. */
  | {
      readonly kind: 'compare';
      readonly field: string;
      readonly operator: CompareOperator;
      readonly values: readonly string[];
    }
  /** Case-insensitive on the stored value. */
  | {
      readonly kind: 'text';
      readonly field: string;
      readonly operator: 'prefix' | 'contains';
      readonly values: readonly string[];
    };

/** `eq` any value equals any given one, `ne` the opposite of `eq` (a document without the field matches). */
export type CompareOperator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';

/** What a filter can ask of a document. */
export type FilterSubject = { readonly id: string; readonly kind: DocumentKind; readonly fields: Fields };

/** The type that the values of a field have on this engine (contract 1.10). */
export type TypeOfField = (field: string) => FieldType;

/**
 * Decides a filter on one document: the meaning that every index adapter must agree with, and the judge of
 * documents that changed after a generation was published. Contract: 2.3. O(values of the fields named).
 */
export function matchesFilter(document: FilterSubject, filter: FilterNode, typeOf: TypeOfField): boolean {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return filter.of.every((part) => matchesFilter(document, part, typeOf));
    case 'or':
      return filter.of.some((part) => matchesFilter(document, part, typeOf));
    case 'not':
      return !matchesFilter(document, filter.of, typeOf);
    case 'value':
      return valuesOf(document, filter.field).some((value) => filter.values.includes(value));
    case 'exists':
      return valuesOf(document, filter.field).some((value) => value !== '');
    case 'text':
      return matchesText(valuesOf(document, filter.field), filter);
    case 'compare':
      return matchesComparison(valuesOf(document, filter.field), filter, typeOf);
    default:
      return matchesTyped(valuesOf(document, filter.field), filter, typeOf);
  }
}

/** Values of a field; `Id` and `_type` are the document's own. */
export function valuesOf(document: FilterSubject, field: string): readonly string[] {
  if (field === 'Id') return [document.id];
  if (field === '_type') return [document.kind];
  return document.fields.get(field) ?? [];
}

/** The type of a field: its suffix decides, else all of its live values together. Contract: 1.10. */
export function typeOfValues(field: string, values: Iterable<string>): FieldType {
  const bySuffix = typeBySuffix(field);
  if (bySuffix !== undefined) return bySuffix;
  let numbers = true;
  let dates = true;
  let some = false;
  for (const value of values) {
    some = true;
    numbers &&= !Number.isNaN(parseNumber(value));
    dates &&= parseDate(value) !== undefined;
    if (!numbers && !dates) return 'text';
  }
  if (!some) return 'text';
  return numbers ? 'number' : 'date';
}

/** A span of typed values that one given value stands for: a number is a point, a date its whole unit. */
export type ComparisonSpan = { readonly from: number; readonly to: number };

/** The span of a given value under a field's type; undefined when it does not parse. */
export function comparisonSpan(value: string, type: 'number' | 'date'): ComparisonSpan | undefined {
  if (type === 'date') return parseDate(value);
  const number = parseNumber(value);
  return Number.isNaN(number) ? undefined : { from: number, to: number };
}

/** Whether a typed value stands in this relation to a span: `gt` is after its end, `lt` before its start. */
export function comparesToSpan(value: number, operator: CompareOperator, span: ComparisonSpan): boolean {
  switch (operator) {
    case 'eq':
      return within(value, span.from, span.to);
    case 'ne':
      return !within(value, span.from, span.to);
    case 'gt':
      return value > span.to;
    case 'gte':
      return value >= span.from;
    case 'lt':
      return value < span.from;
    case 'lte':
      return value <= span.to;
  }
}

type NodeOf<Kind extends FilterNode['kind']> = Extract<FilterNode, { kind: Kind }>;

/** Text that is not well-formed is part of no text: stored ones are UTF-8. */
function matchesText(values: readonly string[], { operator, values: wanted }: NodeOf<'text'>): boolean {
  const lower = wanted.filter((text) => text.isWellFormed()).map((text) => text.toLowerCase());
  const test = (value: string) =>
    lower.some((text) => (operator === 'prefix' ? value.startsWith(text) : value.includes(text)));
  return values.some((value) => test(value.toLowerCase()));
}

function matchesTyped(
  values: readonly string[],
  filter: NodeOf<'number'> | NodeOf<'date'> | NodeOf<'geo'>,
  typeOf: TypeOfField,
): boolean {
  if (typeOf(filter.field) !== filter.kind) return false;
  return values.some((value) => {
    if (filter.kind === 'number') return within(parseNumber(value), filter.min, filter.max);
    if (filter.kind === 'date') return within(instantOf(value), filter.from, filter.to);
    const point = parseGeoPoint(value);
    if (point === undefined) return false;
    return distanceMetres(filter.latitude, filter.longitude, point.latitude, point.longitude) <= filter.metres;
  });
}

/** NaN lies in no range. */
function within(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}

function instantOf(value: string): number {
  return parseDate(value)?.from ?? Number.NaN;
}

function matchesComparison(values: readonly string[], filter: NodeOf<'compare'>, typeOf: TypeOfField): boolean {
  if (filter.operator === 'ne') return !matchesComparison(values, { ...filter, operator: 'eq' }, typeOf);
  const type = typeOf(filter.field);
  if (type === 'number' || type === 'date') {
    const spans = filter.values.map((value) => comparisonSpan(value, type)).filter((span) => span !== undefined);
    const typed = values.map((value) => (type === 'number' ? parseNumber(value) : instantOf(value)));
    return typed.some((value) => spans.some((span) => comparesToSpan(value, filter.operator, span)));
  }
  if (filter.operator === 'eq') return values.some((value) => filter.values.includes(value));
  return (
    type === 'text' &&
    values.some((value) =>
      filter.values.some((given) => comparesText(value.toLowerCase(), filter.operator, given.toLowerCase())),
    )
  );
}

/**
 * Whether lower-case texts stand in this relation, by the order of their code units: text is ordered as in sorting,
 * without regard to case. Contract: 2.5.
 */
export function comparesText(left: string, operator: CompareOperator, right: string): boolean {
  if (left === right) return operator === 'gte' || operator === 'lte';
  return left > right ? operator === 'gt' || operator === 'gte' : operator === 'lt' || operator === 'lte';
}
