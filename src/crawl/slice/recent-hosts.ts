import type { Host, RunStore } from '../../storage/run-store.ts';

/** As long as the crawler's record is believed (crawling 5). */
const FRESH_MS = 200;

export type RecentHosts = {
  /** The host as it was at most 200 ms ago. */
  find(hostId: number): Promise<Host | undefined>;
  /** The next look is at the store: a visit has changed more than the number of its good answers. */
  forget(hostId: number): void;
};

/** Hosts of a slice: every visit asks for its own, and a read from the store costs more than the visit's decision. */
export function openRecentHosts(store: Pick<RunStore, 'findHost'>): RecentHosts {
  const known = new Map<number, { readonly until: number; readonly host: Promise<Host | undefined> }>();
  return {
    find: (hostId) => {
      const now = performance.now();
      const held = known.get(hostId);
      if (held !== undefined && now < held.until) return held.host;
      const host = store.findHost(hostId);
      known.set(hostId, { until: now + FRESH_MS, host });
      return host;
    },
    forget: (hostId) => known.delete(hostId),
  };
}
