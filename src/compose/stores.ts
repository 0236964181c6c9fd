import { join } from 'node:path';
import type { Log } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { requireFinishedRestore } from '../storage/sqlite/backup/restore-mark.ts';
import { openEngineStores } from '../storage/sqlite/engine-stores.ts';
import { openSystemStore } from '../storage/sqlite/open-system-store.ts';
import { startWriteThread } from '../storage/sqlite/write-thread.ts';
import type { SystemStore } from '../storage/system-store.ts';

export type Stores = AsyncDisposable & { readonly systemStore: SystemStore; readonly engineStores: EngineStores };

/**
 * The stores of an installation with the one write thread of this process.
 * @throws AppError `request.invalid` when a restore of the folder was broken off
 */
export async function openStores(
  dataDir: string,
  log: Log,
  metrics?: Pick<Metrics, 'storeWrite' | 'watchWrites'>,
): Promise<Stores> {
  requireFinishedRestore(dataDir);
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
  return { systemStore, engineStores, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Where the index of an engine lies, beside its store. */
export function indexFolder(dataDir: string, engineId: number): string {
  return join(dataDir, 'engines', String(engineId), 'index');
}
