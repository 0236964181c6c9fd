import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { keepSecretFile } from '../config/secret-file.ts';
import { AppError } from '../core/errors.ts';
import type { Log } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { requireFinishedRestore } from '../storage/sqlite/backup/restore-mark.ts';
import { openEngineStores } from '../storage/sqlite/engine-stores.ts';
import { requireFinishedMove } from '../storage/sqlite/move/move-mark.ts';
import { openSystemStore } from '../storage/sqlite/open-system-store.ts';
import { startWriteThread } from '../storage/sqlite/write-thread.ts';
import type { SystemStore } from '../storage/system-store.ts';

export type Stores = AsyncDisposable & {
  readonly systemStore: SystemStore;
  readonly engineStores: EngineStores;
  /** What holds them: `SQLite 3.51.0`, `PostgreSQL 15.13`. */
  readonly storedIn: string;
  /** Why the database takes no reads, or no writes, in words; absent: they are files. */
  readonly databaseFault?: () => Promise<string | undefined>;
};

/** Where the stores are: files of the data folder, or a database. */
type StorePlace = Pick<Config, 'DATA_DIR'> & Partial<Pick<Config, 'DATABASE_URL' | 'DATABASE_CONNECTIONS'>>;
type StoreMetrics = Pick<Metrics, 'storeWrite' | 'watchWrites'>;

/**
 * The stores of an installation, for this process.
 * @throws AppError `request.invalid` when a restore or a move of the folder was broken off, or the database is another folder's
 */
export async function openStores(place: StorePlace, log: Log, metrics?: StoreMetrics): Promise<Stores> {
  const { DATA_DIR: dataDir, DATABASE_URL: url, DATABASE_CONNECTIONS: connections = 2 } = place;
  return url === undefined
    ? await openFiles(dataDir, log, metrics)
    : await openDatabase({ dataDir, url, connections }, log, metrics);
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
  return { systemStore, engineStores, storedIn, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function openDatabase(
  database: { readonly dataDir: string; readonly url: string; readonly connections: number },
  log: Log,
  metrics: StoreMetrics | undefined,
): Promise<Stores> {
  // Loaded for this tier alone.
  const { openPostgresStores } = await import('../storage/postgres/open-postgres-stores.ts');
  await using stack = new AsyncDisposableStack();
  const onWritten = (seconds: number) => metrics?.storeWrite.observe(seconds);
  const opened = stack.use(await openPostgresStores({ ...database, log, onWritten }));
  metrics?.watchWrites(opened.waiting);
  await requireOwnDatabase(opened.systemStore, database.dataDir);
  const owned = stack.move();
  const { systemStore, engineStores, serverVersion, fault: databaseFault } = opened;
  const storedIn = `PostgreSQL ${serverVersion}`;
  return { systemStore, engineStores, storedIn, databaseFault, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/**
 * Locks of processes are files of the data folder, by which leases are judged: two folders on one database would each
 * take the processes of the other for dead.
 */
async function requireOwnDatabase(systemStore: SystemStore, dataDir: string): Promise<void> {
  const own = await keepSecretFile(join(dataDir, 'installation-id'));
  if ((await systemStore.rememberOnce('data_folder', () => own)) === own) return;
  const message =
    "DATABASE_URL holds the installation of another DATA_DIR: use that folder, or another database. When it is lost, and nothing runs on it: DELETE FROM fossick_system.meta WHERE name = 'data_folder'";
  throw new AppError('request.invalid', message);
}

/** Where the index of an engine lies, on this machine. */
export function indexFolder(dataDir: string, engineId: number): string {
  return join(dataDir, 'engines', String(engineId), 'index');
}
