import type { TypeOfField } from '../../../core/filters.ts';
import type { SortKey } from '../../query-plan.ts';
import type { Json } from '../connection.ts';
import { encodeName, PART } from '../index-layout.ts';

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

/** The value of a sort key as the servers say it, in our types. */
export function readSortValue(raw: unknown, { field }: SortKey, typeOf: TypeOfField): number | string | undefined {
  if (RELEVANCE_FIELDS.includes(field)) return Number(raw);
  const type = typeOf(field);
  if (raw === null || type === 'geo') return undefined;
  if (type === 'text') return String(raw).split(PART)[1];
  return typeof raw === 'number' && Number.isFinite(raw) ? raw : undefined;
}
