import type { Log } from '../../observability/logger.ts';
import type { Connections } from './connections.ts';

/** How long a commit of another process may stay unseen, beside the time of one small query. */
const LOOK_EVERY_MS = 200;

/** Tells when stores have changed: by own commits at once, by those of others a moment later. */
export type StoreChanges = Disposable & {
  /** Of a store from now on. `onOthers` runs before a change by others shows in the token. */
  watch(name: string, onOthers?: () => Promise<void>): WatchedStore;
  /** Of a store that was removed. */
  forget(name: string): void;
  /** Looks for changes of others now. */
  look(): Promise<void>;
};

type WatchedStore = {
  /** Grows with every commit that is known here; costs nothing. */
  token(): number;
  committed(changes: number): void;
};

type Watched = { token: number; changes: number; readonly onOthers: () => Promise<void> };

/**
 * A query five times a second, of one row per store that is open here, and no channel of notices: those need a connection
 * of their own that no pooler may share, and their commits wait for each other over all databases of a server.
 */
export function watchStoreChanges(connections: Connections, log: Log): StoreChanges {
  const stores = new Map<string, Watched>();
  let isLooking = false;

  const look = async () => {
    const names = [...stores.keys()].map((name) => `'${name}'`);
    if (names.length === 0) return;
    const [found] = await connections.use((session) =>
      session.script(`SELECT name, changes FROM fossick.stores WHERE name IN (${names.join()})`),
    );
    for (const { name, changes } of found?.rows ?? []) {
      const store = stores.get(String(name));
      if (store === undefined || Number(changes) <= store.changes) continue;
      await store.onOthers();
      store.changes = Number(changes);
      store.token++;
    }
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((err: unknown) => log.debug({ err }, 'changes of stores cannot be read'))
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    watch: (name, onOthers = async () => undefined) => {
      const store: Watched = { token: 0, changes: 0, onOthers };
      stores.set(name, store);
      return {
        token: () => store.token,
        // One that follows on the last that is known leaves nothing to look for.
        committed: (changes) => {
          if (changes === store.changes + 1) store.changes = changes;
          store.token++;
        },
      };
    },
    forget: (name) => stores.delete(name),
    look,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
