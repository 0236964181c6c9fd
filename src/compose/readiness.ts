import { type RoleHolder, rolesOf, type StatusDeps } from '../accounts/installation-status.ts';
import type { EmbeddedIndex } from '../search-index/embedded/embedded-index.ts';
import type { LeaseStore } from '../storage/lease-store.ts';
import type { SystemStore } from '../storage/system-store.ts';

export type ReadinessDeps = {
  readonly draining: { isBegun(): boolean };
  readonly systemStore: Pick<SystemStore, 'listEngines'> & Pick<LeaseStore, 'findLease'>;
  readonly isProcessAlive: StatusDeps['isProcessAlive'];
  readonly searchIndex: Pick<EmbeddedIndex, 'repairOf'>;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

/** How long a start waits for an indexer: without room for one, searches are served all the same. */
const INDEXER_WITHIN_MS = 10_000;

/**
 * What this process cannot serve without: a full disk, or an indexer that is away later, leaves its searches as they are.
 * An engine whose store is damaged stays so until an operator mends it, and keeps no other engine from its visitors. A
 * start waits for the first indexer, so that what is pushed as soon as it is ready is found at once.
 */
export function createReadiness(deps: ReadinessDeps) {
  const { draining, systemStore, searchIndex, monotonicMs } = deps;
  const startedAtMs = monotonicMs();
  let hasStarted = false;
  const isStarted = async () => {
    hasStarted ||= monotonicMs() - startedAtMs >= INDEXER_WITHIN_MS || (await hasIndexer(deps));
    return hasStarted;
  };
  return async () => {
    const engines = await systemStore.listEngines().catch(() => undefined);
    let indexes = true;
    for (const { id } of engines ?? []) {
      // Why its searches have no index to answer from.
      indexes &&= (await searchIndex.repairOf(id).catch(() => undefined)) === undefined;
    }
    const checks = {
      stores: engines !== undefined,
      indexes,
      started: await isStarted(),
      accepting: !draining.isBegun(),
    };
    return { ready: Object.values(checks).every(Boolean), checks };
  };
}

async function hasIndexer({ systemStore, isProcessAlive }: ReadinessDeps): Promise<boolean> {
  const roles = await rolesOf({ store: systemStore, isProcessAlive }).catch((): readonly RoleHolder[] => []);
  return roles.some(({ role, holder }) => role === 'indexer' && holder !== undefined);
}
