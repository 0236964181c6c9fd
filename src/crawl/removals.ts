import type { Clock } from '../core/clock.ts';
import type { Crawler } from '../core/records.ts';
import type { AppliedRemovals, RemovalAction, RemovalChoice, RemovalStore } from '../storage/engine/removals.ts';
import type { EngineStores } from '../storage/engine-store.ts';

/**
 * Lets held documents go: all, those of a run or group, or single ones. Decided durably when it resolves; what is not
 * done by then, the sweep does. They can be undone as long as the crawler keeps them.
 */
export async function approveRemovals(
  deps: { readonly engineStores: Pick<EngineStores, 'of'>; readonly clock: Clock },
  crawler: Pick<Crawler, 'id' | 'engineId'>,
  choice: RemovalChoice,
): Promise<RemovalsAnswered> {
  const store = await deps.engineStores.of(crawler.engineId);
  return answerRemovals({ store, clock: deps.clock }, crawler.id, { action: 'approve', choice });
}

/** Documents of one step: a short transaction. */
const STEP = 100;
/** Documents that leave or stay before an operator's request is answered; the sweep does the rest. */
const AT_ONCE = 500;
const DAY = 86_400_000;

type Deps = {
  readonly store: Pick<RemovalStore, 'askRemovals' | 'hasAskedRemovals' | 'applyRemovals'>;
  readonly clock: Clock;
};

/** `asked`: removals that were chosen · `applied`: those of them that are done already. */
type RemovalsAnswered = { readonly asked: number; readonly applied: number };

/** Marks what an operator decided, durably, and does as much of it as a request may wait for. */
async function answerRemovals(
  deps: Deps,
  crawlerId: number,
  { action, choice }: { readonly action: RemovalAction; readonly choice: RemovalChoice },
): Promise<RemovalsAnswered> {
  const requested = await deps.store.askRemovals({ crawlerId, action, choice });
  if (requested === 0) return { asked: requested, applied: 0 };
  const { approved, undone } = await applyRemovals(deps, crawlerId, AT_ONCE);
  return { asked: requested, applied: Math.min(requested, approved + undone) };
}

/** Does what operators decided, in steps of a transaction each, at most `limit` documents. */
export async function applyRemovals(
  { store, clock }: Deps,
  crawlerId: number,
  limit: number,
): Promise<AppliedRemovals> {
  const all = { approved: 0, undone: 0 };
  if (!(await store.hasAskedRemovals(crawlerId))) return all;
  for (let left = limit; left > 0; left -= STEP) {
    const now = clock.now();
    const step = await store.applyRemovals({ crawlerId, now, limit: Math.min(STEP, left), lookAgainAt: now + DAY });
    all.approved += step.approved;
    all.undone += step.undone;
    if (step.approved + step.undone < STEP) break;
  }
  return all;
}

/**
 * Brings removed documents back as they were, and keeps held ones: all, those of a run or group, or single ones. Their
 * URLs are due at once. Decided durably when it resolves; what is not done by then, the sweep does.
 */
export async function undoRemovals(
  deps: { readonly engineStores: Pick<EngineStores, 'of'>; readonly clock: Clock },
  crawler: Pick<Crawler, 'id' | 'engineId'>,
  choice: RemovalChoice,
): Promise<RemovalsAnswered> {
  const store = await deps.engineStores.of(crawler.engineId);
  return answerRemovals({ store, clock: deps.clock }, crawler.id, { action: 'undo', choice });
}
