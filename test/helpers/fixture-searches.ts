import { AppError } from '../../src/core/errors.ts';
import type { QueryPlan } from '../../src/search-index/query-plan.ts';
import type { Hits, SearchIndex } from '../../src/search-index/search-index.ts';
import { ENGINE } from './index-installation.ts';
import { facetOf, phrase, planOf, word } from './query-plans.ts';
import { never } from './search-index-harness.ts';

/** Plans over the documents of `index-fixture.ts` that between them read every section of every segment. */
export const FIXTURE_PLANS: readonly QueryPlan[] = [
  planOf({ match: { kind: 'or', of: [word('solar'), word('panels'), word('storage'), word('häuser')] } }),
  planOf({ match: phrase(['turn', 'grid'], { slop: 3 }) }),
  planOf({ match: word('panel', { field: 'Title' }), sort: [{ field: 'Price_number', direction: 'descending' }] }),
  planOf({ sort: [{ field: 'Published_date', direction: 'ascending' }] }),
  planOf({ filter: { kind: 'geo', field: 'Place_geo_point', latitude: 53, longitude: 12, metres: 200_000 } }),
  ...['Title', 'Description', 'Content', 'Url', 'Category', 'Note', 'Price_number', 'Published_date'].map((field) =>
    planOf({ facets: [facetOf(field), facetOf('_type')], limit: 5 }),
  ),
];

/** What a search answers: its hits, or the code of its error. */
export type Answer = Omit<Hits, 'seq' | 'matched' | 'vocabulary'> | string;

/** The answer of every plan. `seq` is left out, as a repair may publish more than one generation. */
export function answersOf(
  index: SearchIndex,
  plans: readonly QueryPlan[] = FIXTURE_PLANS,
  engineId: number = ENGINE,
): Promise<Answer[]> {
  return Promise.all(
    plans.map(async (plan) => {
      try {
        const {
          seq: _seq,
          matched: _matched,
          vocabulary: _vocabulary,
          ...answer
        } = await index.search(engineId, plan, never());
        return { ...answer, hits: answer.hits.map((hit) => ({ ...hit, score: Number(hit.score.toPrecision(4)) })) };
      } catch (error) {
        if (error instanceof AppError) return error.code;
        throw error;
      }
    }),
  );
}
