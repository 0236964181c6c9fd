import type { Quicklink, ToolStore } from '../storage/tool-store.ts';
import { termMatcher } from './term-match.ts';

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
