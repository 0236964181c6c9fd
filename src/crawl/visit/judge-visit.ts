import type { ListStore } from '../../storage/list-store.ts';
import { decideVisit } from './decide-visit.ts';
import type { Decision, VisitFacts } from './decision.ts';
import { type EvidenceStore, withEvidence } from './removal-evidence.ts';
import type { ReadRemovalLoad } from './removal-load.ts';
import { withTrust } from './visit-trust.ts';

export type JudgeDeps = {
  readonly store: EvidenceStore & Pick<ListStore, 'isListing'>;
  readonly removalLoad: ReadRemovalLoad;
};

/**
 * The decision about a visit of any stage, with what the store knows of a page that may be gone or not be itself: the
 * facts need not hold it.
 */
export async function judgeVisit(deps: JudgeDeps, crawlerId: number, facts: VisitFacts): Promise<Decision> {
  const known = await withEvidence(deps.store, crawlerId, facts);
  const decision = decideVisit(known);
  const { document } = decision;
  const isGuarded = document !== undefined && !('put' in document) && document.guard !== undefined;
  if (isGuarded) return decideVisit({ ...known, removals: await deps.removalLoad() });
  return withTrust(deps.store, { crawlerId, facts: known }, decision);
}
