import { type CompareOperator, comparisonSpan, type FilterNode, type TypeOfField } from '../../../core/filters.ts';
import type { Json } from '../connection.ts';
import { encodeName, MAX_ORDER_CHARS } from '../index-layout.ts';
import { exactValue } from '../index-row.ts';
import { anyOf, NOTHING } from './word-lists.ts';

type NodeOf<Kind extends FilterNode['kind']> = Extract<FilterNode, { kind: Kind }>;

/** The servers keep points to about a centimetre, and know no distance of nothing. */
const POINT_METRES = 0.1;
/** Beyond half of the way around the earth. */
const MOST_METRES = 30_000_000;

const EVERYTHING: Json = { match_all: {} };

/** A filter as the servers know it: `matchesFilter` decides what it means. */
export function filterQuery(filter: FilterNode, typeOf: TypeOfField): Json {
  switch (filter.kind) {
    case 'all':
      return EVERYTHING;
    case 'none':
      return NOTHING;
    case 'and':
      return { bool: { filter: filter.of.map((part) => filterQuery(part, typeOf)) } };
    case 'or':
      return anyOf(filter.of.map((part) => filterQuery(part, typeOf)));
    case 'not':
      return not(filterQuery(filter.of, typeOf));
    case 'value':
      return valuesQuery(filter.field, filter.values);
    case 'exists':
      return existsQuery(filter.field);
    case 'number':
      return typeOf(filter.field) === 'number' ? rangeQuery('number', filter.field, filter.min, filter.max) : NOTHING;
    case 'date':
      return typeOf(filter.field) === 'date' ? rangeQuery('date', filter.field, filter.from, filter.to) : NOTHING;
    case 'geo':
      return typeOf(filter.field) === 'geo' ? pointQuery(filter) : NOTHING;
    case 'text':
      return textQuery(filter);
    case 'compare':
      return comparisonQuery(filter, typeOf);
  }
}

export function valuesQuery(field: string, values: readonly string[]): Json {
  return { terms: { [`value.${encodeName(field)}`]: [...new Set(values.map(exactValue))] } };
}

function not(query: Json): Json {
  return { bool: { must_not: [query] } };
}

/** The document's own id and kind are never empty. */
function existsQuery(field: string): Json {
  return field === 'Id' || field === '_type' ? EVERYTHING : { term: { filled: field } };
}

/** Bounds inclusive; ±Infinity = open. */
function rangeQuery(kind: 'number' | 'date', field: string, low: number, high: number): Json {
  // What is no number at all lies in no range, an open one too.
  if (Number.isNaN(low) || Number.isNaN(high)) return NOTHING;
  const bounds = {
    ...(Number.isFinite(low) || low > 0 ? { gte: finite(low) } : {}),
    ...(Number.isFinite(high) || high < 0 ? { lte: finite(high) } : {}),
  };
  const name = `${kind}.${encodeName(field)}`;
  return Object.keys(bounds).length === 0 ? { exists: { field: name } } : { range: { [name]: bounds } };
}

function finite(bound: number): number {
  return Math.min(Math.max(bound, -Number.MAX_VALUE), Number.MAX_VALUE);
}

function pointQuery({ field, latitude, longitude, metres }: NodeOf<'geo'>): Json {
  if (!(metres >= 0)) return NOTHING;
  const distance = Math.min(Math.max(metres, POINT_METRES), MOST_METRES);
  const at = { [`point.${encodeName(field)}`]: { lat: latitude, lon: longitude } };
  return { geo_distance: { distance: `${distance}m`, ignore_unmapped: true, ...at } };
}

function textQuery({ field, operator, values }: NodeOf<'text'>): Json {
  const name = `order.${encodeName(field)}`;
  const lower = values.filter((text) => text.isWellFormed()).map((text) => text.toLowerCase());
  const queries = lower
    .filter((text) => text.length <= MAX_ORDER_CHARS)
    .map((text): Json => {
      if (operator === 'prefix') return { prefix: { [name]: { value: text } } };
      return { wildcard: { [name]: { value: `*${escaped(text)}*` } } };
    });
  return anyOf(queries);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\*?]/g, '\\$&');
}

function comparisonQuery(filter: NodeOf<'compare'>, typeOf: TypeOfField): Json {
  const { field, operator, values } = filter;
  if (operator === 'ne') return not(comparisonQuery({ ...filter, operator: 'eq' }, typeOf));
  const type = typeOf(field);
  if (type === 'number' || type === 'date') {
    const name = `${type}.${encodeName(field)}`;
    return anyOf(
      values.flatMap((value) => {
        const span = comparisonSpan(value, type);
        return span === undefined ? [] : [{ range: { [name]: boundsOf(operator, span) } }];
      }),
    );
  }
  if (operator === 'eq') return valuesQuery(field, values);
  if (type !== 'text') return NOTHING;
  return anyOf(
    values.map((value) => ({
      range: { [`order.${encodeName(field)}`]: boundsOf(operator, spanOf(value.toLowerCase())) },
    })),
  );
}

function spanOf<T>(value: T) {
  return { from: value, to: value };
}

function boundsOf<T>(operator: CompareOperator, { from, to }: { readonly from: T; readonly to: T }): Json {
  switch (operator) {
    case 'gt':
      return { gt: to };
    case 'gte':
      return { gte: from };
    case 'lt':
      return { lt: from };
    case 'lte':
      return { lte: to };
    default:
      return { gte: from, lte: to };
  }
}
