import type { Clock } from '../../core/clock.ts';
import type { HostFacts } from '../../storage/engine/hosts.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { Decision } from '../visit/decision.ts';

/** Twice the time between two looks of a slice, which bring what its hosts are. */
const FRESH_MS = 500;

export type RecentHosts = {
  /** The host as it was at most 500 ms ago. */
  find(hostId: number): Promise<HostFacts | undefined>;
  /** Before hosts are read for another reason: what is to be called with them. */
  looks(): (hosts: readonly HostFacts[]) => void;
  /** After the record: when it changed more than the number of good answers, the next look is at the store. */
  visited(hostId: number, decision: Pick<Decision, 'answer' | 'trust'>): void;
};

/** Hosts of a slice: every visit asks for its own, and a read from the store costs more than the visit's decision. */
export function openRecentHosts(deps: {
  readonly store: Pick<EngineStore, 'findHost'>;
  readonly clock: Clock;
}): RecentHosts {
  const known = new Map<number, { readonly readAt: number; readonly host: Promise<HostFacts | undefined> }>();
  let changes = 0;
  const changedBy = new Map<number, number>();
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
    looks: () => {
      const readAt = deps.clock.now();
      const before = changes;
      return (hosts) => {
        for (const host of hosts) {
          const isOld = (changedBy.get(host.id) ?? 0) > before;
          if (!isOld) known.set(host.id, { readAt, host: Promise.resolve(host) });
        }
      };
    },
    visited: (hostId, { answer, trust }) => {
      if (answer === 'good' && trust === undefined) return;
      known.delete(hostId);
      changes++;
      changedBy.set(hostId, changes);
    },
  };
}
