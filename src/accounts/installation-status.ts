import type { Clock } from '../core/clock.ts';
import { vectorSetOf } from '../core/document-vectors.ts';
import { AppError } from '../core/errors.ts';
import type { Engine } from '../core/records.ts';
import { yieldInBackgroundAfter } from '../core/yield.ts';
import { type EngineStores, isStoreFault } from '../storage/engine-store.ts';
import type { LivingProcess, Machine, ProcessRegistry } from '../storage/process-registry.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import type { LeaseStore } from '../storage/system/installation.ts';

/** What an installation runs on: files of one machine; a database; a database and servers for the index. */
export const TIERS = ['embedded', 'shared store', 'cluster'] as const;
type Tier = (typeof TIERS)[number];

export type StatusDeps = {
  readonly store: Pick<AccountStore, 'listEngines' | 'listCrawlers'> & Pick<LeaseStore, 'findLease'>;
  /** Whether the process of a holder's name lives. */
  readonly isProcessAlive: (holder: string) => Promise<boolean>;
  /** Name of the lease on the index that this process reads: it may be one of several. */
  readonly indexerLease: string;
  readonly processes: Pick<ProcessRegistry, 'living'>;
  readonly tier: Tier;
  readonly engineStores: Pick<EngineStores, 'of'>;
  /** The number up to which searches of this process see every change. */
  readonly visibleSeq: (engineId: number) => number;
  readonly diskSpace: () => Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
  readonly version: string;
  readonly storedIn: string;
  /** What holds the index, in words, when it does not lie in the data folder. */
  readonly indexServers?: (() => Promise<string>) | undefined;
  /** Embeds the passages of engines with answers; undefined = none are embedded. */
  readonly embeddingModel?: string | undefined;
  /** Of all models that are configured, as this process knows them. */
  readonly modelStates: () => readonly {
    readonly kind: 'language' | 'embedding';
    readonly name: string;
    readonly isFailing: boolean;
    readonly answeredMsAgo: number | undefined;
    /** `fault`: why, in words for the operator. */
    readonly failed: { readonly fault: string; readonly msAgo: number } | undefined;
  }[];
  readonly clock: Clock;
};

export type ModelStatus = {
  readonly kind: 'language' | 'embedding';
  readonly name: string;
  /** `unknown`: nobody has asked it. */
  readonly state: 'answers' | 'fails' | 'unknown';
  readonly answeredAt?: number;
  readonly failedAt?: number;
  /** Why it failed the last time. */
  readonly fault?: string;
};

export type EngineStatus = {
  readonly id: number;
  readonly name: string;
  readonly documents: number;
  readonly crawlers: number;
  readonly activeCrawlers: number;
  readonly seq: number;
  readonly visibleSeq: number;
  /** Up to which passages have vectors; absent = the engine has none. */
  readonly vectorSeq?: number;
  /** Why the store of the engine cannot be used: it has no figures then. */
  readonly problem?: string;
};

export type MachineStatus = Machine & {
  /** `misses`: servers that the process cannot reach. */
  readonly processes: readonly { readonly name: string; readonly misses: readonly string[] }[];
};

export type InstallationStatus = {
  readonly at: number;
  readonly version: string;
  readonly nodeVersion: string;
  /** What holds the stores: `SQLite 3.51.0`. */
  readonly storedIn: string;
  /** Where the index lies; absent = in the data folder. */
  readonly index?: string;
  readonly tier: Tier;
  /** Where its processes live; those of one machine share a data folder. */
  readonly machines: readonly MachineStatus[];
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number };
  /** `holder` null: no process has the role. */
  readonly roles: readonly { readonly role: string; readonly holder: string | null }[];
  readonly models: readonly ModelStatus[];
  readonly engines: readonly EngineStatus[];
};

/** A thousand engines are read between requests. */
const SLICE_MS = 2;

/** The figures of the installation as this process sees them; what is wrong with them is for `src/health`. */
export async function installationStatus(deps: StatusDeps): Promise<InstallationStatus> {
  const at = deps.clock.now();
  const disk = await deps.diskSpace();
  const stored = await storedStatus(deps).catch(whileStoresAreAway);
  const models = modelsOf(deps, at);
  const index = await deps.indexServers?.();
  return {
    at,
    version: deps.version,
    nodeVersion: process.version,
    storedIn: deps.storedIn,
    ...(index !== undefined && { index }),
    tier: deps.tier,
    disk,
    models,
    ...stored,
  };
}

