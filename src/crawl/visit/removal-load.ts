import type { Clock } from '../../core/clock.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { RemovalLoad } from '../rules/removal-policy.ts';

const DAY_MS = 86_400_000;
/** How long a count of documents may be old: it reads all of a crawler's. */
const FRESH_MS = 60_000;

export type RemovalCounter = {
  /** Reads what is stored, when that is old. */
  refresh(): Promise<void>;
  current(): RemovalLoad;
  /** A removal was decided: it counts before it is recorded. */
  count(): void;
};

/** Removals of a crawler within a day, read once a minute and carried on in between. */
export function countRemovals(
  deps: { readonly store: EngineStore; readonly clock: Clock },
  crawlerId: number,
): RemovalCounter {
  let load: RemovalLoad = { removed: 0, documents: 0 };
  let reading: { readonly at: number; readonly done: Promise<void> } | undefined;
  const read = async () => {
    const removed = await deps.store.countRemoved(crawlerId, deps.clock.now() - DAY_MS);
    load = { removed, documents: await deps.store.countDocuments(crawlerId) };
  };
  return {
    refresh: () => {
      const at = deps.clock.now();
      if (reading === undefined || at - reading.at >= FRESH_MS) reading = { at, done: read() };
      return reading.done;
    },
    current: () => load,
    count: () => {
      load = { removed: load.removed + 1, documents: load.documents - 1 };
    },
  };
}
