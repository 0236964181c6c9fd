import type { Clock } from '../../core/clock.ts';
import type { Host } from '../../storage/engine/hosts.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { Decision } from '../visit/decision.ts';

/** As long as the crawler's record is believed (crawling 5). */
const FRESH_MS = 200;

export type RecentHosts = {
  /** The host as it was at most 200 ms ago. */
  find(hostId: number): Promise<Host | undefined>;
  /** After the record: when it changed more than the number of good answers, the next look is at the store. */
  visited(hostId: number, decision: Pick<Decision, 'answer' | 'trust'>): void;
};

/** Hosts of a slice: every visit asks for its own, and a read from the store costs more than the visit's decision. */
export function openRecentHosts(deps: {
  readonly store: Pick<EngineStore, 'findHost'>;
  readonly clock: Clock;
}): RecentHosts {
  const known = new Map<number, { readonly readAt: number; readonly host: Promise<Host | undefined> }>();
  return {
    find: (hostId) => {
      const now = deps.clock.now();
      const held = known.get(hostId);
      // A clock that was set back does not make what is known younger.
      if (held !== undefined && Math.abs(now - held.readAt) < FRESH_MS) return held.host;
      const host = deps.store.findHost(hostId);
      known.set(hostId, { readAt: now, host });
      return host;
    },
    visited: (hostId, { answer, trust }) => {
      if (answer !== 'good' || trust !== undefined) known.delete(hostId);
    },
  };
}
