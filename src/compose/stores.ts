import { hostname } from 'node:os';
import { join } from 'node:path';
import type { RunWithLeaseDeps } from '../accounts/run-with-lease.ts';
import type { Config } from '../config/config.ts';
import { keepSecretFile, machineIdPath } from '../config/secret-file.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import type { Log } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { EnteringProcess, Machine, OwnProcess, ProcessRegistry } from '../storage/process-registry.ts';
import { requireFinishedRestore } from '../storage/sqlite/backup/restore-mark.ts';
import { openEngineStores } from '../storage/sqlite/engine-stores.ts';
import { lockedProcesses } from '../storage/sqlite/locked-processes.ts';
import { requireFinishedMove } from '../storage/sqlite/move/move-mark.ts';
import { openSystemStore } from '../storage/sqlite/open-system-store.ts';
import { startWriteThread } from '../storage/sqlite/write-thread.ts';
import type { SystemStore } from '../storage/system-store.ts';
import { monotonicMs, type RoleContext } from './role.ts';
import { KEY_PROBE, makeKeyProbe, otherKey } from './secrets.ts';

export type Stores = AsyncDisposable & {
  readonly systemStore: SystemStore;
  readonly engineStores: EngineStores;
  readonly processes: ProcessRegistry;
  /** Of what is stored: the same on all machines. */
  readonly clock: Clock;
  /** Name of the lease on the index of this process: one in all, or one a machine. */
  readonly indexerLease: string;
  /** What holds them: `SQLite 3.51.0`, `PostgreSQL 15.13`. */
  readonly storedIn: string;
  /** Why the database takes no reads, or no writes, in words; absent: they are files. */
  readonly databaseFault?: () => Promise<string | undefined>;
};

/** Where the stores are: files of the data folder, or a database; and what is made of them there. */
type StorePlace = Pick<Config, 'DATA_DIR'> &
  Partial<
    Pick<Config, 'DATABASE_URL' | 'DATABASE_CONNECTIONS' | 'OPENSEARCH_URL' | 'OPENSEARCH_INDEX_PREFIX' | 'SECRETS_KEY'>
  >;
type StoreMetrics = Pick<Metrics, 'storeWrite' | 'watchWrites'>;

/**
 * The stores of an installation, for this process.
 * @throws AppError `request.invalid` when a restore or a move of the folder was broken off, or the database is that of
 *   another key
 */
export async function openStores(place: StorePlace, log: Log, metrics?: StoreMetrics): Promise<Stores> {
  const { DATA_DIR: dataDir, DATABASE_URL: url } = place;
  return url === undefined
    ? await openFiles(dataDir, log, metrics)
    : await openDatabase({ ...place, url }, log, metrics);
}

export type RoleStores = Stores & {
  /** How others see this process. */
  readonly self: OwnProcess;
};

/** What a process brings that takes a lease. */
export function leaseDeps({ systemStore, processes, clock, self }: RoleStores, log: Log): RunWithLeaseDeps {
  const { isTrusted } = self;
  return { leases: systemStore, clock, monotonicMs, isProcessAlive: processes.isAlive, isTrusted, log };
}

/** The stores for a process that holds leases, and that all others can see from then on. Closed with the stack. */
export async function openRoleStores(
  stack: AsyncDisposableStack,
  { config, log, name, metrics }: RoleContext,
  facts: Omit<EnteringProcess, 'name'> = {},
): Promise<RoleStores> {
  const stores = stack.use(await openStores(config, log, metrics));
  const self = stack.use(await stores.processes.enter({ ...facts, name }));
  return { ...stores, self };
}

/** With the one write thread of this process. */
async function openFiles(dataDir: string, log: Log, metrics: StoreMetrics | undefined): Promise<Stores> {
  requireFinishedRestore(dataDir);
  requireFinishedMove(dataDir);
  await using stack = new AsyncDisposableStack();
  const told = 'store moved forward to the version of this program; its copy of before is kept beside it';
  const onMigrated = (migrated: object) => log.warn({ ...migrated }, told);
  const writeThread = stack.use(
    startWriteThread(dataDir, onMigrated, (seconds) => metrics?.storeWrite.observe(seconds)),
  );
  metrics?.watchWrites(writeThread.waiting);
  const systemStore = stack.use(await openSystemStore({ dataDir, writeThread }));
  const engineStores = stack.use(openEngineStores({ dataDir, writeThread, log }));
  const owned = stack.move();
  const storedIn = `SQLite ${process.versions['sqlite']}`;
  return {
    systemStore,
    engineStores,
    processes: lockedProcesses(dataDir),
    clock: systemClock,
    indexerLease: INDEXER,
    storedIn,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const INDEXER = 'indexer';

async function openDatabase(
  place: StorePlace & { readonly url: string },
  log: Log,
  metrics: StoreMetrics | undefined,
): Promise<Stores> {
  // Loaded for this tier alone.
  const { openPostgresStores } = await import('../storage/postgres/open-postgres-stores.ts');
  const { DATA_DIR: dataDir, DATABASE_CONNECTIONS: connections = 2, url } = place;
  const { OPENSEARCH_URL: servers, OPENSEARCH_INDEX_PREFIX: prefix = '' } = place;
  const machine = await machineOf(dataDir);
  const projection = servers === undefined ? machine.id : `opensearch ${prefix}`;
  const locks = lockedProcesses(dataDir);
  await using stack = new AsyncDisposableStack();
  const onWritten = (seconds: number) => metrics?.storeWrite.observe(seconds);
  const opened = stack.use(
    await openPostgresStores({ url, connections, dataDir, machine, locks, projection, log, onWritten }),
  );
  metrics?.watchWrites(opened.waiting);
  await requireSameKey(opened.systemStore, place);
  const owned = stack.move();
  const { systemStore, engineStores, processes, clock, serverVersion, fault: databaseFault } = opened;
  return {
    systemStore,
    engineStores,
    processes,
    clock,
    indexerLease: servers === undefined ? `${INDEXER}@${machine.id}` : INDEXER,
    storedIn: `PostgreSQL ${serverVersion}`,
    databaseFault,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const MACHINE_ID_CHARS = 12;

async function machineOf(dataDir: string): Promise<Machine> {
  return { id: machineIdOf(await keepSecretFile(machineIdPath(dataDir))), host: hostname() };
}

/** @param kept what the file of its data folder holds */
export function machineIdOf(kept: string): string {
  return kept.slice(0, MACHINE_ID_CHARS);
}

/** What one machine seals, such as passwords of crawlers, the others have to open. */
async function requireSameKey(systemStore: SystemStore, place: StorePlace): Promise<void> {
  const probe = await makeKeyProbe(place);
  const fault = await otherKey(place, await systemStore.rememberOnce(KEY_PROBE, () => probe));
  if (fault === undefined) return;
  const { sentence, mend } = fault;
  const message = `${sentence}: ${mend}. When that key is lost: DELETE FROM fossick_system.meta WHERE name = '${KEY_PROBE}', and set the secrets of crawlers again`;
  throw new AppError('request.invalid', message);
}

/** Where the index of an engine lies, on this machine. */
export function indexFolder(dataDir: string, engineId: number): string {
  return join(dataDir, 'engines', String(engineId), 'index');
}
