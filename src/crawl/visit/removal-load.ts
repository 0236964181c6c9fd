import type { Clock } from '../../core/clock.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import { GUARD_WINDOW_MS, type RemovalLoad } from '../rules/removal-policy.ts';

/** How long a count of documents may be old: it reads all of a crawler's. */
const FRESH_MS = 60_000;

/** What the guard's number of removals is taken from, read once a minute. */
export type ReadRemovalLoad = () => Promise<RemovalLoad>;

export function removalLoadOf(
  deps: { readonly store: EngineStore; readonly clock: Clock },
  crawlerId: number,
): ReadRemovalLoad {
  let reading: { readonly at: number; readonly load: Promise<RemovalLoad> } | undefined;
  const read = async (now: number): Promise<RemovalLoad> => ({
    removed: await deps.store.countRemoved(crawlerId, now - GUARD_WINDOW_MS),
    documents: await deps.store.countDocuments(crawlerId),
  });
  return () => {
    const at = deps.clock.now();
    if (reading === undefined || at - reading.at >= FRESH_MS) reading = { at, load: read(at) };
    return reading.load;
  };
}
