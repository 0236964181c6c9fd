import { compareCodePoints } from '../../../src/core/compare-text.ts';
import { parseDate, parseNumber } from '../../../src/core/field-values.ts';
import { type TypeOfField, valuesOf } from '../../../src/core/filters.ts';
import type { SortKey } from '../../../src/search-index/query-plan.ts';
import type { IndexHit } from '../../../src/search-index/search-index.ts';
import type { ScoredDocument } from './count-facets.ts';

/** Keys that stand for relevance, best first whatever their direction. */
export const RELEVANCE_FIELDS: readonly string[] = ['_score', '_rank'];

type SortValue = number | string | undefined;

/** All matches in their total order: sort keys, score, id by code point, crawler. */
export function orderHits(
  matches: readonly ScoredDocument[],
  sort: readonly SortKey[],
  typeOf: TypeOfField,
): readonly IndexHit[] {
  const hits = matches.map(({ indexed, score }): IndexHit => {
    const { rid, crawlerId, id } = indexed.document;
    const sortValues = sort.map((key) =>
      RELEVANCE_FIELDS.includes(key.field) ? score : sortValue(valuesOf(indexed.document, key.field), key, typeOf),
    );
    return { rid, crawlerId, id, score, sortValues };
  });
  return hits.sort((a, b) => compareHits(a, b, sort));
}

function compareHits(a: IndexHit, b: IndexHit, sort: readonly SortKey[]): number {
  for (const [index, key] of sort.entries()) {
    const order = compareForKey(a.sortValues[index], b.sortValues[index], key);
    if (order !== 0) return order;
  }
  return b.score - a.score || compareCodePoints(a.id, b.id) || a.crawlerId - b.crawlerId;
}

/** Documents without a value come last in both directions. */
function compareForKey(a: SortValue, b: SortValue, { field, direction }: SortKey): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const descending = direction === 'descending' || RELEVANCE_FIELDS.includes(field);
  return descending ? compareValues(b, a) : compareValues(a, b);
}

function compareValues(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareCodePoints(String(a).toLowerCase(), String(b).toLowerCase());
}

/** The smallest value ascending, the largest descending; among texts that differ in case only, by code point. */
function sortValue(values: readonly string[], { field, direction }: SortKey, typeOf: TypeOfField): SortValue {
  const typed = values.map(readerOf(field, typeOf)).filter((value) => value !== undefined);
  const ordered = typed.sort((a, b) => compareValues(a, b) || compareCodePoints(String(a), String(b)));
  return direction === 'ascending' ? ordered[0] : ordered.at(-1);
}

/** Points have no order: sorting by them changes nothing. */
function readerOf(field: string, typeOf: TypeOfField): (text: string) => SortValue {
  switch (typeOf(field)) {
    case 'text':
      return (text) => text;
    case 'number':
      return (text) => (Number.isNaN(parseNumber(text)) ? undefined : parseNumber(text));
    case 'date':
      return (text) => parseDate(text)?.from;
    case 'geo':
      return () => undefined;
  }
}
