import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Crawler, Customer, Engine } from '../core/records.ts';
import type { AccountStore, ActiveKey } from '../storage/system/accounts.ts';

/** How long a change by another process may stay unseen (architecture: stores). */
const RECHECK_MS = 200;

/** Look-ups of the account store, answered from memory: what every request asks. */
export type AccountSnapshot = Pick<
  AccountStore,
  'findCustomer' | 'findEngine' | 'findCrawler' | 'findActiveKey' | 'listEngines' | 'listCrawlers'
> & {
  /** Makes the next look-up ask the store, for whoever has just changed records in this process. */
  drop(): void;
};

type SnapshotStore = Pick<AccountStore, 'listCustomers' | 'listEngines' | 'listCrawlers' | 'listActiveKeys'> & {
  changeToken(): number;
};

type Records = {
  readonly customers: ReadonlyMap<number, Customer>;
  readonly engines: ReadonlyMap<number, Engine>;
  readonly crawlers: ReadonlyMap<number, Crawler>;
  readonly keysByCustomer: ReadonlyMap<number, readonly ActiveKey[]>;
};

/**
 * Holds customers, engines, crawlers and key digests in memory until the store's change token changes: at most
 * 200 ms behind commits of other processes, and no statement at all in between.
 */
export function createAccountSnapshot(deps: { readonly store: SnapshotStore; readonly clock: Clock }): AccountSnapshot {
  const { read, drop } = holdRecords(deps);
  return {
    findCustomer: async (id) => (await read()).customers.get(id),
    findEngine: async (id) => (await read()).engines.get(id),
    findCrawler: async (id) => (await read()).crawlers.get(id),
    findActiveKey: async (customerId, sha256, now) =>
      verifyApiKey((await read()).keysByCustomer.get(customerId) ?? [], sha256, now),
    listEngines: async (customerId) => {
      const engines = [...(await read()).engines.values()];
      return customerId === undefined ? engines : engines.filter((engine) => engine.customerId === customerId);
    },
    listCrawlers: async ({ customerId, engineId } = {}) =>
      [...(await read()).crawlers.values()].filter(
        (crawler) =>
          (customerId === undefined || crawler.customerId === customerId) &&
          (engineId === undefined || crawler.engineId === engineId),
      ),
    drop,
  };
}

function holdRecords({ store, clock }: { readonly store: SnapshotStore; readonly clock: Clock }) {
  let held: { readonly token: number; readonly records: Promise<Records> } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const read = (): Promise<Records> => {
    const now = clock.now();
    // A clock set back must not freeze the snapshot.
    if (held !== undefined && now >= askedAt && now - askedAt < RECHECK_MS) return held.records;
    // The token is read first: a commit between the two shows as a change at the next look.
    const token = store.changeToken();
    askedAt = now;
    if (held?.token === token) return held.records;
    const taken = { token, records: readRecords(store) };
    held = taken;
    taken.records.catch(() => {
      if (held === taken) held = undefined;
    });
    return taken.records;
  };
  const drop = () => {
    askedAt = Number.NEGATIVE_INFINITY;
  };
  return { read, drop };
}

async function readRecords(store: SnapshotStore): Promise<Records> {
  const [customers, engines, crawlers, keys] = await Promise.all([
    store.listCustomers(),
    store.listEngines(),
    store.listCrawlers(),
    store.listActiveKeys(),
  ]);
  return {
    customers: byId(customers),
    engines: byId(engines),
    crawlers: byId(crawlers),
    keysByCustomer: Map.groupBy(keys, (key) => key.customerId),
  };
}

function byId<T extends { readonly id: number }>(records: readonly T[]): ReadonlyMap<number, T> {
  return new Map(records.map((record) => [record.id, record]));
}

/** Compared when a customer has no key, so that unknown customers take the path of wrong keys. */
const NO_DIGEST = Buffer.alloc(32);

/**
 * The customer's key with the digest that was sent, or undefined: a wrong, revoked and expired key and an unknown
 * customer look alike, in the answer and in time. Looks at every key, also after a match. Contract: 1.6.
 */
function verifyApiKey(keys: readonly ActiveKey[], sha256: string, now: number): ActiveKey | undefined {
  const sent = Buffer.from(sha256, 'hex');
  let found: ActiveKey | undefined;
  timingSafeEqual(sent, NO_DIGEST);
  for (const key of keys) {
    if (timingSafeEqual(sent, Buffer.from(key.sha256, 'hex'))) found = key;
  }
  return found?.expiresAt === undefined || found.expiresAt > now ? found : undefined;
}
