import type { SystemStore } from '../storage/system-store.ts';

export type ReadinessDeps = {
  readonly draining: { isBegun(): boolean };
  readonly systemStore: Pick<SystemStore, 'listEngines'>;
  /** Why searches of an engine have no index to answer from; undefined = they have. */
  readonly repairOf: (engineId: number) => Promise<string | undefined>;
};

/**
 * What this process cannot serve without: a full disk, or an indexer that is away, leaves its searches as they are. An
 * engine whose store is damaged stays so until an operator mends it, and keeps no other engine from its visitors.
 */
export async function readiness({ draining, systemStore, repairOf }: ReadinessDeps) {
  const engines = await systemStore.listEngines().catch(() => undefined);
  let indexes = true;
  for (const { id } of engines ?? []) indexes &&= (await repairOf(id).catch(() => undefined)) === undefined;
  const checks = { stores: engines !== undefined, indexes, accepting: !draining.isBegun() };
  return { ready: Object.values(checks).every(Boolean), checks };
}
