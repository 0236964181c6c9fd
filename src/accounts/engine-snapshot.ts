import type { Clock } from '../core/clock.ts';
import type { Crawler, Engine } from '../core/records.ts';
import type { AccountStore, ActiveKey } from '../storage/account-store.ts';

/** How long a change by another process may stay unseen (architecture: stores). */
const RECHECK_MS = 200;

/** Accounts as they were at one look at the store. */
export type AccountSnapshot = {
  readonly enginesById: ReadonlyMap<number, Engine>;
  readonly crawlersById: ReadonlyMap<number, Crawler>;
  readonly crawlersByEngine: ReadonlyMap<number, readonly Crawler[]>;
  readonly keysByCustomer: ReadonlyMap<number, readonly ActiveKey[]>;
};

export type AccountSnapshots = {
  /** The present snapshot: at most 200 ms behind commits of other processes, and no lookup at all in between. */
  read(): Promise<AccountSnapshot>;
  /** Makes the next `read` look again, for whoever has just changed records in this process. */
  drop(): void;
};

type SnapshotStore = Pick<AccountStore, 'listEngines' | 'listCrawlers' | 'listActiveKeys'> & {
  changeToken(): number;
};

/** Holds engines, crawlers and key digests in memory and drops them when the store's change token changes. */
export function createAccountSnapshots(deps: {
  readonly store: SnapshotStore;
  readonly clock: Clock;
}): AccountSnapshots {
  let held: { readonly token: number; readonly snapshot: Promise<AccountSnapshot> } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    read: () => {
      const now = deps.clock.now();
      // A clock set back must not freeze the snapshot.
      if (held !== undefined && now >= askedAt && now - askedAt < RECHECK_MS) return held.snapshot;
      askedAt = now;
      // The token is read first: a commit between the two shows as a change at the next look.
      const token = deps.store.changeToken();
      if (held?.token === token) return held.snapshot;
      const snapshot = takeSnapshot(deps.store);
      const mine = { token, snapshot };
      held = mine;
      snapshot.catch(() => {
        if (held === mine) held = undefined;
      });
      return snapshot;
    },
    drop: () => {
      askedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

async function takeSnapshot(store: SnapshotStore): Promise<AccountSnapshot> {
  const [engines, crawlers, keys] = await Promise.all([
    store.listEngines(),
    store.listCrawlers(),
    store.listActiveKeys(),
  ]);
  return {
    enginesById: new Map(engines.map((engine) => [engine.id, engine])),
    crawlersById: new Map(crawlers.map((crawler) => [crawler.id, crawler])),
    crawlersByEngine: Map.groupBy(crawlers, (crawler) => crawler.engineId),
    keysByCustomer: Map.groupBy(keys, (key) => key.customerId),
  };
}
