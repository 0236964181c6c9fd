import type { QueryPlan } from '../search-index/query-plan.ts';
import type { Hits, SearchIndex } from '../search-index/search-index.ts';

type Asked = { readonly engineId: number; readonly plan: QueryPlan; readonly signal: AbortSignal };

/** Answers kept per index, of all engines together; some KB each. */
const KEPT = 1_000;

const keptByIndex = new WeakMap<object, Map<string, Hits>>();

/** A search whose answer is kept until another generation of its engine is visible: for what everybody types first. */
export async function searchKept(
  searchIndex: Pick<SearchIndex, 'search' | 'visibleSeq'>,
  { engineId, plan, signal }: Asked,
): Promise<Hits> {
  const kept = keptByIndex.get(searchIndex) ?? new Map<string, Hits>();
  keptByIndex.set(searchIndex, kept);
  const key = JSON.stringify([engineId, plan]);
  const known = kept.get(key);
  if (known !== undefined && known.seq === searchIndex.visibleSeq(engineId)) return known;
  const hits = await searchIndex.search(engineId, plan, signal);
  kept.delete(key);
  kept.set(key, hits);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return hits;
}
