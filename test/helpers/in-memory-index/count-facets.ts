import { compareCodePoints } from '../../../src/core/compare-text.ts';
import { parseDate, parseNumber } from '../../../src/core/field-values.ts';
import { type TypeOfField, valuesOf } from '../../../src/core/filters.ts';
import type { FacetRequest, RangeRequest } from '../../../src/search-index/query-plan.ts';
import type { FacetCounts, FacetItem } from '../../../src/search-index/search-index.ts';
import type { IndexedDocument } from './indexed-document.ts';

/** A match with its score; `first` = the score of its words alone, before boosts. */
export type ScoredDocument = { readonly indexed: IndexedDocument; readonly first: number; readonly score: number };

type Counted = { readonly key: string; readonly matches: readonly ScoredDocument[]; readonly bestScore: number };

/** Counts of one facet over the matches; `live` gives the values that `includeEmpty` adds. */
export function countFacet(
  request: FacetRequest,
  matches: readonly ScoredDocument[],
  live: readonly IndexedDocument[],
): FacetCounts {
  const { name, field, size, includeEmpty } = request;
  const withField = matches.filter(({ indexed }) => valuesOf(indexed.document, field).length > 0);
  const source = includeEmpty ? live : withField.map(({ indexed }) => indexed);
  const keys = new Set(source.flatMap(({ document }) => valuesOf(document, field)));
  const counted = [...keys].map((key) => countKey(key, field, withField)).sort((a, b) => compareCounted(request, a, b));
  const items = counted.slice(0, size).map(
    ({ key, matches: holders }): FacetItem => ({
      key,
      count: holders.length,
      facets: request.facets.map((nested) => countFacet(nested, holders, live)),
    }),
  );
  return { name, field, items, allCount: withField.length, missingCount: matches.length - withField.length };
}

/** Documents per range, each once; values that are not of the field's type are in none. */
export function countRanges(
  { label, field, ranges, unit }: RangeRequest,
  matches: readonly ScoredDocument[],
  typeOf: TypeOfField,
): { readonly label: string; readonly counts: readonly number[] } {
  const readValue = unit === 'number' ? parseNumber : (text: string) => parseDate(text)?.from ?? Number.NaN;
  const typed = typeOf(field) === unit ? matches : [];
  const values = typed.map(({ indexed }) => valuesOf(indexed.document, field).map(readValue));
  const counts = ranges.map(
    ({ from, to }) => values.filter((own) => own.some((value) => value >= from && value < to)).length,
  );
  return { label, counts };
}

function countKey(key: string, field: string, matches: readonly ScoredDocument[]): Counted {
  const holders = matches.filter(({ indexed }) => valuesOf(indexed.document, field).includes(key));
  return { key, matches: holders, bestScore: Math.max(0, ...holders.map(({ score }) => score)) };
}

/** The configured order and direction; equal items by key, ascending. */
function compareCounted({ orderBy, direction }: FacetRequest, a: Counted, b: Counted): number {
  const byKey = compareCodePoints(a.key, b.key);
  const sign = direction === 'Asc' ? 1 : -1;
  if (orderBy === 'Alphabetically') return sign * byKey;
  const difference = orderBy === 'DocCount' ? a.matches.length - b.matches.length : a.bestScore - b.bestScore;
  return sign * difference || byKey;
}
