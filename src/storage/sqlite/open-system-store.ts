import { bindStore } from '../sql/bind-store.ts';
import { readMeta } from '../sql/meta.ts';
import { SYSTEM_STORES } from '../sql/stores.ts';
import { listHolds } from '../system/host-holds.ts';
import type { SystemStore } from '../system-store.ts';
import { openStoreFile } from './open-store.ts';
import { runOperation, runRead } from './sqlite-database.ts';
import type { WriteThread } from './write-thread.ts';

/** What is made of operations; the rest needs the connection itself. */
type BoundStore = Omit<SystemStore, 'changeToken' | 'listHolds' | 'rememberOnce' | typeof Symbol.asyncDispose>;

/** Opens `system.db`, made and migrated when needed. Closing it leaves the write thread open: the caller owns that. */
export async function openSystemStore(options: {
  readonly dataDir: string;
  readonly writeThread: WriteThread;
}): Promise<SystemStore> {
  const { writeThread } = options;
  const read = await openStoreFile(options, { kind: 'system' });
  const bound = bindStore<BoundStore>(SYSTEM_STORES, {
    read: (operation) => runRead(read, operation),
    write: (name, parameters) => writeThread.write({ kind: 'system' }, name, parameters),
  });
  return {
    ...bound,
    // The write thread has a connection of its own, so `data_version` counts its commits like those of other processes.
    changeToken: () => read.dataVersion(),
    listHolds: () => runOperation(read, listHolds()),
    rememberOnce: async (name, make) =>
      runOperation(read, readMeta(name)) ?? writeThread.system('rememberOnce', { name, value: make() }),
    [Symbol.asyncDispose]: async () => read.close(),
  };
}
