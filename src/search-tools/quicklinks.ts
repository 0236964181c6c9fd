import type { Quicklink, ToolStore } from '../storage/tool-store.ts';
import type { ToolQuery } from './banners.ts';
import { termMatcher } from './term-match.ts';
import type { CustomerTools } from './tool-snapshot.ts';

type Wanted = { readonly customerId: number; readonly engineId: number; readonly query: string };

/** The engine's quicklinks that a query calls up, by ascending id. Contract: 2.10, 10.2. */
export async function findQuicklinks(
  { systemStore }: { readonly systemStore: Pick<ToolStore, 'listTools'> },
  { query, ...engine }: Wanted,
): Promise<readonly Quicklink[]> {
  const matches = termMatcher(query);
  const quicklinks = await systemStore.listTools('quicklink', engine);
  return quicklinks.filter(({ terms }) => terms.some(({ name }) => matches(name)));
}

/** A quicklink with the first of its terms that the query is. */
export type ShownQuicklink = { readonly id: number; readonly url: string; readonly term: string };

/** The quicklinks of an engine that a search shows, by ascending id. Contract: 2.6, 2.10. */
export function shownQuicklinks(
  { findQuicklinks: find }: CustomerTools,
  { engineId, query }: ToolQuery,
): readonly ShownQuicklink[] {
  const matches = termMatcher(query);
  return find(query)
    .filter((quicklink) => quicklink.engineId === engineId)
    .map(({ id, url, terms }) => ({ id, url, term: terms.find(({ name }) => matches(name))?.name ?? '' }));
}
