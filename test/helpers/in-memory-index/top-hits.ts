import { type TypeOfField, valuesOf } from '../../../src/core/filters.ts';
import type { QueryPlan, TopHitsRequest } from '../../../src/search-index/query-plan.ts';
import type { Hits } from '../../../src/search-index/search-index.ts';
import { countFacet, type ScoredDocument } from './count-facets.ts';
import { orderHits } from './order-hits.ts';

/** The most frequent values of a field among the matches, each with its best hits in the order of the plan. */
export function topHitsOf(
  { field, size, maxFieldValues }: TopHitsRequest,
  matches: readonly ScoredDocument[],
  { plan, typeOf }: { readonly plan: QueryPlan; readonly typeOf: TypeOfField },
): Hits['topHits'][number] {
  const byCount = { orderBy: 'DocCount', direction: 'Desc', includeEmpty: false, facets: [] } as const;
  const { items } = countFacet({ name: field, field, size: maxFieldValues, ...byCount }, matches, []);
  const values = items.map(({ key, count }) => {
    const holders = matches.filter(({ indexed }) => valuesOf(indexed.document, field).includes(key));
    return { value: key, count, hits: orderHits(holders, plan.sort, typeOf).slice(0, size) };
  });
  return { field, values };
}