type StoredStatus = Pick<InstallationStatus, 'machines' | 'roles' | 'engines'>;

async function storedStatus(deps: StatusDeps): Promise<StoredStatus> {
  const machines = machinesOf(await deps.processes.living());
  const roles = (await rolesOf(deps)).map(({ role, holder }) => ({ role, holder: holder ?? null }));
  const engines: EngineStatus[] = [];
  const nextSlice = yieldInBackgroundAfter(SLICE_MS);
  for (const engine of await deps.store.listEngines()) {
    await nextSlice();
    engines.push(await engineStatus(deps, engine));
  }
  return { machines, roles, engines };
}

/** What is known without stores that do not answer, so that their finding can be told beside the rest. */
function whileStoresAreAway(error: unknown): StoredStatus {
  if (error instanceof AppError && error.code === 'storage.unavailable')
    return { machines: [], roles: [], engines: [] };
  throw error;
}

function machinesOf(living: readonly LivingProcess[]): readonly MachineStatus[] {
  const byId = Map.groupBy(living, ({ machine }) => machine.id);
  return [...byId].map(([id, processes]) => ({
    id,
    host: processes[0]?.machine.host ?? '',
    processes: processes.map(({ name, misses }) => ({ name, misses })),
  }));
}

function modelsOf({ modelStates }: Pick<StatusDeps, 'modelStates'>, at: number): readonly ModelStatus[] {
  return modelStates().map(({ kind, name, isFailing, answeredMsAgo, failed }) => {
    const failedLast = failed !== undefined && failed.msAgo < (answeredMsAgo ?? Number.POSITIVE_INFINITY);
    const isUnknown = answeredMsAgo === undefined && failed === undefined;
    return {
      kind,
      name,
      state: isUnknown ? 'unknown' : isFailing || failedLast ? 'fails' : 'answers',
      ...(answeredMsAgo !== undefined && { answeredAt: at - answeredMsAgo }),
      ...(failed !== undefined && { failedAt: at - failed.msAgo, fault: failed.fault }),
    };
  });
}

export type RoleHolder = {
  readonly role: string;
  /** The living process that has the role. */
  readonly holder: string | undefined;
  /** Grows with each sign of life of the holder. */
  readonly beats: number;
};

type RolesDeps = Pick<StatusDeps, 'isProcessAlive' | 'indexerLease'> & {
  readonly store: Pick<LeaseStore, 'findLease'>;
};

/** Who has the roles that one process has at a time: that of the index which is read here, and the scheduler. */
export async function rolesOf({ store, isProcessAlive, indexerLease }: RolesDeps): Promise<readonly RoleHolder[]> {
  const holderOf = async (role: string, leaseName: string) => {
    const lease = await store.findLease(leaseName);
    const lives = lease !== undefined && (await isProcessAlive(lease.holder));
    return { role, holder: lives ? lease.holder : undefined, beats: lease?.beats ?? 0 };
  };
  return await Promise.all([holderOf('indexer', indexerLease), holderOf('scheduler', 'scheduler')]);
}

async function engineStatus(deps: StatusDeps, engine: Engine): Promise<EngineStatus> {
  const { id, name } = engine;
  const crawlers = await deps.store.listCrawlers({ engineId: id });
  const activeCrawlers = crawlers.filter(({ active }) => active).length;
  const known = { id, name, crawlers: crawlers.length, activeCrawlers };
  try {
    return { ...known, ...(await storeCounters(deps, engine)) };
  } catch (error) {
    if (!isStoreFault(error)) throw error;
    return { ...known, documents: 0, seq: 0, visibleSeq: 0, problem: error.message };
  }
}

async function storeCounters(deps: StatusDeps, { id, settings }: Engine) {
  const store = await deps.engineStores.of(id);
  const model = deps.embeddingModel;
  return {
    documents: await store.countDocuments(),
    seq: await store.lastSeq(),
    visibleSeq: deps.visibleSeq(id),
    ...(model !== undefined && settings.aiEnabled && { vectorSeq: await store.vectorSeq(vectorSetOf(model)) }),
  };
}
