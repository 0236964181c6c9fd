import type { SortKey, TopHitsRequest } from '../../query-plan.ts';
import type { Hits } from '../../search-index.ts';
import { checkStop } from '../stop-point.ts';
import { chooseValues, type FacetScope } from './facets.ts';
import { partByValue } from './part-by-value.ts';
import type { SegmentMatches } from './segment-matches.ts';
import { collectHits } from './top-hits.ts';

/** The most frequent values of a field among the matches, each with its best hits. O(matches) and the hits per value. */
export function collectTopValues(
  scope: FacetScope,
  { field, size, maxFieldValues }: TopHitsRequest,
  { sort, matches }: { readonly sort: readonly SortKey[]; readonly matches: readonly SegmentMatches[] },
): Hits['topHits'][number] {
  const byCount = { orderBy: 'DocCount', direction: 'Desc', includeEmpty: false } as const;
  const values = chooseValues(scope, { field, size: maxFieldValues, ...byCount }, matches);
  const parts = partByValue(scope.snapshot, values, matches);
  const page = { sort, offset: 0, limit: size, spare: 0 };
  return {
    field,
    values: values.chosen.map((ordinal, item) => {
      checkStop();
      return {
        value: values.table.keys[ordinal]!,
        count: values.counts[item]!,
        hits: collectHits(scope.snapshot, parts[item]!, page),
      };
    }),
  };
}
