import type { Clock } from '../core/clock.ts';
import type { Crawler } from '../core/records.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { RemovalChoice } from '../storage/removal-store.ts';
import { answerRemovals, type RemovalsAnswered } from './apply-removals.ts';

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
