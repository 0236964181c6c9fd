import type { SitemapStore } from '../../storage/sitemap-store.ts';
import { decideVisit } from './decide-visit.ts';
import type { Decision, VisitFacts } from './decision.ts';
import type { ReadRemovalLoad } from './removal-load.ts';
import { type RemovalSignalStore, withRemovalSignals } from './removal-signals.ts';
import { withTrust } from './visit-trust.ts';

export type JudgeDeps = {
  readonly store: RemovalSignalStore & Pick<SitemapStore, 'isReadingSitemaps'>;
  readonly removalLoad: ReadRemovalLoad;
};

/**
 * The decision about a visit of any stage, with what the store knows of a page that may be gone or not be itself: the
 * facts need not hold it.
 */
export async function judgeVisit(deps: JudgeDeps, crawlerId: number, facts: VisitFacts): Promise<Decision> {
  const known = await withRemovalSignals(deps.store, crawlerId, facts);
  const decision = decideVisit(known);
  const { document } = decision;
  const isGuarded = document !== undefined && !('put' in document) && document.guard !== undefined;
  if (isGuarded) return decideVisit({ ...known, removals: await deps.removalLoad() });
  return withTrust(deps.store, { crawlerId, facts: known }, decision);
}
