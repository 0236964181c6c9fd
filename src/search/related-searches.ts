import { normalQuery } from '../core/normal-query.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { countMatches } from './count-matches.ts';
import { contentStems, type NeighbourSource, queriesLike } from './query-neighbours.ts';
import type { QueryReader } from './query-reader.ts';
import type { ReadQuery } from './read-query.ts';

export type RelatedDeps = {
  readonly searchIndex: Pick<SearchIndex, 'search'>;
  readonly queryNeighbours: NeighbourSource;
};

export type RelatedInput = {
  readonly engine: { readonly id: number; readonly language: string };
  readonly query: ReadQuery;
  /** Texts that are no news: the query as sent and as it was run. */
  readonly except: readonly string[];
  readonly read: QueryReader;
  readonly operator: 'AND' | 'OR';
  readonly signal: AbortSignal;
};

export type RelatedSearch = { readonly text: string; readonly documents: number };

/** Contract 2.6 and search-engine design 14.4 (start values). */
const MAX_RELATED = 10;
const MAX_CHECKED = 20;
const SYNONYM_WEIGHT = 0.6;
const SAME_SESSION_FACTOR = 2;

/**
 * Queries that other visitors committed and that share words or meaning with this one, best first, with the documents
 * that each of them matches now. What was searched for in one query session with it counts twice. Contract: 2.6.
 */
export async function findRelatedSearches(deps: RelatedDeps, input: RelatedInput): Promise<readonly RelatedSearch[]> {
  const { engine, query, except, read, operator, signal } = input;
  const neighbours = await deps.queryNeighbours.of(engine);
  if (neighbours.queries.length === 0) return [];
  const own = normalQuery(query.text);
  const together = await deps.queryNeighbours.together(engine.id, own);
  const known = new Set([own, ...except.map(normalQuery)]);
  const ranked = queriesLike(neighbours, stemWeights(query, engine.language))
    .filter((neighbour) => !known.has(neighbour.query.query) && neighbour.query.resultCount !== 0)
    .map(({ query: { query: normal, text, count }, similarity }) => {
      const factor = together.has(normal) ? SAME_SESSION_FACTOR : 1;
      return { text, score: similarity * Math.log(1 + count) * factor };
    })
    .toSorted((a, b) => b.score - a.score || (a.text < b.text ? -1 : 1));
  const related: RelatedSearch[] = [];
  for (const { text } of ranked.slice(0, MAX_CHECKED)) {
    if (related.length === MAX_RELATED) break;
    const documents = await countMatches(deps, { engineId: engine.id, match: read(text, operator).match, signal });
    if (documents > 0) related.push({ text, documents });
  }
  return related;
}

/** Stems of the query's words, and with less weight those of its synonyms. */
function stemWeights({ text, expansions }: ReadQuery, language: string): ReadonlyMap<string, number> {
  const synonyms = expansions.flatMap((expansion) => contentStems(expansion.text, language));
  return new Map([
    ...synonyms.map((stem) => [stem, SYNONYM_WEIGHT] as const),
    ...contentStems(text, language).map((stem) => [stem, 1] as const),
  ]);
}
