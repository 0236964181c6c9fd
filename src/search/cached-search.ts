import type { QueryPlan } from '../search-index/query-plan.ts';
import type { Hits, SearchIndex } from '../search-index/search-index.ts';

type CachedQuery = { readonly engineId: number; readonly plan: QueryPlan; readonly signal: AbortSignal };

/** Answers kept per index, of all engines together; some KB each. */
const KEPT = 1_000;

const cacheByIndex = new WeakMap<object, Map<string, Hits>>();

/** A search whose answer is kept until another generation of its engine is visible: for what everybody types first. */
export async function cachedSearch(
  searchIndex: Pick<SearchIndex, 'search' | 'visibleSeq'>,
  { engineId, plan, signal }: CachedQuery,
): Promise<Hits> {
  const cached = cacheByIndex.get(searchIndex) ?? new Map<string, Hits>();
  cacheByIndex.set(searchIndex, cached);
  const key = JSON.stringify([engineId, plan]);
  const known = cached.get(key);
  if (known !== undefined && known.seq === searchIndex.visibleSeq(engineId)) return known;
  const hits = await searchIndex.search(engineId, plan, signal);
  cached.delete(key);
  cached.set(key, hits);
  const [oldest] = cached.keys();
  if (cached.size > KEPT && oldest !== undefined) cached.delete(oldest);
  return hits;
}
