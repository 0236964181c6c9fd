import type { Clock } from '../core/clock.ts';
import type { Banner, Quicklink, Ranking, SynonymGroup, ToolStore } from '../storage/tool-store.ts';
import { type FindByTerm, indexTerms } from './term-match.ts';

/** A customer's search tools, ready to be asked. */
export type CustomerTools = {
  readonly findBanners: FindByTerm<Banner>;
  /** Banners that are called up by an audience alone, by ascending id. */
  readonly bannersWithoutTerms: readonly Banner[];
  readonly findRankings: FindByTerm<Ranking>;
  readonly findQuicklinks: FindByTerm<Quicklink>;
  readonly synonymGroups: readonly SynonymGroup[];
};

/** Search tools from memory: a search asks the store for none. */
export type ToolSnapshot = { of(customerId: number): Promise<CustomerTools> };

type SnapshotStore = Pick<ToolStore, 'listTools' | 'listSynonymGroups'> & {
  /** Differs from an earlier one whenever something was committed since. */
  changeToken(): number;
};

/** A change shows in searches within 1 s (contract 10.1). */
const RECHECK_MS = 250;
/** Customers whose tools are held; the one read longest ago goes first. */
const MAX_CUSTOMERS = 1_000;

/** Holds the tools of the customers that search until the store's change token changes: at most 250 ms behind. */
export function createToolSnapshot({
  store,
  clock,
}: {
  readonly store: SnapshotStore;
  readonly clock: Clock;
}): ToolSnapshot {
  const held = new Map<number, Promise<CustomerTools>>();
  let token: number | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;

  const recheck = (): void => {
    const now = clock.now();
    // A clock set back must not freeze the snapshot.
    if (now >= askedAt && now - askedAt < RECHECK_MS) return;
    askedAt = now;
    const present = store.changeToken();
    if (present !== token) held.clear();
    token = present;
  };

  const take = (customerId: number): Promise<CustomerTools> => {
    const oldest = held.size < MAX_CUSTOMERS ? undefined : held.keys().next().value;
    if (oldest !== undefined) held.delete(oldest);
    const taken = readTools(store, customerId);
    held.set(customerId, taken);
    taken.catch(() => {
      if (held.get(customerId) === taken) held.delete(customerId);
    });
    return taken;
  };

  return {
    of(customerId) {
      recheck();
      return held.get(customerId) ?? take(customerId);
    },
  };
}

async function readTools(store: SnapshotStore, customerId: number): Promise<CustomerTools> {
  const [banners, rankings, quicklinks, synonymGroups] = await Promise.all([
    store.listTools('banner', { customerId }),
    store.listTools('ranking', { customerId }),
    store.listTools('quicklink', { customerId }),
    store.listSynonymGroups(customerId),
  ]);
  return {
    findBanners: indexTerms(banners),
    bannersWithoutTerms: banners.filter(({ terms }) => terms.length === 0),
    findRankings: indexTerms(rankings),
    findQuicklinks: indexTerms(quicklinks),
    synonymGroups,
  };
}
