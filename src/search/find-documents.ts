import { firstValue, type StoredDocument } from '../core/document.ts';
import type { FilterNode } from '../core/filters.ts';
import type { QueryPlan } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { ReadDocuments } from './read-hits.ts';

export type FindDocumentsDeps = {
  readonly searchIndex: Pick<SearchIndex, 'search'>;
  readonly readDocuments: ReadDocuments;
};

/** Documents that share a name: the same id under several crawlers, or the same address under several ids. */
const SAME_NAME = 20;

/**
 * The documents that the names mean, in their order, each once: by document id, else by `Url`. What no document of the
 * engine is called is left out. Contract: 5.1. Costs one search without words.
 */
export async function findDocuments(
  deps: FindDocumentsDeps,
  input: { readonly engineId: number; readonly names: readonly string[]; readonly signal: AbortSignal },
): Promise<readonly { readonly name: string; readonly document: StoredDocument }[]> {
  const { engineId, names, signal } = input;
  const { hits } = await deps.searchIndex.search(engineId, planOf(names), signal);
  const rids = hits.map(({ rid }) => rid).sort((a, b) => a - b);
  const rows = (await deps.readDocuments(engineId, rids)).filter((row) => row?.deleted === false);
  const taken = new Set<number>();
  return [...new Set(names)].flatMap((name) => {
    const document =
      rows.find((row) => row?.id === name) ?? rows.find((row) => row && firstValue(row.fields, 'Url') === name);
    if (document === undefined || taken.has(document.rid)) return [];
    taken.add(document.rid);
    return [{ name, document }];
  });
}

const ALL: FilterNode = { kind: 'all' };

function planOf(names: readonly string[]): QueryPlan {
  const called = (field: string): FilterNode => ({ kind: 'value', field, values: [...names] });
  return {
    match: { kind: 'all' },
    operator: 'OR',
    filter: { kind: 'or', of: [called('Id'), called('Url')] },
    postFilter: ALL,
    postFilterCounts: false,
    boosts: [],
    sort: [],
    pins: [],
    removed: [],
    facets: [],
    ranges: [],
    topHits: [],
    offset: 0,
    limit: SAME_NAME * names.length,
    spare: 0,
    counts: 'none',
    weights: DEFAULT_RELEVANCE,
  };
}
