import type { Reason } from '../../core/crawl-words.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { Host } from '../../storage/run-store.ts';
import type { HostSlots, SlotResult } from '../host-slots.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { type HostPace, hostPace, probePace } from '../rules/politeness.ts';
import { BREAKER_FAILURES, FIRST_HOLD_MS, holdMs } from '../rules/retry-policy.ts';
import type { SliceDeps } from '../run-slice.ts';
import type { RobotsCopies } from '../visit/robots-copies.ts';
import type { PreparedHost, SliceFeed } from './slice-feed.ts';
import type { SliceWatch } from './slice-watch.ts';
import { takeSlot } from './take-slot.ts';

export type HostsOf = {
  readonly deps: Pick<SliceDeps, 'hostSlots' | 'clock' | 'hostDelayMs'>;
  readonly store: EngineStore;
  readonly crawlerId: number;
  readonly watch: SliceWatch;
  readonly feed: () => SliceFeed;
};

/** What the slice does about a host before and beside its pages. */
export type SliceHosts = {
  /** Reads robots.txt, which takes a slot of its host like any other fetch. */
  prepare(origin: string, rules: CrawlRules, robots: RobotsCopies): Promise<PreparedHost>;
  hold(host: HeldHost): Promise<void>;
  /**
   * By failures in a row of hosts that were visited: holds those that failed too often, and lets a host at its full
   * pace again that answered its probe.
   */
  judge(failures: ReadonlyMap<number, number>): Promise<void>;
};

export type HeldHost = {
  readonly hostId: number;
  readonly origin: string;
  readonly forMs: number;
  readonly reason: Reason;
};

export function openHosts(of: HostsOf): SliceHosts {
  const probed = new Set<number>();
  return {
    prepare: async (origin, rules, robots) => {
      const host = await of.store.ensureHost(of.crawlerId, origin);
      const prepared = await prepare(of, { host, rules, robots });
      if (host.failures < BREAKER_FAILURES || !('pace' in prepared)) return prepared;
      probed.add(host.id);
      return { pace: probePace(prepared.pace) };
    },
    hold: (host) => hold(of, host),
    judge: async (failures) => {
      for (const [hostId, inRow] of failures) {
        if (inRow >= BREAKER_FAILURES) await openBreaker(of, hostId);
        else if (inRow === 0 && probed.delete(hostId)) of.feed().renew(hostId);
      }
    },
  };
}

/** What was under way when it opened prolongs nothing. */
async function openBreaker(of: HostsOf, hostId: number): Promise<void> {
  const host = await of.store.findHost(hostId);
  if (host === undefined || host.heldUntil > of.deps.clock.now()) return;
  const { origin, holds } = host;
  await hold(of, { hostId, origin, forMs: holdMs(FIRST_HOLD_MS.breaker, holds), reason: 'host-held' });
}

type Prepared = { readonly host: Host; readonly rules: CrawlRules; readonly robots: RobotsCopies };

async function prepare(of: HostsOf, { host, rules, robots }: Prepared): Promise<PreparedHost> {
  const { deps } = of;
  const { origin, pace: learned } = host;
  const paceOf = (crawlDelaySeconds: number | undefined) =>
    hostPace(rules, { origin, crawlDelaySeconds, learned }, deps.hostDelayMs);
  const known = await robots.known(origin);
  if (known?.kind === 'rules') return { pace: paceOf(known.crawlDelaySeconds) };
  return askRobots(of, { host, robots, paceOf });
}

type Asked = {
  readonly host: Host;
  readonly robots: RobotsCopies;
  readonly paceOf: (crawlDelaySeconds: number | undefined) => HostPace;
};

async function askRobots(of: HostsOf, { host, robots, paceOf }: Asked): Promise<PreparedHost> {
  const { deps, watch } = of;
  const { origin, id: hostId } = host;
  const grant = await takeSlot(deps.hostSlots, { origin, pace: paceOf(undefined) }, watch.starts);
  let result: SlotResult = 'unused';
  try {
    if (grant === undefined) return { heldUntil: deps.clock.now() };
    const policy = await robots.of(origin, watch.fetches);
    result = policy.kind === 'unreachable' ? 'overload' : 'good';
    if (policy.kind === 'rules') return { pace: paceOf(policy.crawlDelaySeconds) };
    const forMs = policy.untilAt - deps.clock.now();
    await hold(of, { hostId, origin, forMs, reason: 'robots-unreachable' });
    return { heldUntil: policy.untilAt };
  } catch (error) {
    if (watch.fetches.aborted) return { heldUntil: deps.clock.now() };
    throw error;
  } finally {
    // One that cannot be given back ends by itself.
    if (grant !== undefined) await deps.hostSlots.release([{ grant, result }]).catch(() => undefined);
  }
}

/** Seen by every process: in the store for what waits, in the slots for what is leased already. */
async function hold(
  {
    deps,
    store,
    feed,
  }: Pick<HostsOf, 'deps' | 'store' | 'feed'> & { readonly deps: { readonly hostSlots: HostSlots } },
  { hostId, origin, forMs, reason }: HeldHost,
): Promise<void> {
  const now = deps.clock.now();
  const untilAt = now + forMs;
  await store.holdHost(hostId, { untilAt, now, reason });
  await deps.hostSlots.hold(origin, forMs, reason);
  await feed().drop(hostId, untilAt);
}
