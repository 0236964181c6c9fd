import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { EngineStore, EngineStores } from '../engine-store.ts';
import { documentStore } from './document-store.ts';
import { frontierStore, runStore } from './frontier-store.ts';
import { hostContentStore } from './host-content.ts';
import { readIdentity } from './identity.ts';
import { listStore } from './lists.ts';
import { inventoryStore } from './look-up.ts';
import { openStoreFile } from './open-store.ts';
import { passageVectorStore } from './passage-vectors.ts';
import { patternStore } from './patterns.ts';
import { removalStore } from './removal-store.ts';
import { storePath } from './store-path.ts';
import { templateStore } from './templates.ts';
import { twinStore } from './twin-records.ts';
import type { WriteThread } from './write-thread.ts';

type OpenStore = { readonly store: EngineStore; close(): void };

/** The SQLite stores of all engines of an installation; the write thread stays its owner's. */
export function openEngineStores(options: {
  readonly dataDir: string;
  readonly writeThread: WriteThread;
}): EngineStores {
  const { dataDir, writeThread } = options;
  const stores = new Map<number, Promise<OpenStore>>();
  const of = (engineId: number): Promise<OpenStore> => {
    const known = stores.get(engineId);
    if (known !== undefined) return known;
    const opening = openStore(dataDir, writeThread, engineId);
    stores.set(engineId, opening);
    opening.catch(() => stores.delete(engineId));
    return opening;
  };
  return {
    of: async (engineId) => (await of(engineId)).store,
    remove: async (engineId) => {
      const target = { kind: 'engine', engineId } as const;
      (await stores.get(engineId))?.close();
      stores.delete(engineId);
      await writeThread.close(target);
      await rm(dirname(storePath(dataDir, target)), { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: async () => {
      const open = await Promise.allSettled(stores.values());
      stores.clear();
      for (const result of open) if (result.status === 'fulfilled') result.value.close();
    },
  };
}

async function openStore(dataDir: string, writeThread: WriteThread, engineId: number): Promise<OpenStore> {
  const target = { kind: 'engine', engineId } as const;
  const read = await openStoreFile({ dataDir, writeThread }, target);
  const path = storePath(dataDir, target);
  const connection = { engineId, read, thread: writeThread };
  const { closeClaims, ...documents } = documentStore(connection, path);
  const changeToken = () => read.dataVersion();
  return {
    store: {
      ...{ engineId, changeToken, ...documents },
      identity: async () => readIdentity(read),
      startEpoch: () => writeThread.engine(engineId, 'startEpoch', undefined),
      ...{
        ...frontierStore(connection),
        ...runStore(connection),
        ...patternStore(connection),
        ...twinStore(connection),
        ...inventoryStore(connection),
        ...listStore(connection),
        ...removalStore(connection),
        ...hostContentStore(connection),
        ...templateStore(connection),
        ...passageVectorStore(connection),
      },
    },
    close: () => {
      closeClaims();
      read.close();
    },
  };
}
