import { type RoleHolder, rolesOf, type StatusDeps } from '../accounts/installation-status.ts';
import type { LeaseStore } from '../storage/system/installation.ts';
import type { SystemStore } from '../storage/system-store.ts';
import type { ServedIndex } from './search-index.ts';

export type ReadinessDeps = {
  readonly draining: { isBegun(): boolean };
  readonly systemStore: Pick<SystemStore, 'listEngines'> & Pick<LeaseStore, 'findLease'>;
  readonly isProcessAlive: StatusDeps['isProcessAlive'];
  readonly indexerLease: string;
  readonly searchIndex: Pick<ServedIndex, 'repairOf'>;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

/** How long a start waits: without room for an indexer, or with an index that takes hours, searches are served. */
const START_WITHIN_MS = 10_000;

/**
 * What this process cannot serve without: a full disk, or an indexer that is away later, leaves its searches as they are.
 * An engine whose index is being made, or whose store is damaged, answers that itself and keeps no other engine from its
 * visitors: `indexes` is false only while an index is being made and no engine can be searched. A start waits for the
 * first indexer, so that what is pushed as soon as it is ready is found at once, and for the indexes that are soon made.
 */
export function createReadiness(deps: ReadinessDeps) {
  const { draining, systemStore, searchIndex, monotonicMs } = deps;
  const startedAtMs = monotonicMs();
  let hasStarted = false;
  const isStarted = async (engineIds: readonly number[]) => {
    hasStarted ||=
      monotonicMs() - startedAtMs >= START_WITHIN_MS ||
      ((await hasIndexer(deps)) && (await areAllMade(searchIndex, engineIds)));
    return hasStarted;
  };
  return async () => {
    const engines = await systemStore.listEngines().catch(() => undefined);
    const engineIds = (engines ?? []).map(({ id }) => id);
    const checks = {
      stores: engines !== undefined,
      indexes: await canAnySearch(searchIndex, engineIds),
      started: await isStarted(engineIds),
      accepting: !draining.isBegun(),
    };
    return { ready: Object.values(checks).every(Boolean), checks };
  };
}

type Index = ReadinessDeps['searchIndex'];
type IndexState = 'made' | 'being-made' | 'unusable-store';

async function indexState(searchIndex: Index, engineId: number): Promise<IndexState> {
  try {
    return (await searchIndex.repairOf(engineId)) === undefined ? 'made' : 'being-made';
  } catch {
    return 'unusable-store';
  }
}

/** One look-up in nearly all installations: the first engine that can be searched ends it. */
async function canAnySearch(searchIndex: Index, engineIds: readonly number[]): Promise<boolean> {
  let isAnyBeingMade = false;
  for (const engineId of engineIds) {
    const state = await indexState(searchIndex, engineId);
    if (state === 'made') return true;
    isAnyBeingMade ||= state === 'being-made';
  }
  return !isAnyBeingMade;
}

async function areAllMade(searchIndex: Index, engineIds: readonly number[]): Promise<boolean> {
  for (const engineId of engineIds) if ((await indexState(searchIndex, engineId)) === 'being-made') return false;
  return true;
}

async function hasIndexer({ systemStore: store, isProcessAlive, indexerLease }: ReadinessDeps): Promise<boolean> {
  const roles = await rolesOf({ store, isProcessAlive, indexerLease }).catch((): readonly RoleHolder[] => []);
  return roles.some(({ role, holder }) => role === 'indexer' && holder !== undefined);
}
