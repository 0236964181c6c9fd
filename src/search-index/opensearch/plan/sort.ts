import { compareCodePoints } from '../../../core/compare-text.ts';
import type { TypeOfField } from '../../../core/filters.ts';
import type { SortKey } from '../../query-plan.ts';
import type { Json } from '../connection.ts';
import { encodeName, MAX_ORDER_CHARS } from '../index-layout.ts';
import { valueField } from './counts.ts';

/** Keys that stand for relevance, best first whatever their direction. */
const RELEVANCE_FIELDS: readonly string[] = ['_score', '_rank'];

export function isByRelevance(sort: readonly SortKey[]): boolean {
  return sort.every(({ field }) => RELEVANCE_FIELDS.includes(field));
}

/** The keys, then score, id by code point and crawler: an order without ties. */
export function sortClauses(sort: readonly SortKey[], typeOf: TypeOfField): readonly Json[] {
  return [...sort.map((key) => sortClause(key, typeOf)), { _score: 'desc' }, { id: 'asc' }, { crawler: 'asc' }];
}

function sortClause({ field, direction }: SortKey, typeOf: TypeOfField): Json {
  if (RELEVANCE_FIELDS.includes(field)) return { _score: 'desc' };
  const order = direction === 'ascending' ? 'asc' : 'desc';
  const type = typeOf(field);
  const isNumber = type === 'number' || type === 'date';
  // Points have no order: no document has a value here.
  const name = type === 'geo' ? 'order.~' : `${isNumber ? type : 'order'}.${encodeName(field)}`;
  const mode = direction === 'ascending' ? 'min' : 'max';
  return { [name]: { order, mode, missing: '_last', unmapped_type: isNumber ? 'double' : 'keyword' } };
}

/** Fields of which a hit brings its values, so that its sort values are shown as they are written. */
export function shownFields(sort: readonly SortKey[], typeOf: TypeOfField): readonly string[] {
  return sort.filter((key) => isText(key, typeOf)).map(({ field }) => valueField(field));
}

function isText({ field }: SortKey, typeOf: TypeOfField): boolean {
  return !RELEVANCE_FIELDS.includes(field) && typeOf(field) === 'text';
}

/** The value of a sort key in our types: `raw` as the servers sort by it, `values` those of the hit. */
export function readSortValue(
  raw: unknown,
  key: SortKey,
  { typeOf, values }: { readonly typeOf: TypeOfField; readonly values: readonly string[] },
): number | string | undefined {
  if (RELEVANCE_FIELDS.includes(key.field)) return Math.fround(Number(raw));
  if (isText(key, typeOf)) return raw === null ? undefined : shownText(String(raw), key, values);
  return typeof raw === 'number' && Number.isFinite(raw) && typeOf(key.field) !== 'geo' ? raw : undefined;
}

/** Among values that differ in case only, the smallest or largest by code point. */
function shownText(lower: string, { direction }: SortKey, values: readonly string[]): string {
  const alike = values.filter((value) => value.slice(0, MAX_ORDER_CHARS).toLowerCase() === lower);
  const ordered = alike.toSorted(compareCodePoints);
  return (direction === 'ascending' ? ordered[0] : ordered.at(-1)) ?? lower;
}
